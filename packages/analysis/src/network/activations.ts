import type { SongFeatures } from "../features.ts";
import { HOP_RATE } from "../rates.ts";
import { HOPS_PER_FRAME, runNetwork, type Layer, type Network } from "./forward.ts";
import { networkInput } from "./input.ts";
import { MANIFEST, WEIGHTS } from "./weights.ts";

/** Frames of the network per second. */
export const FRAME_RATE = HOP_RATE / HOPS_PER_FRAME;

/** Outputs of the network as the training names them. */
export type Head = (typeof MANIFEST.heads)[number];

/** Probability of each head at FRAME_RATE; frame f is centred on (f + 0.25) / FRAME_RATE seconds. */
export type Activations = Readonly<Record<Head, Float32Array>>;

/** Which weights answer: the first digits of their SHA-256. */
export const NETWORK_VERSION = MANIFEST.sha256.slice(0, 12);

/**
 * What the trained network hears in a song.
 * @returns curves of shape [hops / 2], 0..1
 */
export function hearSong(features: SongFeatures): Activations {
  loaded ??= loadNetwork();
  const outputs = runNetwork(loaded, networkInput(features));
  return Object.fromEntries(MANIFEST.heads.map((name, i) => [name, outputs[i]!])) as Record<Head, Float32Array>;
}

/** A curve of the network at HOP_RATE: straight lines between the centres of its frames. */
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

/** Largest value of a curve of the network within ±40 ms of each time. */
export function atTimes(curve: Float32Array, seconds: readonly number[]): Float32Array {
  return Float32Array.from(seconds, (t) => {
    const f = Math.round(t * FRAME_RATE - 0.25);
    return Math.max(0, ...curve.subarray(Math.max(0, f - 2), f + 3));
  });
}

let loaded: Network | undefined;

/** Unpack the committed weights. @throws RangeError when their number does not fit the manifest */
export function loadNetwork(): Network {
  const halves = new Float16Array(decodeBase64(WEIGHTS).buffer);
  let at = 0;
  const take = (count: number) => Float64Array.from(halves.subarray(at, (at += count)));
  const layer = (outputs: number, inputs: number): Layer => ({
    weights: take(outputs * inputs),
    bias: take(outputs),
  });
  const { bands, heads, width, dilations, spectral } = MANIFEST;
  const network: Network = {
    bands,
    heads,
    mean: take(bands),
    deviation: take(bands),
    spectral: [layer(spectral[0], HOPS_PER_FRAME * 9), layer(spectral[1], spectral[0] * 9)],
    mix: layer(width, (spectral[1] * bands) / 16),
    blocks: dilations.map((dilation) => ({ dilation, dilated: layer(width, 5 * width), merge: layer(width, width) })),
    output: layer(heads.length, width),
  };
  if (at !== halves.length) throw new RangeError(`${halves.length} weights where the network has ${at}`);
  return network;
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Bytes of padded base64 text; the platform's own decoders differ between Node and browsers. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const digits = text.replace(/=+$/, "");
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4));
  for (let i = 0, at = 0, bits = 0; i < digits.length; i++) {
    bits = (bits << 6) | BASE64.indexOf(digits[i]!);
    if (i % 4 > 0) bytes[at++] = bits >> (6 - 2 * (i % 4));
  }
  return bytes;
}
