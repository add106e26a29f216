import type { PlayerSong } from "@followspot/contract";
import type { Card, PlayedSong, SongStart } from "@followspot/playing";
import { heardNow } from "../lib/heard-now.ts";
import { SoundingSong, type LoadedSong } from "./sounding-song.ts";

/** Sound card as the browser provides it. */
export class WebCard implements Card<LoadedSong> {
  readonly #context: AudioContext;
  readonly #delayMs: () => number;
  readonly #master: GainNode;
  /** Reduction during a talk, after the volume. */
  readonly #duck: GainNode;
  readonly #meters: readonly AnalyserNode[];
  readonly #samples = new Float32Array(1024);

  /**
   * @param delayMs delay from the card to the listeners, which cannot be measured here; added to the latency that the
   * card reports
   */
  constructor(context: AudioContext, delayMs: () => number) {
    this.#context = context;
    this.#delayMs = delayMs;
    this.#master = context.createGain();
    this.#duck = context.createGain();
    this.#master.connect(this.#duck).connect(context.destination);
    const sides = context.createChannelSplitter(2);
    this.#duck.connect(sides);
    this.#meters = [0, 1].map((side) => {
      const meter = context.createAnalyser();
      meter.fftSize = 1024;
      sides.connect(meter, side);
      return meter;
    });
  }

  now(): number {
    return this.#context.currentTime;
  }

  atEars(): number {
    return heardNow(this.#context) - this.#delayMs() / 1000;
  }

  isRunning(): boolean {
    return this.#context.state === "running";
  }

  play({ gain }: PlayerSong, loaded: LoadedSong, start: SongStart): PlayedSong {
    return new SoundingSong(this.#context, this.#master, gain, loaded, start);
  }

  setGain(gain: number): void {
    this.#master.gain.setTargetAtTime(gain, this.#context.currentTime, 0.02);
  }

  duck(gain: number, fadeSeconds: number): void {
    const now = this.#context.currentTime;
    const level = this.#duck.gain;
    const from = level.value;
    level.cancelScheduledValues(now);
    level.setValueAtTime(fadeSeconds > 0 ? from : gain, now);
    // Exponential: a constant rate in dB.
    if (fadeSeconds > 0) level.exponentialRampToValueAtTime(gain, now + fadeSeconds);
  }

  /** Returns the current RMS level of both channels, dB below full scale. */
  levels(): readonly number[] {
    return this.#meters.map((meter) => {
      meter.getFloatTimeDomainData(this.#samples);
      const power = this.#samples.reduce((sum, sample) => sum + sample * sample, 0) / this.#samples.length;
      return 10 * Math.log10(power + 1e-10);
    });
  }

  close(): void {
    this.#master.disconnect();
    this.#duck.disconnect();
  }
}
