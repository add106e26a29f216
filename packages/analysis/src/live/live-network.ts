import { loadNetwork } from "../network/activations.ts";
import { HOPS_PER_FRAME, readSpectrum, readTrunk, type Network } from "../network/forward.ts";
import { INPUT_BANDS } from "../network/input.ts";

/** Frames of the past the network looks at: 5 s. */
const WINDOW = 256;
/** It answers once in so many frames, for it costs as much for one as for all. */
export const ROUND_FRAMES = 16;
/** Frames it has heard after the ones it answers for; measured in decision 041. */
export const AHEAD_FRAMES = 8;
/** Frames beside each one the front end needs. */
const MARGIN = 2;

/** What the network says of frames, oldest first, 0..1. */
export interface LiveActivations {
  readonly beat: Float32Array;
  readonly downbeat: Float32Array;
  readonly kick: Float32Array;
  readonly snare: Float32Array;
}

/**
 * The trained network on sound that has no end yet. It was trained with the future of each frame in view, and hears well
 * with a sixth of a second of it; so it answers late, and the beat follower foretells the beat from there.
 */
export class LiveNetwork {
  readonly #network: Network = (loaded ??= loadNetwork());
  readonly #heads = ["beat", "downbeat", "kick", "snare"].map((name) => this.#network.heads.indexOf(name));
  readonly #width = this.#network.mix.bias.length;
  /** Rows of the frames of a round and what lies beside them. */
  readonly #input = new Float32Array((ROUND_FRAMES + 2 * MARGIN) * HOPS_PER_FRAME * INPUT_BANDS);
  readonly #found = new Float64Array((ROUND_FRAMES + 2 * MARGIN + 1) * this.#width);
  /** What the front end found in the frames of the window, the newest at the end. */
  readonly #trunk = new Float64Array(WINDOW * this.#width);
  readonly #work = new Float64Array((WINDOW + 1) * this.#width);
  #hops = 0;

  /** @returns what is known now of the next ROUND_FRAMES frames, the last of them AHEAD_FRAMES ago; most often nothing */
  push(row: Float32Array): LiveActivations | undefined {
    const input = this.#input;
    input.copyWithin(0, INPUT_BANDS);
    input.set(row, input.length - INPUT_BANDS);
    this.#hops++;
    if (this.#hops % (ROUND_FRAMES * HOPS_PER_FRAME) !== 0) return undefined;
    this.#readNewFrames();
    return this.#answer();
  }

  /** The newest frames are read as if nothing came after them, and once more when something has. */
  #readNewFrames(): void {
    const frames = this.#input.length / (HOPS_PER_FRAME * INPUT_BANDS);
    const width = this.#width;
    this.#found.fill(0);
    readSpectrum(this.#network, this.#input, this.#found, MARGIN, frames, frames);
    const news = this.#found.subarray(MARGIN * width, frames * width);
    this.#trunk.copyWithin(0, ROUND_FRAMES * width);
    this.#trunk.set(news, this.#trunk.length - news.length);
  }

  #answer(): LiveActivations {
    this.#work.set(this.#trunk);
    this.#work.fill(0, this.#trunk.length);
    const end = WINDOW - AHEAD_FRAMES;
    const from = end - ROUND_FRAMES;
    const curves = readTrunk(this.#network, this.#work, WINDOW, from);
    const [beat, downbeat, kick, snare] = this.#heads.map((head) => curves[head]!.slice(from, end));
    return { beat: beat!, downbeat: downbeat!, kick: kick!, snare: snare! };
  }
}

let loaded: Network | undefined;
