import type { Layer } from "./forward.ts";

/** Weights of the trained mask network; training/stems/network.py is the same network in PyTorch. */
export interface MaskNetworkWeights {
  readonly bands: number;
  readonly channels: number;
  /** Number of bands that the trunk combines into one. */
  readonly pool: number;
  /** [channels × bands] */
  readonly mean: Float64Array;
  readonly deviation: Float64Array;
  /** Convolutions over 3 hops × 3 bands, two before the trunk and two after; the first has a bias per band. */
  readonly local: readonly DilatedLayer[];
  /** weights [trunk × (width × bands / pool)] */
  readonly gather: Layer;
  readonly blocks: readonly { readonly dilated: DilatedLayer; readonly merge: Layer }[];
  /** weights [(width × bands / pool) × trunk] */
  readonly spread: Layer;
  /** weights [answers × width], a bias per answer and band */
  readonly output: Layer;
}

interface DilatedLayer extends Layer {
  /** Hops between the three that it reads. */
  readonly dilation: number;
}

/**
 * Runs the mask network hop by hop. Every convolution stores the few hops it reads, so that memory does not depend on
 * the length of the song; the input before the song is zero.
 */
export class MaskNetwork {
  readonly #weights: MaskNetworkWeights;
  readonly #before: readonly BandConvolution[];
  readonly #blocks: readonly TrunkBlock[];
  readonly #after: readonly BandConvolution[];
  /** Output of the first convolutions, until the trunk has evaluated the hop. */
  readonly #waiting: Float64Array[] = [];
  /** Hops it needs after one before it can return the result of that one. */
  readonly lookAhead: number;

  constructor(weights: MaskNetworkWeights) {
    this.#weights = weights;
    const convolutions = weights.local.map(
      (layer, n) => new BandConvolution(layer, n === 0 ? weights.channels : undefined, weights.bands),
    );
    this.#before = convolutions.slice(0, 2);
    this.#after = convolutions.slice(2);
    this.#blocks = weights.blocks.map(({ dilated, merge }) => new TrunkBlock(dilated, merge));
    const dilations = [...weights.local, ...weights.blocks.map(({ dilated }) => dilated)];
    this.lookAhead = dilations.reduce((sum, { dilation }) => sum + dilation, 0);
  }

  /**
   * @param input [channels × bands]
   * @returns logits [answers × bands] of the hop pushed `lookAhead` hops ago
   */
  push(input: Float32Array): Float64Array | undefined {
    const { mean, deviation } = this.#weights;
    let x: Float64Array | undefined = Float64Array.from(input, (v, i) => (v - mean[i]!) / deviation[i]!);
    for (const convolution of this.#before) if (!(x = convolution.push(x))) return undefined;
    this.#waiting.push(x);
    let trunk: Float64Array | undefined = this.#gather(x);
    for (const block of this.#blocks) if (!(trunk = block.push(trunk))) return undefined;
    x = this.#spread(trunk, this.#waiting.shift()!);
    for (const convolution of this.#after) if (!(x = convolution.push(x))) return undefined;
    return this.#answer(x);
  }

  #gather(x: Float64Array): Float64Array {
    const { pool, gather } = this.#weights;
    const coarse = new Float64Array(x.length / pool);
    for (let i = 0; i < x.length; i++) coarse[Math.floor(i / pool)]! += x[i]! / pool;
    return rectified(applied(gather, coarse));
  }

  #spread(trunk: Float64Array, x: Float64Array): Float64Array {
    const { pool, spread } = this.#weights;
    const wide = applied(spread, rectified(trunk));
    return rectified(x.map((v, i) => v + wide[Math.floor(i / pool)]!));
  }

  #answer(x: Float64Array): Float64Array {
    const { bands, output } = this.#weights;
    const logits = output.bias.slice();
    const width = x.length / bands;
    for (let o = 0; o < logits.length / bands; o++) {
      for (let c = 0; c < width; c++) {
        const w = output.weights[o * width + c]!;
        for (let b = 0; b < bands; b++) logits[o * bands + b]! += w * x[c * bands + b]!;
      }
    }
    return logits;
  }
}

/** The last hops that a dilated convolution with three taps reads. */
class History {
  readonly rows: Float64Array[];
  readonly #dilation: number;
  #pushed = 0;

  constructor(dilation: number, values: number) {
    this.#dilation = dilation;
    this.rows = Array.from({ length: 2 * dilation + 1 }, () => new Float64Array(values));
  }

  /** @returns whether the middle row is a hop of the song */
  push(row: Float64Array): boolean {
    this.rows.shift();
    this.rows.push(row);
    return ++this.#pushed > this.#dilation;
  }

  /** Rows under the three taps. */
  get taps(): [Float64Array, Float64Array, Float64Array] {
    return [this.rows[0]!, this.rows[this.#dilation]!, this.rows[2 * this.#dilation]!];
  }
}

/** 3 × 3 convolution over hops and bands, rectified; residual if input and output have equally many channels. */
class BandConvolution {
  readonly #layer: Layer;
  readonly #channels: number;
  readonly #bands: number;
  readonly #isResidual: boolean;
  readonly #history: History;

  constructor(layer: DilatedLayer, channels: number | undefined, bands: number) {
    this.#layer = layer;
    this.#isResidual = channels === undefined;
    this.#channels = channels ?? layer.bias.length;
    this.#bands = bands;
    this.#history = new History(layer.dilation, this.#channels * bands);
  }

  /** @param row [channels × bands] @returns the row of the hop pushed `dilation` hops ago */
  push(row: Float64Array): Float64Array | undefined {
    if (!this.#history.push(row)) return undefined;
    const { weights, bias } = this.#layer;
    const bands = this.#bands;
    const inputs = 9 * this.#channels;
    const width = weights.length / inputs;
    const biases = bias.length / width;
    const out = new Float64Array(width * bands);
    const taps = this.#history.taps;
    // Two outputs at a time, so that each value read from a band serves both.
    for (let o = 0; o < width; o += 2) {
      const first = out.subarray(o * bands, (o + 1) * bands);
      const second = out.subarray((o + 1) * bands, (o + 2) * bands);
      for (let b = 0; b < bands; b++) {
        first[b] = bias[o * biases + (biases > 1 ? b : 0)]!;
        second[b] = bias[(o + 1) * biases + (biases > 1 ? b : 0)]!;
      }
      for (let c = 0; c < this.#channels; c++) {
        for (let k = 0; k < 3; k++) {
          const w = o * inputs + c * 9 + k * 3;
          const v = w + inputs;
          const w0 = weights[w]!;
          const w1 = weights[w + 1]!;
          const w2 = weights[w + 2]!;
          const v0 = weights[v]!;
          const v1 = weights[v + 1]!;
          const v2 = weights[v + 2]!;
          const x = taps[k]!;
          let at = c * bands;
          let below = 0;
          let same = x[at]!;
          for (let b = 0; b < bands; b++) {
            const above = b + 1 < bands ? x[++at]! : 0;
            first[b]! += w0 * below + w1 * same + w2 * above;
            second[b]! += v0 * below + v1 * same + v2 * above;
            below = same;
            same = above;
          }
        }
      }
    }
    const centre = taps[1];
    for (let i = 0; i < out.length; i++) out[i] = Math.max(0, out[i]!) + (this.#isResidual ? centre[i]! : 0);
    return out;
  }
}

/** A dilated convolution over hops, rectified, merged and added to its input. */
class TrunkBlock {
  readonly #dilated: Layer;
  readonly #merge: Layer;
  readonly #history: History;

  constructor(dilated: DilatedLayer, merge: Layer) {
    this.#dilated = dilated;
    this.#merge = merge;
    this.#history = new History(dilated.dilation, dilated.bias.length);
  }

  /** @returns the row of the hop pushed `dilation` hops ago */
  push(row: Float64Array): Float64Array | undefined {
    if (!this.#history.push(row)) return undefined;
    const taps = this.#history.taps;
    const width = row.length;
    const read = new Float64Array(3 * width);
    taps.forEach((tap, k) => read.set(tap, k * width));
    const merged = applied(this.#merge, rectified(applied(this.#dilated, read)));
    return merged.map((v, i) => v + taps[1][i]!);
  }
}

/** weights · x + bias */
function applied({ weights, bias }: Layer, x: Float64Array): Float64Array {
  return bias.map((start, o) => {
    let sum = start;
    for (let i = 0; i < x.length; i++) sum += weights[o * x.length + i]! * x[i]!;
    return sum;
  });
}

function rectified(x: Float64Array): Float64Array {
  return x.map((v) => Math.max(0, v));
}
