import type { SongFeatures } from "../hear/features.ts";
import { HOP_RATE } from "../hear/rates.ts";
import { HOPS_PER_FRAME, runNetwork, type Network } from "./forward.ts";
import { networkInput } from "./input.ts";
import { WeightReader } from "./weight-reader.ts";
import { MANIFEST, WEIGHTS } from "./weights.ts";

/** Frames of the network per second. */
export const FRAME_RATE = HOP_RATE / HOPS_PER_FRAME;

/** Output of the network, named as in training. */
export type Head = (typeof MANIFEST.heads)[number];

/** Probability of each head at FRAME_RATE; frame f is centered on (f + 0.25) / FRAME_RATE seconds. */
export type Activations = Readonly<Record<Head, Float32Array>>;

/** Identifies the weights: the first digits of their SHA-256. */
export const NETWORK_VERSION = MANIFEST.sha256.slice(0, 12);

/**
 * Runs the trained network on a song.
 *
 * @returns curves of shape [hops / 2], 0..1
 */
export function hearSong(features: SongFeatures): Activations {
  loaded ??= loadNetwork();
  const outputs = runNetwork(loaded, networkInput(features));
  return Object.fromEntries(MANIFEST.heads.map((name, i) => [name, outputs[i]!])) as Record<Head, Float32Array>;
}

/** Resamples a curve of the network to HOP_RATE by linear interpolation between the centers of its frames. */
export function atHopRate(curve: Float32Array, hops: number): Float32Array {
  const out = new Float32Array(hops);
  const last = curve.length - 1;
  for (let h = 0; h < hops && last >= 0; h++) {
    const at = Math.min(last, Math.max(0, (h - (HOPS_PER_FRAME - 1) / 2) / HOPS_PER_FRAME));
    const low = Math.floor(at);
    const share = at - low;
    out[h] = curve[low]! * (1 - share) + curve[Math.min(last, low + 1)]! * share;
  }
  return out;
}

/** Returns the largest value of a network curve within ±40 ms of each time. */
export function atTimes(curve: Float32Array, seconds: readonly number[]): Float32Array {
  return Float32Array.from(seconds, (t) => {
    const f = Math.round(t * FRAME_RATE - 0.25);
    return Math.max(0, ...curve.subarray(Math.max(0, f - 2), f + 3));
  });
}

let loaded: Network | undefined;

/** Unpacks the committed weights. @throws RangeError if their number does not fit the manifest */
export function loadNetwork(): Network {
  const reader = new WeightReader(WEIGHTS);
  const { bands, heads, width, dilations, spectral } = MANIFEST;
  const network: Network = {
    bands,
    heads,
    mean: reader.take(bands),
    deviation: reader.take(bands),
    spectral: [reader.layer(spectral[0], HOPS_PER_FRAME * 9), reader.layer(spectral[1], spectral[0] * 9)],
    mix: reader.layer(width, (spectral[1] * bands) / 16),
    blocks: dilations.map((dilation) => ({
      dilation,
      dilated: reader.layer(width, 5 * width),
      merge: reader.layer(width, width),
    })),
    output: reader.layer(heads.length, width),
  };
  reader.finish();
  return network;
}
