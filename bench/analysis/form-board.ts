import type { SectionLabel } from "@followspot/contract";
import type { Form } from "../../packages/analysis/src/form/read-form.ts";
import type { Bar } from "../../packages/analysis/src/pulse/bars.ts";
import { areaUnderRoc, boundaryF, matchF, mean } from "./metrics.ts";
import type { Song } from "./songs.ts";

/** Names that truths give and the product has no word for: what the lights would do is what counts. */
const SAME_AS: Readonly<Record<string, SectionLabel>> = {
  solo: "bridge",
  instrumental: "bridge",
  "pre-chorus": "build",
  prechorus: "build",
  "post-chorus": "chorus",
  refrain: "chorus",
  hook: "chorus",
  breakdown: "break",
  interlude: "break",
  buildup: "build",
  end: "outro",
  coda: "outro",
};

/** A part of a song as the product names it. */
interface Labelled {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

/** The product's word for a label of a truth. */
export function plainLabel(label: string): string {
  return SAME_AS[label.toLowerCase()] ?? label.toLowerCase();
}

/**
 * Share of the time between the first true start and the last true end at which our label is the true one. What
 * we leave unnamed there is wrong.
 */
export function labelsRight(ours: readonly Labelled[], truth: readonly Labelled[]): number {
  const total = truth.reduce((sum, { start, end }) => sum + end - start, 0);
  let right = 0;
  for (const a of ours)
    for (const b of truth)
      if (a.label === plainLabel(b.label)) right += Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
  return total > 0 ? right / total : 1;
}

/** One section of ours: how sure it is, and for how much of its time it is right. */
interface Claim {
  readonly label: string;
  readonly confidence: number;
  readonly isRight: boolean;
  readonly seconds: number;
}

export interface JudgedForm {
  readonly song: Song;
  readonly labels: number;
  /** What the best label for each of our sections would reach. */
  readonly reachable: number;
  readonly drops: number | undefined;
  readonly found: readonly [hits: number, claimed: number, true_: number];
  readonly shortHit: number;
  readonly longHit: number;
  readonly claims: readonly Claim[];
  /** Of our inner edges: how strong it is said to be, and whether an edge is there. */
  readonly edges: readonly { readonly strength: number; readonly isTrue: boolean }[];
  /** True and our label → seconds. */
  readonly mistaken: ReadonlyMap<string, number>;
}

const DROP_WINDOW_SECONDS = 0.5;
const EDGE_WINDOW_SECONDS = 1;

export function judgeForm(song: Song, { form, bars }: { form: Form; bars: readonly Bar[] }): JudgedForm {
  const truth = song.sections ?? [];
  const ours = form.sections.map(({ from, to, label, probabilities }) => ({
    start: bars[from]!.start,
    end: to < bars.length ? bars[to]!.start : Math.max(bars.at(-1)!.end, truth.at(-1)?.end ?? 0),
    label,
    confidence: probabilities[label],
  }));
  ours[0] = { ...ours[0]!, start: Math.min(ours[0]!.start, truth[0]?.start ?? 0) };
  const timeOf = (part: Labelled) => {
    const times = new Map<string, number>();
    for (const { start, end, label } of truth) {
      const shared = Math.min(end, part.end) - Math.max(start, part.start);
      if (shared > 0) times.set(plainLabel(label), (times.get(plainLabel(label)) ?? 0) + shared);
    }
    return times;
  };
  const mistaken = new Map<string, number>();
  let reachable = 0;
  const claims = ours.map((part): Claim => {
    const times = timeOf(part);
    const most = Math.max(0, ...times.values());
    reachable += most;
    for (const [label, seconds] of times) {
      const pair = `${label} as ${part.label}`;
      if (label !== part.label) mistaken.set(pair, (mistaken.get(pair) ?? 0) + seconds);
    }
    const isRight = most > 0 && times.get(part.label) === most;
    return { label: part.label, confidence: part.confidence, isRight, seconds: part.end - part.start };
  });
  const total = truth.reduce((sum, { start, end }) => sum + end - start, 0);
  const drops = form.drops.filter((d) => d.type === "drop").map((d) => bars[d.bar]!.start);
  const trueDrops = song.drops ?? [];
  const f = matchF(drops, trueDrops, DROP_WINDOW_SECONDS);
  const starts = ours.map((part) => part.start);
  const edges = (window: number) =>
    boundaryF(
      starts,
      truth.map((s) => s.start),
      truth.at(-1)?.end ?? 0,
      window,
    );
  return {
    song,
    labels: labelsRight(ours, truth),
    reachable: total > 0 ? reachable / total : 1,
    drops: drops.length + trueDrops.length > 0 ? f : undefined,
    found: [Math.round((f * (drops.length + trueDrops.length)) / 2), drops.length, trueDrops.length],
    shortHit: edges(0.5),
    longHit: edges(3),
    claims,
    edges: form.sections.slice(1).map(({ from, strength }) => ({
      strength,
      isTrue: truth.some(({ start }) => Math.abs(start - bars[from]!.start) <= EDGE_WINDOW_SECONDS),
    })),
    mistaken,
  };
}

/** The board as text. */
export function printForms(name: string, judged: readonly JudgedForm[]): void {
  console.log(`\n# ${name}: ${judged.length} songs`);
  for (const { song, labels, reachable, drops, found, claims } of judged)
    console.log(
      `${song.id} ${song.genre}`.padEnd(24) +
        `labels ${labels.toFixed(2)} of ${reachable.toFixed(2)}  drops ${(drops?.toFixed(2) ?? "–").padEnd(5)} ${found.join("/").padEnd(6)} ` +
        claims.map((c) => `${c.label}${c.isRight ? "" : "!"}${c.confidence.toFixed(1).slice(1)}`).join(" "),
    );
  const [hits, claimed, wanted] = [0, 1, 2].map((i) => judged.reduce((sum, j) => sum + j.found[i]!, 0)) as [
    number,
    number,
    number,
  ];
  const dropFs = judged.flatMap((j) => j.drops ?? []);
  console.log(
    `labels right      ${mean(judged.map((j) => j.labels)).toFixed(3)} of the time; the best labels for our sections ${mean(judged.map((j) => j.reachable)).toFixed(3)}`,
  );
  console.log(
    `drop F            ${mean(dropFs).toFixed(3)} per song (${dropFs.length}), all together ${((2 * hits) / Math.max(1, claimed + wanted)).toFixed(3)}: ${hits} of ${wanted} found, ${claimed - hits} false`,
  );
  console.log(
    `HR.5F / HR3F      ${mean(judged.map((j) => j.shortHit)).toFixed(3)} / ${mean(judged.map((j) => j.longHit)).toFixed(3)}`,
  );
  const edges = judged.flatMap((j) => j.edges);
  const strengths = (isTrue: boolean) => edges.filter((e) => e.isTrue === isTrue).map((e) => e.strength);
  console.log(
    `boundary strength tells ${strengths(true).length} true from ${strengths(false).length} false edges: AUC ${(areaUnderRoc(strengths(true), strengths(false)) ?? NaN).toFixed(2)}`,
  );
  printReliability(judged.flatMap((j) => j.claims));
  printMistakes(judged);
}

function printReliability(claims: readonly Claim[]): void {
  const steps = [0, 0.3, 0.5, 0.7, 0.85, 0.95, 1.01];
  const lines = steps.slice(0, -1).flatMap((low, i) => {
    const own = claims.filter((c) => c.confidence >= low && c.confidence < steps[i + 1]!);
    if (own.length === 0) return [];
    const said = mean(own.map((c) => c.confidence));
    const held = mean(own.map((c) => Number(c.isRight)));
    return [`${said.toFixed(2)} → ${held.toFixed(2)} (${own.length})`];
  });
  const gap = mean(claims.map((c) => c.confidence)) - mean(claims.map((c) => Number(c.isRight)));
  console.log(`confidence → right ${lines.join("   ")}   on the whole ${gap >= 0 ? "+" : ""}${gap.toFixed(2)}`);
}

function printMistakes(judged: readonly JudgedForm[]): void {
  const all = new Map<string, number>();
  for (const { mistaken } of judged) for (const [pair, s] of mistaken) all.set(pair, (all.get(pair) ?? 0) + s);
  const worst = [...all].sort((a, b) => b[1] - a[1]).slice(0, 8);
  console.log(`most mistaken     ${worst.map(([pair, s]) => `${pair} ${s.toFixed(0)} s`).join(", ")}`);
}
