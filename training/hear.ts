/**
 * Reads lines `song.wav<TAB>out.f16` and answers each with "done": writes the network's input of the song,
 * [hops × bands] half floats, computed by the product's own code so that training and use cannot differ.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { FeatureExtractor } from "../packages/analysis/src/features.ts";
import { networkInput } from "../packages/analysis/src/network/input.ts";

const WAV_HEADER = 44;

for await (const line of createInterface({ input: process.stdin })) {
  const [wav, out] = line.split("\t") as [string, string];
  const bytes = readFileSync(wav);
  const frames = (bytes.length - WAV_HEADER) >> 2;
  const extractor = new FeatureExtractor(bytes.readUInt32LE(24));
  const left = new Float32Array(frames);
  const right = new Float32Array(frames);
  for (let n = 0; n < frames; n++) {
    left[n] = bytes.readInt16LE(WAV_HEADER + 4 * n) / 32768;
    right[n] = bytes.readInt16LE(WAV_HEADER + 4 * n + 2) / 32768;
  }
  extractor.push(left, right);
  writeFileSync(out, new Uint8Array(Float16Array.from(networkInput(extractor.finish())).buffer));
  console.log("done");
}
