/**
 * Reads lines `folder<TAB>out.f32` and answers each with "done". The folder holds the stems of an excerpt, `drums.f32` and
 * so on, stereo interleaved; their sum is the mix. Written per hop and band: what the mask network hears of the mix
 * [STEM_CHANNELS], then what the squared error of any mask needs. With w the components of a bin, X the mix and S a stem:
 *
 *   error of stem s = Σ_bins |S - Σ_i m[i][s] w_i X|² = m'Am - 2 m'D_s + |S|²
 *   A[i][j] = Σ w_i w_j |X|² (upper triangle, 10),  D_s[i] = Σ w_i Re(X* S) (16, stem by stem),  |S|² (4)
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import {
  BAND_EDGES,
  COMPONENTS,
  componentsOf,
  STEM_BANDS,
  STEM_CHANNELS,
  stemInput,
} from "../../packages/analysis/src/stems/stem-input.ts";
import {
  HOP,
  N_FFT,
  REACH,
  SpectrumListener,
  SpectrumReader,
  type HeardSpectrum,
  type Spectrum,
} from "../../packages/analysis/src/stems/stem-spectrum.ts";
import { STEM_NAMES } from "../../packages/analysis/src/stems/stems.ts";

const PAIRS = (COMPONENTS * (COMPONENTS + 1)) / 2;
const VALUES = STEM_CHANNELS + PAIRS + STEM_NAMES.length * COMPONENTS + STEM_NAMES.length;

for await (const line of createInterface({ input: process.stdin })) {
  const [folder, out] = line.split("\t") as [string, string];
  const stems = STEM_NAMES.map((name) => readStereo(join(folder, `${name}.f32`)));
  const mix = {
    left: stems[0]!.left.map((_, n) => stems.reduce((sum, { left }) => sum + left[n]!, 0)),
    right: stems[0]!.right.map((_, n) => stems.reduce((sum, { right }) => sum + right[n]!, 0)),
  };
  const listener = new SpectrumListener();
  const heard = spectra(mix).flatMap((spectrum) => listener.push(spectrum) ?? []);
  const ofStems = stems.map(spectra);
  const values = new Float32Array(heard.length * STEM_BANDS * VALUES);
  heard.forEach((spectrum, h) =>
    measure(
      spectrum,
      ofStems.map((stem) => stem[h]!),
      values.subarray(h * STEM_BANDS * VALUES, (h + 1) * STEM_BANDS * VALUES),
    ),
  );
  writeFileSync(out, values);
  console.log("done");
}

function readStereo(path: string): { left: Float32Array; right: Float32Array } {
  const bytes = readFileSync(path);
  const samples = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const channel = (n: number) => Float32Array.from({ length: samples.length / 2 }, (_, i) => samples[2 * i + n]!);
  return { left: channel(0), right: channel(1) };
}

function spectra({ left, right }: { left: Float32Array; right: Float32Array }): Spectrum[] {
  const reader = new SpectrumReader();
  const rest = new Float32Array(REACH * HOP);
  return [...reader.push(left, right), ...reader.push(rest, rest)];
}

function measure(mix: HeardSpectrum, stems: readonly Spectrum[], values: Float32Array): void {
  const input = stemInput(mix);
  const weights = new Float64Array(COMPONENTS);
  for (let b = 0; b < STEM_BANDS; b++) {
    const row = values.subarray(b * VALUES, (b + 1) * VALUES);
    for (let c = 0; c < STEM_CHANNELS; c++) row[c] = input[c * STEM_BANDS + b]!;
    for (let k = BAND_EDGES[b]!; k < BAND_EDGES[b + 1]!; k++) {
      componentsOf(mix, k, weights);
      let at = STEM_CHANNELS;
      for (let i = 0; i < COMPONENTS; i++)
        for (let j = i; j < COMPONENTS; j++) row[at++]! += weights[i]! * weights[j]! * mix.power[k]!;
      for (const stem of stems) {
        const shared = product(mix, stem, k);
        for (let i = 0; i < COMPONENTS; i++) row[at++]! += weights[i]! * shared;
      }
      for (const stem of stems) row[at++]! += product(stem, stem, k);
    }
  }
}

/** Re(X* S) of a bin, both channels together; a packed transform holds them at k and N - k. */
function product(x: Spectrum, s: Spectrum, k: number): number {
  const mirror = (N_FFT - k) & (N_FFT - 1);
  return (likeness(x, s, k) + likeness(x, s, mirror)) / 2;
}

/** The real part of x* s at one place of two packed transforms. */
function likeness({ bins: x }: Spectrum, { bins: s }: Spectrum, k: number): number {
  return x[2 * k]! * s[2 * k]! + x[2 * k + 1]! * s[2 * k + 1]!;
}
