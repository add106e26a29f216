import { BINS, N_FFT, voiceShare, type HeardSpectrum } from "../../packages/analysis/src/stems/stem-spectrum.ts";
import type { MaskMaker, Masks } from "../../packages/analysis/src/stems/mask-maker.ts";

const BASS_HZ = 160;

/**
 * The rules that stems were separated by before the network, to compare with: what strikes is drums; of what lasts the
 * lows are bass, the centre of the voice's range is vocals, the rest is other.
 */
export class StemRules implements MaskMaker {
  readonly lookAhead = 0;
  readonly #bassShare = Float64Array.from({ length: BINS }, (_, k) => 1 / (1 + ((k * 44_100) / N_FFT / BASS_HZ) ** 8));

  push(heard: HeardSpectrum): { heard: HeardSpectrum; masks: Masks } {
    const drums = Float64Array.from(heard.percussive);
    const bass = drums.map((share, k) => (1 - share) * this.#bassShare[k]!);
    const vocals = drums.map((share, k) => (1 - share - bass[k]!) * voiceShare(k, heard.centre[k]!));
    return { heard, masks: { drums, bass, vocals } };
  }
}
