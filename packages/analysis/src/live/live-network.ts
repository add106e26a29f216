import { loadNetwork } from "../network/activations.ts";
import { HOPS_PER_FRAME, readSpectrum, readTrunk, type Network } from "../network/forward.ts";
import { INPUT_BANDS } from "../network/input.ts";

/** Past frames that the network sees: 5 s. */
const WINDOW = 256;
/** Frames per run of the network, because one frame costs as much as all of them. */
export const ROUND_FRAMES = 16;
/** Frames after those it evaluates; measured in decision 041. */
export const AHEAD_FRAMES = 8;
/** Frames on either side of each frame that the front end needs. */
const MARGIN = 2;

/** Outputs of the network per frame, oldest first, 0..1. */
export interface LiveActivations {
  readonly beat: Float32Array;
  readonly downbeat: Float32Array;
  readonly kick: Float32Array;
  readonly snare: Float32Array;
}

/**
 * Runs the trained network on audio that has not ended. It was trained with the future of each frame in view, and
 * performs well with a sixth of a second of it. Therefore its output is late, and the beat follower extrapolates the
 * beat from there.
 */
export class LiveNetwork {
  readonly #network: Network = (loaded ??= loadNetwork());
  readonly #heads = ["beat", "downbeat", "kick", "snare"].map((name) => this.#network.heads.indexOf(name));
  readonly #width = this.#network.mix.bias.length;
  /** Rows of the frames of a round and of their margins. */
  readonly #input = new Float32Array((ROUND_FRAMES + 2 * MARGIN) * HOPS_PER_FRAME * INPUT_BANDS);
  readonly #found = new Float64Array((ROUND_FRAMES + 2 * MARGIN + 1) * this.#width);
  /** Output of the front end for the frames of the window, newest last. */
  readonly #trunk = new Float64Array(WINDOW * this.#width);
  readonly #work = new Float64Array((WINDOW + 1) * this.#width);
  #hops = 0;

  /** @returns the activations of the next ROUND_FRAMES frames, the last of them AHEAD_FRAMES ago; usually undefined */
  push(row: Float32Array): LiveActivations | undefined {
    const input = this.#input;
    input.copyWithin(0, INPUT_BANDS);
    input.set(row, input.length - INPUT_BANDS);
    this.#hops++;
    if (this.#hops % (ROUND_FRAMES * HOPS_PER_FRAME) !== 0) return undefined;
    this.#readNewFrames();
    return this.#answer();
  }

  /** Reads the newest frames as if the audio ended there; they are read again once more audio has arrived. */
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
