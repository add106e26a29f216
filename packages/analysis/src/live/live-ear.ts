import { SOUND_RATE, type HeardSound } from "@followspot/contract";
import { HOP_RATE } from "../hear/rates.ts";
import { Energy } from "./energy.ts";
import { LevelMeter } from "./level-meter.ts";
import { LiveNetwork } from "./live-network.ts";
import { BEHIND_HOPS, LivePulse, ROUND_HOPS } from "./live-pulse.ts";
import { LiveSpectrum } from "./live-spectrum.ts";
import { Strikes } from "./strikes.ts";

/**
 * Analyzes incoming audio from the past alone. Levels and onsets are available within a hop of 10 ms. The network
 * detects beats half a second late; they are extrapolated from there, so that light can be on time.
 */
export class LiveEar {
  readonly #sampleRate: number;
  readonly #meter: LevelMeter;
  readonly #spectrum: LiveSpectrum;
  readonly #network = new LiveNetwork();
  readonly #energy = new Energy();
  /** Number of hops between the first of a round and the newest one. */
  readonly #strikes = new Strikes(ROUND_HOPS + BEHIND_HOPS);
  readonly #pulse = new LivePulse();
  #samples = 0;
  #onset = 0;

  /** @throws RangeError for a rate outside SOUND_RATE */
  constructor(sampleRate: number) {
    const { least, most, step } = SOUND_RATE;
    if (!(sampleRate >= least && sampleRate <= most) || sampleRate % step !== 0) {
      throw new RangeError(`sample rate ${sampleRate} is not a multiple of ${step} from ${least} to ${most}`);
    }
    this.#sampleRate = sampleRate;
    this.#meter = new LevelMeter(sampleRate);
    this.#spectrum = new LiveSpectrum(sampleRate);
  }

  /** Analyzes the next samples of one channel, ±1; NaN counts as silence. Returns the result after the last of them. */
  push(samples: Float32Array): HeardSound {
    const y = samples.map((x) => (Number.isFinite(x) ? Math.max(-1, Math.min(1, x)) : 0));
    this.#samples += y.length;
    this.#onset = 0;
    this.#meter.push(y, () => {
      this.#onset = Math.max(this.#onset, this.#meter.onset);
      if (!this.#meter.isSilent) this.#energy.push(this.#meter.decibels);
    });
    this.#spectrum.push(y, (row) => {
      this.#strikes.push(row);
      const activations = this.#network.push(row);
      if (activations) this.#pulse.push(activations, this.#strikes);
    });
    return {
      seconds: this.#samples / this.#sampleRate,
      isSilent: this.#meter.isSilent,
      ...this.#meter.levels,
      onset: this.#onset,
      energy: this.#energy.energy,
      surge: this.#energy.surge,
      pulse: this.#pulse.at((this.#samples / this.#sampleRate) * HOP_RATE),
    };
  }
}
