/**
 * Reads lines `song.wav<TAB>out.f16` and answers each with "done": writes the network's input of the song,
 * [hops × bands] half floats, computed by the product's own code so that training and use cannot differ.
 */
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { networkInput } from "../packages/analysis/src/network/input.ts";
import { featuresOfWav } from "./songs-on-disk.ts";

for await (const line of createInterface({ input: process.stdin })) {
  const [wav, out] = line.split("\t") as [string, string];
  writeFileSync(out, new Uint8Array(Float16Array.from(networkInput(featuresOfWav(wav))).buffer));
  console.log("done");
}
