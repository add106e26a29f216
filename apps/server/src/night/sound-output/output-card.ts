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

/** Frames per block, 10 ms at 44.1 kHz: 3528 bytes, which a pipe accepts completely or not at all. */
const BLOCK_FRAMES = 441;

/**
 * A mixer with its sink. Sound is audible `delayMs` after it was written. The rate at which the sink accepts sound is
 * the clock of the sound card, estimated from the promptest of the last writes.
 */
export class OutputCard implements Card<DecodedSong> {
  /** Peak levels of the sound written. */
  readonly loudest = new LoudestLevels();
  readonly #mixer: Mixer;
  readonly #delayMs: number;
  #clock: FrameClock;
  #sink: SoundSink | undefined;
  /** Mixed block that the sink has not accepted yet. */
  #waiting: Float32Array<ArrayBuffer> | undefined;

  constructor(rate: number, delayMs: number) {
    this.#mixer = new Mixer(rate);
    this.#delayMs = delayMs;
    this.#clock = new FrameClock(rate);
  }

  /** @param sink undefined: nothing accepts sound, and the clock stands */
  connect(sink: SoundSink | undefined): void {
    this.#sink = sink;
    this.#clock = new FrameClock(this.#mixer.rate);
  }

  /** Writes as much as the sink accepts. Called continuously. */
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

  duck(gain: number, fadeSeconds: number): void {
    this.#mixer.duck(gain, fadeSeconds);
  }
}
