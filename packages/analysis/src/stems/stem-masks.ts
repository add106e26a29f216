import { MaskNetwork, type MaskNetworkWeights } from "../network/mask-network.ts";
import { MANIFEST, WEIGHTS } from "../network/stem-weights.ts";
import { WeightReader } from "../network/weight-reader.ts";
import type { MaskMaker, Masks } from "./mask-maker.ts";
import { BAND_EDGES, COMPONENTS, componentsOf, STEM_BANDS, STEM_CHANNELS, stemInput } from "./stem-input.ts";
import { BINS, voiceShare, type HeardSpectrum } from "./stem-spectrum.ts";

/** Identifies the weights that separate stems: the first digits of their SHA-256. */
export const STEM_NETWORK_VERSION = MANIFEST.sha256.slice(0, 12);

const STEMS = MANIFEST.stems.length;

/** Computes the share of each bin for each stem, by the trained network and a rule for voices. */
export class StemMasks implements MaskMaker {
  readonly #network = new MaskNetwork((loaded ??= loadMaskNetwork()));
  /** Spectra that the network has not evaluated yet, oldest first. */
  readonly #waiting: HeardSpectrum[] = [];
  readonly lookAhead = this.#network.lookAhead;

  push(newest: HeardSpectrum): { heard: HeardSpectrum; masks: Masks } | undefined {
    this.#waiting.push(newest);
    const logits = this.#network.push(stemInput(newest));
    if (!logits) return undefined;
    const heard = this.#waiting.shift()!;
    return { heard, masks: masksOf(sharesOf(logits), heard) };
  }
}

let loaded: MaskNetworkWeights | undefined;

/** Unpacks the committed weights. @throws RangeError if their number does not fit the manifest */
export function loadMaskNetwork(): MaskNetworkWeights {
  const reader = new WeightReader(WEIGHTS);
  const { width, trunk, pool, localDilations, dilations } = MANIFEST;
  const coarse = (width * STEM_BANDS) / pool;
  const answers = COMPONENTS * STEMS;
  const network: MaskNetworkWeights = {
    bands: STEM_BANDS,
    channels: STEM_CHANNELS,
    pool,
    mean: reader.take(STEM_CHANNELS * STEM_BANDS),
    deviation: reader.take(STEM_CHANNELS * STEM_BANDS),
    local: localDilations.map((dilation, n) => ({
      dilation,
      ...(n === 0 ? reader.layer(width, 9 * STEM_CHANNELS, width * STEM_BANDS) : reader.layer(width, 9 * width)),
    })),
    gather: reader.layer(trunk, coarse),
    blocks: dilations.map((dilation) => ({
      dilated: { dilation, ...reader.layer(trunk, 3 * trunk) },
      merge: reader.layer(trunk, trunk),
    })),
    spread: reader.layer(coarse, trunk),
    output: reader.layer(answers, width, answers * STEM_BANDS),
  };
  reader.finish();
  return network;
}

/** Applies softmax over the stems for each component and band; [component × stem × band], in place. */
export function sharesOf(logits: Float64Array): Float64Array {
  for (let c = 0; c < COMPONENTS; c++) {
    for (let b = 0; b < STEM_BANDS; b++) {
      let sum = 0;
      for (let s = 0; s < STEMS; s++) {
        const at = (c * STEMS + s) * STEM_BANDS + b;
        sum += logits[at] = Math.exp(logits[at]!);
      }
      for (let s = 0; s < STEMS; s++) logits[(c * STEMS + s) * STEM_BANDS + b]! /= sum;
    }
  }
  return logits;
}

/**
 * Drums and bass take the share of each component that the network assigns to them. Vocals take the remainder in the
 * center and within the vocal range. This is a rule, so that it also works for voices that no training song has.
 */
function masksOf(shares: Float64Array, heard: HeardSpectrum): Masks {
  const [drums, bass, vocals] = [new Float64Array(BINS), new Float64Array(BINS), new Float64Array(BINS)];
  const weights = new Float64Array(COMPONENTS);
  for (let b = 0; b < STEM_BANDS; b++) {
    for (let k = BAND_EDGES[b]!; k < BAND_EDGES[b + 1]!; k++) {
      componentsOf(heard, k, weights);
      for (let c = 0; c < COMPONENTS; c++) {
        const at = c * STEMS * STEM_BANDS + b;
        drums[k]! += weights[c]! * shares[at]!;
        bass[k]! += weights[c]! * shares[at + STEM_BANDS]!;
      }
      vocals[k] = (1 - drums[k]! - bass[k]!) * voiceShare(k, heard.centre[k]!);
    }
  }
  return { drums, bass, vocals };
}
