import { clamp } from "../basics/maths.ts";
import { HOP_RATE } from "../hear/rates.ts";

/** Level below which sound is silence, and the slightly higher level at which silence ends, dB of full scale. */
const SILENT_DB = -60;
const HEARD_DB = -54;
/** Sound this far below the recent maximum is only noise, dB. */
const NOISE_DB = 45;
const FLOOR_DB = -90;
/** Range of a level below the recent maximum, dB. */
const RANGE_DB = 24;
const RELEASE_SECONDS = 0.12;
/** Decay of the recent maximum, dB per second. */
const FORGET_DB = 0.7;
/** Crossovers, Hz. */
const BASS_HZ = 150;
const HIGH_HZ = 2500;
const RUMBLE_HZ = 25;
/** Rise of a band over its last 200 ms that counts as an onset, and the rise of the strongest onset, dB. */
const STRUCK_DB = 5;
const HARDEST_DB = 20;

/**
 * Measures the level of three bands without delay. It uses time-domain filters, because a transform would have to wait
 * for its window. Yields one value per hop, each 0..1 relative to recent sound.
 */
export class LevelMeter {
  readonly #hop: number;
  readonly #rumble: OnePole;
  readonly #low: OnePole;
  readonly #low2: OnePole;
  readonly #high: OnePole;
  readonly #high2: OnePole;
  readonly #bands = { bass: new Band(), mid: new Band(), high: new Band(), all: new Band() };
  #count = 0;
  #isSilent = true;
  readonly #sums = new Float64Array(4);

  constructor(sampleRate: number) {
    this.#hop = sampleRate / HOP_RATE;
    this.#rumble = new OnePole(RUMBLE_HZ, sampleRate);
    this.#low = new OnePole(BASS_HZ, sampleRate);
    this.#low2 = new OnePole(BASS_HZ, sampleRate);
    this.#high = new OnePole(HIGH_HZ, sampleRate);
    this.#high2 = new OnePole(HIGH_HZ, sampleRate);
  }

  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** Level of the last hop, dB of full scale. */
  get decibels(): number {
    return this.#bands.all.hopDb;
  }

  get levels(): { readonly level: number; readonly bass: number; readonly mid: number; readonly high: number } {
    const { bass, mid, high, all } = this.#bands;
    if (this.#isSilent) return { level: 0, bass: 0, mid: 0, high: 0 };
    return { level: all.level, bass: bass.level, mid: mid.level, high: high.level };
  }

  /** Strength of the onset in the last hop, 0..1. */
  get onset(): number {
    const { bass, mid, high, all } = this.#bands;
    if (this.#isSilent) return 0;
    const rise = Math.max(all.rise, bass.rise, 0.7 * mid.rise, 0.6 * high.rise);
    return clamp((rise - STRUCK_DB) / (HARDEST_DB - STRUCK_DB));
  }

  /** @param y finite samples @param onHop called after each hop */
  push(y: Float32Array, onHop: () => void): void {
    const sums = this.#sums;
    for (let i = 0; i < y.length; i++) {
      const x = y[i]! - this.#rumble.push(y[i]!);
      const bass = this.#low2.push(this.#low.push(x));
      const treble = x - this.#high.push(x);
      const high = treble - this.#high2.push(treble);
      const mid = x - bass - high;
      sums[0]! += bass * bass;
      sums[1]! += mid * mid;
      sums[2]! += high * high;
      sums[3]! += x * x;
      if (++this.#count < this.#hop) continue;
      this.#closeHop();
      onHop();
    }
  }

  #closeHop(): void {
    const { bass, mid, high, all } = this.#bands;
    [bass, mid, high, all].forEach((band, i) => band.push(decibelsOf(this.#sums[i]! / this.#count)));
    this.#sums.fill(0);
    this.#count = 0;
    const threshold = Math.max(this.#isSilent ? HEARD_DB : SILENT_DB, all.loudest - NOISE_DB);
    this.#isSilent = all.envelope < threshold;
  }
}

/** Level of one band over time. */
class Band {
  hopDb = FLOOR_DB;
  /** Envelope with instant attack and slow release, dB. */
  envelope = FLOOR_DB;
  loudest = FLOOR_DB;
  /** Rise over the louder of the preceding hop and the mean of the last 200 ms, dB. */
  rise = 0;
  readonly #before = new Float64Array(Math.round(0.2 * HOP_RATE)).fill(FLOOR_DB);
  #at = 0;

  push(db: number): void {
    let sum = 0;
    for (const value of this.#before) sum += value;
    this.rise = this.hopDb < db ? db - Math.max(this.hopDb, sum / this.#before.length) : 0;
    this.#before[this.#at++ % this.#before.length] = db;
    this.hopDb = db;
    // 24 dB in the decay time of a struck drum.
    this.envelope = Math.max(db, this.envelope - RANGE_DB / (4 * RELEASE_SECONDS * HOP_RATE));
    this.loudest = Math.max(this.envelope, this.loudest - FORGET_DB / HOP_RATE);
  }

  get level(): number {
    return clamp(1 - (this.loudest - this.envelope) / RANGE_DB);
  }
}

class OnePole {
  readonly #share: number;
  #value = 0;

  constructor(hz: number, sampleRate: number) {
    this.#share = 1 - Math.exp((-2 * Math.PI * hz) / sampleRate);
  }

  /** Returns the low-passed sample. */
  push(x: number): number {
    this.#value += (x - this.#value) * this.#share;
    // Denormals slow a filter down by a factor of hundreds in digital silence.
    if (Math.abs(this.#value) < 1e-20) this.#value = 0;
    return this.#value;
  }
}

function decibelsOf(power: number): number {
  return power > 0 ? Math.max(FLOOR_DB, 10 * Math.log10(power)) : FLOOR_DB;
}
