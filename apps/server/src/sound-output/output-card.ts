import type { PlayerSong } from "@followspot/contract";
import {
  FrameClock,
  levelOf,
  levelsOfBlock,
  LoudestLevels,
  Mixer,
  type Card,
  type PlayedSong,
  type SongStart,
} from "@followspot/playing";
import type { DecodedSong } from "./decoded-songs.ts";
import type { SoundSink } from "./sound-sink.ts";

/** 10 ms at 44.1 kHz: 3528 bytes, which a pipe takes at once or not at all. */
const BLOCK_FRAMES = 441;

/**
 * A mixer and where its sound goes. What is handed on is heard `delayMs` later; how fast it is taken is the clock of what plays
 * it, and the promptest of the last takings tells that clock.
 */
export class OutputCard implements Card<DecodedSong> {
  /** How loud what was handed on was. */
  readonly loudest = new LoudestLevels();
  readonly #mixer: Mixer;
  readonly #delayMs: number;
  #clock: FrameClock;
  #sink: SoundSink | undefined;
  /** Mixed, and not yet taken. */
  #waiting: Float32Array<ArrayBuffer> | undefined;

  constructor(rate: number, delayMs: number) {
    this.#mixer = new Mixer(rate);
    this.#delayMs = delayMs;
    this.#clock = new FrameClock(rate);
  }

  /** @param sink undefined: nothing takes sound, and the clock stands */
  connect(sink: SoundSink | undefined): void {
    this.#sink = sink;
    this.#clock = new FrameClock(this.#mixer.rate);
  }

  /** Hands on as much as is taken. Called all the time. */
  pump(): void {
    while (this.#sink) {
      this.#waiting ??= this.#mixer.mix(BLOCK_FRAMES);
      const { buffer, byteLength } = this.#waiting;
      if (!this.#sink.write(new Uint8Array(buffer, 0, byteLength))) return;
      this.loudest.hear(levelsOfBlock(this.#waiting));
      this.#waiting = undefined;
      this.#clock.see(this.#mixer.frame, this.#mixer.frame, performance.now());
    }
  }

  now(): number {
    return this.#mixer.frame / this.#mixer.rate;
  }

  atEars(): number {
    const frame = this.#clock.frameAt(performance.now()) ?? this.#mixer.frame;
    return frame / this.#mixer.rate - this.#delayMs / 1000;
  }

  isRunning(): boolean {
    return this.#sink !== undefined;
  }

  play({ gain }: PlayerSong, song: DecodedSong, { at, from, levelDb, fadeSeconds = 0 }: SongStart): PlayedSong {
    return this.#mixer.play(song, { at, from, fadeSeconds, level: levelOf(gain, song.peak, levelDb) });
  }

  setGain(gain: number): void {
    this.#mixer.setGain(gain);
  }
}
