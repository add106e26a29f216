/**
 * `npm run bench:stems [-- options]`: how well a song is taken apart into drums, bass, vocals and other, and how fast. The
 * songs are those of the evaluation set, performed stem by stem, without a codec.
 *
 *   --only ID,ID   only these songs
 *   --all          all songs of the set; without it every third
 *   --seed N       another evaluation set; 1
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";
import { STEM_NAMES, type StemName } from "../../packages/analysis/src/index.ts";
import { separateStems } from "../../packages/analysis/src/testing/separate-stems.ts";
import { composeSong } from "./evaluation-set/compose.ts";
import { STYLES } from "./evaluation-set/genres.ts";
import { keyFor } from "./evaluation-set/make-evaluation-set.ts";
import { canPlayBands, performStems } from "./evaluation-set/perform.ts";
import { mixInto, RATE, silence, type Stereo } from "./evaluation-set/synth.ts";
import { mean, scaleInvariantSdr } from "./metrics.ts";
import { StemRules } from "./stem-rules.ts";

/** Raised whenever the same seed may give other stems. */
const STEMS_VERSION = 1;
/** From 35 % of a song on: past the intro, mostly with a chorus or drop and what leads to it. */
const EXCERPT_SECONDS = 40;
const EXCERPT_FROM = 0.35;
/** A stem this far below the mix is silent: it has no ratio, only what leaks into it. */
const SILENT_DB = -45;
/** A stem this far above the rest is alone: there is nothing to separate. */
const ALONE_DB = 30;

type Parts = Record<StemName, Stereo>;

const SEPARATORS: Readonly<Record<string, (mix: Stereo) => Parts>> = {
  "mix itself": (mix) => ({ drums: mix, bass: mix, vocals: mix, other: mix }),
  rules: ({ left, right }) => separateStems(left, right, new StemRules()),
  followspot: ({ left, right }) => separateStems(left, right),
};

interface Row {
  readonly separator: string;
  readonly stem: StemName;
  /** dB; undefined where the song is without the stem or without another. */
  readonly sdr: number | undefined;
  /** What is put out as a stem the song is without, dB below the mix. */
  readonly leak: number | undefined;
}

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    all: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
  },
});
const seed = Number(values.seed);
const cache = fileURLToPath(new URL(`.cache/stems/seed-${seed}-v${STEMS_VERSION}`, import.meta.url));
mkdirSync(cache, { recursive: true });

const rows: Row[] = [];
const speeds = new Map<string, number[]>();
for (const n of STYLES.keys()) {
  const id = `e${String(n + 1).padStart(2, "0")}`;
  if (values.only ? !values.only.split(",").includes(id) : !values.all && n % 3 !== 0) continue;
  if (STYLES[n]!.sound === "band" && !canPlayBands()) continue;
  const truth = recallStems(n, id);
  const mix = silence(EXCERPT_SECONDS);
  for (const name of STEM_NAMES) mixInto(mix, truth[name]);
  const line = [`${id} ${STYLES[n]!.genre}`.padEnd(20)];
  for (const [separator, separate] of Object.entries(SEPARATORS)) {
    const start = process.cpuUsage();
    const parts = separate(mix);
    const { user, system } = process.cpuUsage(start);
    speeds.set(separator, [...(speeds.get(separator) ?? []), EXCERPT_SECONDS / ((user + system) / 1e6)]);
    const judged = STEM_NAMES.map((stem) => judge(separator, stem, parts[stem], truth[stem], mix));
    rows.push(...judged);
    line.push(judged.map(({ sdr }) => (sdr === undefined ? "  –  " : sdr.toFixed(1).padStart(5))).join(" "));
  }
  console.error(line.join("  | "));
}
if (rows.length > 0) printTable();
else console.log("No songs were found: nothing was measured.");

/** The stems of a song's excerpt, performed once and then read from 16-bit files. */
function recallStems(n: number, id: string): Parts {
  const file = join(cache, `${id}.s16`);
  if (!existsSync(file)) {
    const { score } = composeSong(STYLES[n]!, keyFor(n, seed), id, seed);
    const parts = performStems(score, STYLES[n]!, cache);
    const from = Math.round(EXCERPT_FROM * score.seconds * RATE);
    const samples = STEM_NAMES.flatMap((name) => [parts[name].left, parts[name].right]).flatMap((side) => [
      Int16Array.from(side.subarray(from, from + EXCERPT_SECONDS * RATE), (v) => Math.round(16_384 * v)),
    ]);
    writeFileSync(file, Buffer.concat(samples.map((side) => new Uint8Array(side.buffer))));
  }
  const bytes = readFileSync(file);
  const integers = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
  const length = EXCERPT_SECONDS * RATE;
  const side = (i: number) => Float32Array.from(integers.subarray(i * length, (i + 1) * length), (v) => v / 16_384);
  const entries = STEM_NAMES.map((name, i) => [name, { left: side(2 * i), right: side(2 * i + 1) }]);
  return Object.fromEntries(entries) as Parts;
}

function judge(separator: string, stem: StemName, part: Stereo, truth: Stereo, mix: Stereo): Row {
  if (decibels(truth, mix) < SILENT_DB) return { separator, stem, sdr: undefined, leak: decibels(part, mix) };
  const sdr = (sound: Stereo) => scaleInvariantSdr([sound.left, sound.right], [truth.left, truth.right]);
  return { separator, stem, sdr: sdr(mix) > ALONE_DB ? undefined : sdr(part), leak: undefined };
}

/** Power of one sound over the power of another, dB. */
function decibels(sound: Stereo, mix: Stereo): number {
  const power = ({ left, right }: Stereo) => [left, right].flatMap((side) => side.reduce((sum, v) => sum + v * v, 0));
  const sum = (sides: number[]) => sides.reduce((a, b) => a + b, 1e-9);
  return 10 * Math.log10(sum(power(sound)) / sum(power(mix)));
}

function printTable(): void {
  const songs = rows.length / STEM_NAMES.length / speeds.size;
  console.log(`\n${songs} songs; SI-SDR in dB, how much better than the mix itself, and what leaks into a silent stem`);
  console.log(
    ["".padEnd(12), ...STEM_NAMES.map((name) => name.padEnd(22)), "mean          × real time per core"].join(""),
  );
  for (const [separator, speed] of speeds) {
    const cells = STEM_NAMES.map((stem) => {
      const sdr = meanSdr(separator, stem);
      const gain = sdr - meanSdr("mix itself", stem);
      const leaks = rows.flatMap((row) => (row.separator === separator && row.stem === stem ? (row.leak ?? []) : []));
      return `${sdr.toFixed(2).padStart(6)} (${signed(gain)}) ${leaks.length > 0 ? mean(leaks).toFixed(0).padStart(4) : "   –"}`;
    });
    const over = (of: string) => mean(STEM_NAMES.map((stem) => meanSdr(of, stem)));
    const all = `${over(separator).toFixed(2).padStart(6)} (${signed(over(separator) - over("mix itself"))})`;
    const rate = separator === "mix itself" ? "" : mean(speed).toFixed(0);
    console.log([separator.padEnd(12), ...cells.map((cell) => cell.padEnd(22)), all.padEnd(16), rate].join(""));
  }
}

/** Over the songs that have the stem. */
function meanSdr(separator: string, stem: StemName): number {
  return mean(rows.flatMap((row) => (row.separator === separator && row.stem === stem ? (row.sdr ?? []) : [])));
}

function signed(value: number): string {
  return `${value < 0 ? "-" : "+"}${Math.abs(value).toFixed(2)}`;
}
