import type { Seconds } from "@followspot/contract";
import { BeatClock } from "../beat-clock.ts";
import type { LeaderMove } from "./midi-time-code.ts";

/*
 * MIDI clock: F8 is sent 24 times per beat. FA starts from the first beat, FB continues, FC stops, and F2 ll mm sets the
 * position in sixteenth notes (six clocks). Playback starts with the clock after FA or FB (MIDI 1.0, system real time).
 * Leaders send clocks while stopped as well.
 */
const CLOCK = 0xf8;
const START = 0xfa;
const CONTINUE = 0xfb;
const STOP = 0xfc;
const SONG_POSITION = 0xf2;

const CLOCKS_PER_BEAT = 24;
const CLOCKS_PER_SIXTEENTH = 6;
/** Clocks that the tempo is averaged over: two beats. */
const TEMPO_CLOCKS = 48;
/** Longest interval between clocks of one tempo: 15 beats per minute. */
const LONGEST_CLOCK_MS = 60_000 / 15 / CLOCKS_PER_BEAT;

/**
 * Decodes a leader that counts beats. The song position follows from the song's own beats, the first of which is beat
 * 0.
 */
export class MidiClock {
  readonly #beats: BeatClock;
  /** Index of the next clock, counted from the first beat of the song. */
  #next = 0;
  #isRunning = false;
  /** Times of the last clocks, ms. */
  #clocks: number[] = [];

  constructor(beats: readonly Seconds[]) {
    this.#beats = new BeatClock(beats);
  }

  /** Beats per minute, even while stopped; undefined before clocks have arrived. */
  get tempo(): number | undefined {
    const [first, last] = [this.#clocks[0], this.#clocks.at(-1)];
    if (first === undefined || last === undefined || last <= first) return undefined;
    return (60_000 * (this.#clocks.length - 1)) / (last - first) / CLOCKS_PER_BEAT;
  }

  hear(bytes: Uint8Array, atMs: number): LeaderMove | undefined {
    switch (bytes[0]) {
      case CLOCK:
        return this.#clock(atMs);
      case START:
        this.#next = 0;
        this.#isRunning = true;
        return { kind: "goes", seconds: this.#seconds(), atMs, code: undefined };
      case CONTINUE:
        this.#isRunning = true;
        return undefined;
      case STOP:
        this.#isRunning = false;
        return { kind: "stands", atMs };
      case SONG_POSITION:
        if (bytes.length !== 3 || bytes[1]! > 127 || bytes[2]! > 127) return undefined;
        this.#next = (bytes[1]! | (bytes[2]! << 7)) * CLOCKS_PER_SIXTEENTH;
        return { kind: "goes", seconds: this.#seconds(), atMs, code: undefined };
      default:
        return undefined;
    }
  }

  #clock(atMs: number): LeaderMove | undefined {
    if (atMs - (this.#clocks.at(-1) ?? atMs) > LONGEST_CLOCK_MS) this.#clocks = [];
    this.#clocks.push(atMs);
    if (this.#clocks.length > TEMPO_CLOCKS + 1) this.#clocks.shift();
    if (!this.#isRunning) return undefined;
    const seconds = this.#seconds();
    this.#next++;
    return { kind: "runs", seconds, atMs, code: undefined };
  }

  #seconds(): Seconds {
    return this.#beats.timeAt(this.#next / CLOCKS_PER_BEAT);
  }
}
