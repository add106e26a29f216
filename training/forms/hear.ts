/**
 * Reads lines `song.wav<TAB>out.bars.json` and answers each with "done": writes the bars of the song as the product
 * hears them, from which its form is read.
 */
import { createInterface } from "node:readline";
import { listen } from "../../packages/analysis/src/analyse-song.ts";
import { featuresOfWav } from "../songs-on-disk.ts";
import { writeBars } from "./bars-on-disk.ts";

for await (const line of createInterface({ input: process.stdin })) {
  const [wav, out] = line.split("\t") as [string, string];
  writeBars(out, listen(featuresOfWav(wav), { songId: "training" }).bars);
  console.log("done");
}
