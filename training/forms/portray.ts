/**
 * Writes what the labels are learned from: `node scripts/run.mjs training/forms/portray.ts FOLDER OUT.json`. Each song is cut as the
 * product cuts it, finer, and where its sections truly are; of every section stand there its portrait and how long each
 * label truly sounds in it.
 */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SECTION_LABELS } from "@followspot/contract";
import { cutSong } from "../../packages/analysis/src/form/read-form.ts";
import { likeness } from "../../packages/analysis/src/form/likeness.ts";
import { portray } from "../../packages/analysis/src/form/portraits.ts";
import { ALL_CHANGES, cutAt, findSections, type BarRange } from "../../packages/analysis/src/form/structure.ts";
import type { Bar } from "../../packages/analysis/src/pulse/bars.ts";
import { readTruth, songsIn, type Truth } from "../songs-on-disk.ts";
import { readBars } from "./bars-on-disk.ts";

const [folder, out] = process.argv.slice(2);
if (!folder || !out) throw new Error("node scripts/run.mjs training/forms/portray.ts FOLDER OUT.json");

/** True starts nearer to each other than this many bars are one. */
const LEAST_BARS = 2;

const songs = songsIn(folder)
  .filter((name) => !name.endsWith(".bars"))
  .flatMap((name) => {
    const path = join(folder, `${name}.bars.json`);
    if (!existsSync(path)) return [];
    const bars = readBars(path);
    const truth = readTruth(folder, name);
    if (bars.length < 8 || truth.sections.length < 2) return [];
    const cuts = { product: cutSong(bars), fine: findSections(bars, [], ALL_CHANGES), true: trueCut(bars, truth) };
    return Object.entries(cuts).map(([cut, ranges]) => ({
      name,
      style: `${truth.generator} ${truth.style}`,
      cut,
      portraits: portray(bars, ranges).map((p) => Object.values(p).map((v) => Math.round(v * 1e4) / 1e4)),
      alike: likeness(bars, ranges).sound.map((row) => row.map((v) => Math.round(v * 100) / 100)),
      labels: ranges.map((range) => secondsPerLabel(bars, range, truth)),
    }));
  });
writeFileSync(out, JSON.stringify({ labels: SECTION_LABELS, features: featureNames(), songs }));
console.log(`${songs.length} cuts`);

function featureNames(): string[] {
  const name = songsIn(folder!).find((song) => existsSync(join(folder!, `${song}.bars.json`)))!;
  const bars = readBars(join(folder!, `${name}.bars.json`));
  return Object.keys(portray(bars, cutSong(bars))[0]!);
}

function trueCut(bars: readonly Bar[], truth: Truth): BarRange[] {
  const nearest = (t: number) =>
    bars.reduce((best, bar, i) => (Math.abs(bar.start - t) < Math.abs(bars[best]!.start - t) ? i : best), 0);
  const starts = [0];
  for (const [t] of truth.sections.slice(1)) {
    const bar = nearest(t);
    if (bar >= starts.at(-1)! + LEAST_BARS && bar <= bars.length - LEAST_BARS) starts.push(bar);
  }
  return cutAt(bars, starts);
}

function secondsPerLabel(bars: readonly Bar[], { from, to }: BarRange, { sections }: Truth): number[] {
  const start = bars[from]!.start;
  const end = bars[to - 1]!.end;
  return SECTION_LABELS.map((label) =>
    sections.reduce((sum, [t, name], i) => {
      const until = sections[i + 1]?.[0] ?? Infinity;
      return name === label ? sum + Math.max(0, Math.min(end, until) - Math.max(start, t)) : sum;
    }, 0),
  ).map((v) => Math.round(v * 100) / 100);
}
