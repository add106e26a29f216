import type { HeardPulse } from "@followspot/contract";
import { clamp } from "../basics/maths.ts";
import { HOP_RATE } from "../hear/rates.ts";
import { HOPS_PER_FRAME } from "../network/forward.ts";
import { BarFinder } from "./bar-finder.ts";
import { BeatFilter } from "./beat-filter.ts";
import { BeatFollower } from "./beat-follower.ts";
import { CountFinder, type LiveCurves } from "./count-finder.ts";
import { AHEAD_FRAMES, ROUND_FRAMES, type LiveActivations } from "./live-network.ts";
import type { Strikes } from "./strikes.ts";

/** Hops between corrections of the follower by the filter's belief. */
const CORRECT_EVERY = 8;
/** Network activation at certain beats, and at which the confidence is 0. */
const SURE_BEAT = 0.4;
const NO_BEAT = 0.1;
/** Distance around a beat within which it is detected, hops, and number of beats over which clarity is averaged. */
const BEAT_REACH = 4;
const CLEAR_BEATS = 8;
/** Center of a network frame, between its two hops. */
const FRAME_CENTRE = (HOPS_PER_FRAME - 1) / 2;
export const ROUND_HOPS = ROUND_FRAMES * HOPS_PER_FRAME;
/** Delay of the filter behind the audio at the end of a round, hops. */
export const BEHIND_HOPS = AHEAD_FRAMES * HOPS_PER_FRAME + 1;

/** Detects beat and bars in the network's output so far: found by the filter, counted, and extrapolated. */
export class LivePulse {
  readonly #filter = new BeatFilter();
  readonly #counts = new CountFinder();
  readonly #follower = new BeatFollower();
  #bars = new BarFinder();
  /** Hops passed to the filter. */
  #filtered = 0;
  readonly #curves: LiveCurves = {
    beat: new Float32Array(ROUND_HOPS),
    downbeat: new Float32Array(ROUND_HOPS),
    kick: new Float32Array(ROUND_HOPS),
    snare: new Float32Array(ROUND_HOPS),
    low: new Float32Array(ROUND_HOPS),
    mid: new Float32Array(ROUND_HOPS),
  };
  readonly #before = { beat: 0, downbeat: 0, kick: 0, snare: 0 };
  /** The network's last activations, by hop. */
  #recent = new Float32Array(2 * BEAT_REACH + 1);
  #countedBeat = 0;
  #clearness = 0;
  /** Downbeat activation of the last frames, and the frame at which it begins. */
  #downbeats: number[] = [];
  #firstFrame = 0;
  #barredBeat = 0;

  /**
   * Processes the network's output for the frames of a round.
   *
   * @param struck the hops of these frames, and those after them
   */
  push(heard: LiveActivations, struck: Pick<Strikes, "low" | "mid">): void {
    this.#spread(heard);
    this.#curves.low.set(struck.low.subarray(0, ROUND_HOPS));
    this.#curves.mid.set(struck.mid.subarray(0, ROUND_HOPS));
    this.#counts.push(this.#curves);
    for (let h = 0; h < ROUND_HOPS; h++) {
      const activation = this.#curves.beat[h]!;
      this.#filter.push(activation);
      this.#recent[this.#filtered % this.#recent.length] = activation;
      this.#filtered++;
      this.#listenToBeat();
      if (this.#filtered % CORRECT_EVERY === 0) this.#correct(ROUND_HOPS - 1 - h);
    }
    this.#findBars(heard.downbeat);
  }

  /** @param hop time in hops, which may be ahead of the audio */
  at(hop: number): HeardPulse | undefined {
    if (!this.#follower.isFollowing) return undefined;
    const { beats, downbeat } = this.#bars.best;
    return {
      beat: this.#follower.at(hop),
      bpm: 60 * HOP_RATE * this.#follower.perHop,
      confidence: this.#follower.confidence * clamp((this.#clearness - NO_BEAT) / (SURE_BEAT - NO_BEAT)),
      beatsPerBar: beats,
      downbeat,
    };
  }

  /** Interpolates linearly between the centers of the frames, hop by hop. */
  #spread(heard: LiveActivations): void {
    for (const name of ["beat", "downbeat", "kick", "snare"] as const) {
      for (let f = 0; f < ROUND_FRAMES; f++) {
        const before = this.#before[name];
        this.#before[name] = heard[name][f]!;
        for (let h = 0; h < HOPS_PER_FRAME; h++)
          this.#curves[name][f * HOPS_PER_FRAME + h] =
            before + (heard[name][f]! - before) * ((h + FRAME_CENTRE) / HOPS_PER_FRAME);
      }
    }
  }

  /** Updates how clearly the network detects the counted beats, because the filter finds some beat in any noise. */
  #listenToBeat(): void {
    const beat = Math.floor(this.#follower.at(this.#hopOfFilter() - BEAT_REACH));
    if (beat === this.#countedBeat) return;
    this.#countedBeat = beat;
    this.#clearness += (Math.max(...this.#recent) - this.#clearness) / CLEAR_BEATS;
  }

  #correct(ago: number): void {
    const { step } = this.#counts;
    const hop = this.#hopOfFilter();
    this.#follower.correct(this.#counts.count(this.#filter.believe(), hop, ago), hop);
    // At another level, the beat numbers mean other positions in the bar.
    if (this.#counts.step !== step) this.#bars = new BarFinder();
  }

  /**
   * Returns the hop of the song at which the filter is: rounds begin with the first frame, but the first outputs are
   * empty.
   */
  #hopOfFilter(): number {
    return this.#filtered - 1 - BEHIND_HOPS;
  }

  #findBars(downbeat: Float32Array): void {
    this.#downbeats.push(...downbeat);
    const end = this.#hopOfFilter() - HOPS_PER_FRAME * 2;
    while (this.#follower.isFollowing) {
      const hop = this.#hopOfBeat(this.#barredBeat);
      if (hop > end) break;
      const frame = Math.round(hop / HOPS_PER_FRAME) + AHEAD_FRAMES - this.#firstFrame;
      const around = this.#downbeats.slice(Math.max(0, frame - 2), Math.max(0, frame + 3));
      if (around.length > 0) this.#bars.push(this.#barredBeat, Math.max(...around));
      this.#barredBeat++;
    }
    const old = this.#downbeats.length - 8 * ROUND_FRAMES;
    if (old > 0) {
      this.#downbeats = this.#downbeats.slice(old);
      this.#firstFrame += old;
    }
  }

  #hopOfBeat(beat: number): number {
    const now = this.#hopOfFilter();
    return now + (beat - this.#follower.at(now)) / this.#follower.perHop;
  }
}
