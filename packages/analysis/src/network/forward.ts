/** Weights of one layer, as exported: batch normalization is already folded in. */
export interface Layer {
  /** One row per output; the layout of a row is documented where the layer is used. */
  readonly weights: Float64Array;
  /** One per output. */
  readonly bias: Float64Array;
}

/**
 * The trained network; training/network.py is the same network in PyTorch. Spectral convolutions have an even number of
 * outputs, and the trunk's width is a multiple of four.
 */
export interface Network {
  readonly bands: number;
  /** Names of the outputs, in order. */
  readonly heads: readonly string[];
  /** Mean and deviation of each band over the training songs. */
  readonly mean: Float64Array;
  readonly deviation: Float64Array;
  /** Spectral convolutions, 3 frames × 3 bands; weights [out × (in × 3 × 3)]. */
  readonly spectral: readonly [Layer, Layer];
  /** From the front end's output per frame to the trunk; weights [width × (channels × bands)]. */
  readonly mix: Layer;
  /** Blocks of the trunk, in order. */
  readonly blocks: readonly Block[];
  /** weights [heads × width] */
  readonly output: Layer;
}

export interface Block {
  readonly dilation: number;
  /** weights [width × (kernel × width)] */
  readonly dilated: Layer;
  /** weights [width × width] */
  readonly merge: Layer;
}

/** Hops per frame of the network. */
export const HOPS_PER_FRAME = 2;
/** Bands that are pooled into one after each spectral convolution. */
const POOL = 4;
const KERNEL = 5;
/** Frames that the front end reads at a time, so that its wide layers stay small whatever the song's length. */
const BLOCK_FRAMES = 512;

/**
 * Runs the network over a whole song.
 *
 * @param input shape [hops × bands] at HOP_RATE
 * @returns probability of each head per frame, heads[i] of shape [frames]; one frame is two hops
 */
export function runNetwork(network: Network, input: Float32Array): Float32Array[] {
  const frames = Math.floor(input.length / network.bands / HOPS_PER_FRAME);
  const width = network.mix.bias.length;
  const trunk = new Float64Array((frames + 1) * width);
  for (let from = 0; from < frames; from += BLOCK_FRAMES) {
    readSpectrum(network, input, trunk, from, Math.min(frames, from + BLOCK_FRAMES), frames);
  }
  return readTrunk(network, trunk, frames);
}

/**
 * Runs the blocks and the heads on the front end's output.
 *
 * @param trunk shape [frames + 1, width], the last row zero; overwritten
 * @param from first frame to compute, even; frames that only earlier ones need are skipped
 * @returns probability of each head, heads[i] of shape [frames]; zeros before `from`
 */
export function readTrunk(network: Network, trunk: Float64Array, frames: number, from = 0): Float32Array[] {
  const inner = new Float64Array(trunk.length);
  const starts = blockStarts(network.blocks, frames, from);
  network.blocks.forEach(({ dilation, dilated, merge }, i) => {
    dilate(dilated, trunk, inner, frames, dilation, starts[i]!);
    addMerged(merge, inner, trunk, frames, starts[i]!);
  });
  return conclude(network, trunk, frames, from);
}

/** Returns the first frame that each block must compute, even. Taps before frame 0 require nothing. */
function blockStarts(blocks: readonly Block[], frames: number, from: number): number[] {
  const starts: number[] = [];
  let need = from;
  for (const { dilation } of blocks.toReversed()) {
    starts.unshift(need);
    // The furthest tap of the last frame that is still inside; frames before it may have none.
    const reach = [2, 1].find((tap) => frames - 1 - tap * dilation >= 0) ?? 0;
    if (reach > 0) need = Math.max(0, need - reach * dilation) & ~1;
  }
  return starts;
}

/** Runs the front end over frames [from, to): two spectral convolutions, each pooled, then the mix into the trunk. */
export function readSpectrum(
  network: Network,
  input: Float32Array,
  trunk: Float64Array,
  from: number,
  to: number,
  frames: number,
): void {
  const { bands, mean, deviation, spectral, mix } = network;
  // Each convolution needs one frame on either side of the block; frames outside the song stay zero.
  const heard = new Plane(HOPS_PER_FRAME, from - 2, to + 2, bands);
  for (let f = Math.max(0, from - 2); f < Math.min(frames, to + 2); f++) {
    for (let c = 0; c < HOPS_PER_FRAME; c++) {
      const row = (f * HOPS_PER_FRAME + c) * bands;
      const at = heard.row(c, f);
      for (let b = 0; b < bands; b++) heard.values[at + b] = (input[row + b]! - mean[b]!) / deviation[b]!;
    }
  }
  const first = convolveAndPool(spectral[0], heard, Math.max(0, from - 1), Math.min(frames, to + 1), from - 1, to + 1);
  const second = convolveAndPool(spectral[1], first, from, to, from, to);
  const columns = second.channels * second.bands;
  const row = new Float64Array(columns);
  const width = mix.bias.length;
  for (let f = from; f < to; f++) {
    for (let c = 0; c < second.channels; c++) {
      const at = second.row(c, f);
      for (let b = 0; b < second.bands; b++) row[c * second.bands + b] = second.values[at + b]!;
    }
    for (let o = 0; o < width; o++) {
      let sum = mix.bias[o]!;
      for (let i = 0; i < columns; i++) sum += mix.weights[o * columns + i]! * row[i]!;
      trunk[f * width + o] = sum > 0 ? sum : 0;
    }
  }
}

/** Channels of frames of bands, with one empty band at either end; frames count from `first`. */
class Plane {
  readonly values: Float64Array;
  readonly stride: number;
  readonly channels: number;
  readonly first: number;
  readonly frames: number;
  readonly bands: number;

  constructor(channels: number, first: number, end: number, bands: number) {
    this.channels = channels;
    this.first = first;
    this.frames = end - first;
    this.bands = bands;
    this.stride = bands + 2;
    this.values = new Float64Array(channels * this.frames * this.stride);
  }

  /** Returns the index of band 0 of a frame in `values`. */
  row(channel: number, frame: number): number {
    return (channel * this.frames + frame - this.first) * this.stride + 1;
  }
}

/**
 * Computes a 3 × 3 convolution, rectified, with the maximum of POOL bands kept; frames outside [from, to) stay zero.
 * Two outputs are computed at a time, so that each value read is used twice.
 */
function convolveAndPool(layer: Layer, x: Plane, from: number, to: number, first: number, end: number): Plane {
  const outputs = layer.bias.length;
  const out = new Plane(outputs, first, end, x.bands / POOL);
  const taps = x.channels * 9;
  const { weights, bias } = layer;
  const even = new Float64Array(x.bands);
  const odd = new Float64Array(x.bands);
  for (let f = from; f < to; f++) {
    for (let o = 0; o < outputs; o += 2) {
      even.fill(bias[o]!);
      odd.fill(bias[o + 1]!);
      for (let c = 0; c < x.channels; c++) {
        for (let k = 0; k < 3; k++) {
          const w = o * taps + c * 9 + k * 3;
          const evenBelow = weights[w]!;
          const evenSame = weights[w + 1]!;
          const evenAbove = weights[w + 2]!;
          const oddBelow = weights[w + taps]!;
          const oddSame = weights[w + taps + 1]!;
          const oddAbove = weights[w + taps + 2]!;
          const at = x.row(c, f + k - 1);
          let low = x.values[at - 1]!;
          let middle = x.values[at]!;
          for (let b = 0; b < even.length; b++) {
            const high = x.values[at + b + 1]!;
            even[b]! += evenBelow * low + evenSame * middle + evenAbove * high;
            odd[b]! += oddBelow * low + oddSame * middle + oddAbove * high;
            low = middle;
            middle = high;
          }
        }
      }
      poolInto(out, out.row(o, f), even);
      poolInto(out, out.row(o + 1, f), odd);
    }
  }
  return out;
}

/** Writes the maximum of every POOL sums, or 0. */
function poolInto({ values, bands }: Plane, at: number, sums: Float64Array): void {
  for (let b = 0; b < bands; b++) {
    const s = b * POOL;
    values[at + b] = Math.max(0, sums[s]!, sums[s + 1]!, sums[s + 2]!, sums[s + 3]!);
  }
}

/**
 * Computes inner[f] = rectified Σ over taps of weights · x[f + (tap - 2) · dilation]; four outputs of two frames at a
 * time, so that each value read is used two or four times.
 *
 * @param x shape [frames + 1, width]; the last row, all zero, stands for frames outside the song
 * @param inner shape [frames + 1, width]; the last row may be overwritten
 * @param from first frame, even
 */
function dilate(
  layer: Layer,
  x: Float64Array,
  inner: Float64Array,
  frames: number,
  dilation: number,
  from: number,
): void {
  const width = layer.bias.length;
  const { weights, bias } = layer;
  const row = KERNEL * width;
  for (let f = from; f < frames; f += 2) {
    for (let o = 0; o < width; o += 4) {
      let a0 = bias[o]!;
      let a1 = bias[o + 1]!;
      let a2 = bias[o + 2]!;
      let a3 = bias[o + 3]!;
      let b0 = a0;
      let b1 = a1;
      let b2 = a2;
      let b3 = a3;
      for (let k = 0; k < KERNEL; k++) {
        const t = f + (k - 2) * dilation;
        if (t < -1 || t >= frames) continue;
        const first = (t < 0 ? frames : t) * width;
        const second = (t + 1) * width;
        const w = o * row + k * width;
        for (let i = 0; i < width; i++) {
          const u = x[first + i]!;
          const v = x[second + i]!;
          const w0 = weights[w + i]!;
          const w1 = weights[w + row + i]!;
          const w2 = weights[w + 2 * row + i]!;
          const w3 = weights[w + 3 * row + i]!;
          a0 += w0 * u;
          b0 += w0 * v;
          a1 += w1 * u;
          b1 += w1 * v;
          a2 += w2 * u;
          b2 += w2 * v;
          a3 += w3 * u;
          b3 += w3 * v;
        }
      }
      const to = f * width + o;
      inner[to] = a0 > 0 ? a0 : 0;
      inner[to + 1] = a1 > 0 ? a1 : 0;
      inner[to + 2] = a2 > 0 ? a2 : 0;
      inner[to + 3] = a3 > 0 ? a3 : 0;
      inner[to + width] = b0 > 0 ? b0 : 0;
      inner[to + width + 1] = b1 > 0 ? b1 : 0;
      inner[to + width + 2] = b2 > 0 ? b2 : 0;
      inner[to + width + 3] = b3 > 0 ? b3 : 0;
    }
  }
}

/** trunk[f] += weights · inner[f] */
function addMerged(layer: Layer, inner: Float64Array, trunk: Float64Array, frames: number, from: number): void {
  const width = layer.bias.length;
  const { weights, bias } = layer;
  for (let f = from; f < frames; f++) {
    const at = f * width;
    for (let o = 0; o < width; o += 4) {
      let s0 = bias[o]!;
      let s1 = bias[o + 1]!;
      let s2 = bias[o + 2]!;
      let s3 = bias[o + 3]!;
      const w = o * width;
      for (let i = 0; i < width; i++) {
        const v = inner[at + i]!;
        s0 += weights[w + i]! * v;
        s1 += weights[w + width + i]! * v;
        s2 += weights[w + 2 * width + i]! * v;
        s3 += weights[w + 3 * width + i]! * v;
      }
      trunk[at + o]! += s0;
      trunk[at + o + 1]! += s1;
      trunk[at + o + 2]! += s2;
      trunk[at + o + 3]! += s3;
    }
  }
}

function conclude(network: Network, trunk: Float64Array, frames: number, from: number): Float32Array[] {
  const width = network.mix.bias.length;
  const { weights, bias } = network.output;
  return network.heads.map((_, o) => {
    const out = new Float32Array(frames);
    for (let f = from; f < frames; f++) {
      let sum = bias[o]!;
      for (let i = 0; i < width; i++) {
        const v = trunk[f * width + i]!;
        if (v > 0) sum += weights[o * width + i]! * v;
      }
      out[f] = 1 / (1 + Math.exp(-sum));
    }
    return out;
  });
}
