import { SOUND_RATE, type HeardPulse, type HeardSound } from "@followspot/contract";
import { clamp } from "../basics/maths.ts";
import { HOP_RATE } from "../hear/rates.ts";
import { HOPS_PER_FRAME } from "../network/forward.ts";
import { BarFinder } from "./bar-finder.ts";
import { BeatFilter } from "./beat-filter.ts";
import { BeatFollower } from "./beat-follower.ts";
import { Energy } from "./energy.ts";
import { LevelMeter } from "./level-meter.ts";
import { AHEAD_FRAMES, LiveNetwork, ROUND_FRAMES, type LiveActivations } from "./live-network.ts";
import { LiveSpectrum } from "./live-spectrum.ts";

/** The follower is drawn to the filter's belief so often, hops. */
const CORRECT_EVERY = 8;
/** What the network says at beats nobody would doubt, and where doubt is complete. */
const SURE_BEAT = 0.4;
const NO_BEAT = 0.1;
/** Beats are heard around a place by so many hops, and their clearness over so many beats. */
const BEAT_REACH = 4;
const CLEAR_BEATS = 8;
/** A frame of the network lies between its two hops. */
const FRAME_CENTRE = (HOPS_PER_FRAME - 1) / 2;

/**
 * Hears sound while it comes in, from the past alone. Loudness and what is struck are known within a hop of 10 ms. The
 * beat is heard by the network half a second late and foretold from there, so that light can come on it.
 */
export class LiveEar {
  readonly #sampleRate: number;
  readonly #meter: LevelMeter;
  readonly #spectrum: LiveSpectrum;
  readonly #network = new LiveNetwork();
  readonly #energy = new Energy();
  readonly #filter = new BeatFilter();
  readonly #follower = new BeatFollower();
  readonly #bars = new BarFinder();
  #samples = 0;
  /** Hops the filter has been given. */
  #filtered = 0;
  #lastActivation = 0;
  /** The network's last answers, by hop. */
  #recent = new Float32Array(2 * BEAT_REACH + 1);
  #countedBeat = 0;
  #clearness = 0;
  /** Downbeat activation of the last frames, and the frame it begins at. */
  #downbeats: number[] = [];
  #firstFrame = 0;
  #barredBeat = 0;
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

  /** The next samples of one channel, ±1; what is no number is silence. Returns what is heard after the last of them. */
  push(samples: Float32Array): HeardSound {
    const y = samples.map((x) => (Number.isFinite(x) ? Math.max(-1, Math.min(1, x)) : 0));
    this.#samples += y.length;
    this.#onset = 0;
    this.#meter.push(y, () => {
      this.#onset = Math.max(this.#onset, this.#meter.onset);
      if (!this.#meter.isSilent) this.#energy.push(this.#meter.decibels);
    });
    this.#spectrum.push(y, (row) => {
      const activations = this.#network.push(row);
      if (activations) this.#follow(activations);
    });
    return {
      seconds: this.#samples / this.#sampleRate,
      isSilent: this.#meter.isSilent,
      ...this.#meter.levels,
      onset: this.#onset,
      energy: this.#energy.energy,
      surge: this.#energy.surge,
      pulse: this.#pulse(),
    };
  }

  /** What the network heard of the frames of a round: straight lines between their centres, hop by hop. */
  #follow({ beat, downbeat }: LiveActivations): void {
    for (let f = 0; f < ROUND_FRAMES; f++) {
      const before = this.#lastActivation;
      this.#lastActivation = beat[f]!;
      for (let h = 0; h < HOPS_PER_FRAME; h++) {
        const share = (h + FRAME_CENTRE) / HOPS_PER_FRAME;
        const activation = before + (beat[f]! - before) * share;
        this.#filter.push(activation);
        this.#recent[this.#filtered % this.#recent.length] = activation;
        this.#filtered++;
        this.#listenToBeat();
        if (this.#filtered % CORRECT_EVERY === 0) this.#correct();
      }
    }
    this.#findBars(downbeat);
  }

  /** How plainly the network hears the beats that are counted: the filter finds some beat in any noise. */
  #listenToBeat(): void {
    const beat = Math.floor(this.#follower.at(this.#hopOfFilter() - BEAT_REACH));
    if (beat === this.#countedBeat) return;
    this.#countedBeat = beat;
    this.#clearness += (Math.max(...this.#recent) - this.#clearness) / CLEAR_BEATS;
  }

  #correct(): void {
    this.#follower.correct(this.#filter.believe(), this.#hopOfFilter());
  }

  /** The hop of the song the filter stands at: rounds begin with the first frame, but the first answers are of nothing. */
  #hopOfFilter(): number {
    return this.#filtered - 1 - AHEAD_FRAMES * HOPS_PER_FRAME - 1;
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

  #pulse(): HeardPulse | undefined {
    if (!this.#follower.isFollowing) return undefined;
    const { beats, downbeat } = this.#bars.best;
    return {
      beat: this.#follower.at((this.#samples / this.#sampleRate) * HOP_RATE),
      bpm: 60 * HOP_RATE * this.#follower.perHop,
      confidence: this.#follower.confidence * clamp((this.#clearness - NO_BEAT) / (SURE_BEAT - NO_BEAT)),
      beatsPerBar: beats,
      downbeat,
    };
  }
}
