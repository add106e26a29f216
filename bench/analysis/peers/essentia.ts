/**
 * `node essentia.ts FILE.wav METHOD`: what Essentia (Music Technology Group, AGPL-3.0) hears, as JSON.
 * A process of its own: no part of the product is linked with it, and it is installed only for this comparison.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

interface Essentia {
  arrayToVector(samples: Float32Array): unknown;
  vectorToArray(vector: unknown): Float32Array;
  RhythmExtractor2013(
    signal: unknown,
    maxTempo: number,
    method: string,
    minTempo: number,
  ): { bpm: number; ticks: unknown };
  KeyExtractor(signal: unknown): { key: string; scale: string };
}

const [file, method] = process.argv.slice(2);
const load = createRequire(import.meta.url);
// The package has no types; this is the part of it that is used.
const { Essentia, EssentiaWASM } = load("essentia.js") as {
  Essentia: new (wasm: unknown) => Essentia;
  EssentiaWASM: unknown;
};
const essentia = new Essentia(EssentiaWASM);
const bytes = readFileSync(file!);
const samples = new Float32Array((bytes.length - 44) / 4);
for (let i = 0; i < samples.length; i++)
  samples[i] = (bytes.readInt16LE(44 + 4 * i) + bytes.readInt16LE(46 + 4 * i)) / 65_536;

const start = process.cpuUsage();
const signal = essentia.arrayToVector(samples);
const { bpm, ticks } = essentia.RhythmExtractor2013(signal, 208, method!, 40);
const { user, system } = process.cpuUsage(start);
const seconds = (user + system) / 1e6;
const { key, scale } = essentia.KeyExtractor(signal);
const beats = [...essentia.vectorToArray(ticks)];
process.stdout.write(JSON.stringify({ beats, tempo: bpm, key: `${key} ${scale}`, seconds }));
// The WASM module keeps handles open.
process.exit(0);
