/** What was measured, as tables. */
import type { LightingPlan } from "../../packages/contract/src/index.ts";
import {
  FAMILIES,
  quantile,
  type Measure,
  type RigVerdict,
  type SongTruth,
} from "../../packages/lighting/src/index.ts";
import { wilson, type Comparison } from "../../packages/lighting/src/testing/compare-shows.ts";

/** One song's show on one rig, beside its rivals. */
export interface ShowRow {
  readonly id: string;
  readonly genre: string;
  readonly rig: string;
  readonly truth: SongTruth;
  readonly verdict: RigVerdict;
  readonly plan: LightingPlan;
  /** The plan of another seed. */
  readonly other: LightingPlan;
  /** The hues that lead the show, degrees. */
  readonly hues: readonly number[];
  /** Tick by tick. */
  readonly brightness: Float32Array;
  readonly rivals: readonly {
    readonly name: string;
    readonly measures: readonly Measure[];
    readonly comparison: Comparison;
  }[];
}

const BARS: Readonly<Record<string, number>> = {
  single: 0.95,
  follower: 0.85,
  pulser: 0.85,
  random: 0.85,
  table: 0.7,
  shifted: 0.95,
  "other song": 0.95,
};

export function printWins(rig: string, rows: readonly ShowRow[]): void {
  console.log(`\n== ${rig}: songs won`);
  console.log(
    `${"".padEnd(11)} ${"won".padStart(5)}  ${"95 %".padEnd(9)} bar   ${FAMILIES.map((f) => f.padStart(8)).join(" ")}   won without ${FAMILIES.map((f) => f.slice(0, 6)).join(", ")}`,
  );
  for (const { name } of rows[0]?.rivals ?? []) {
    const comparisons = rows.map((row) => row.rivals.find((rival) => rival.name === name)!.comparison);
    const won = comparisons.filter((one) => one.isWon).length;
    const { low, high } = wilson(won, rows.length);
    const families = FAMILIES.map((family) => {
      const shares = comparisons.flatMap(({ families: of }) => of[family] ?? []);
      return (shares.length > 0 ? (shares.reduce((a, b) => a + b, 0) / shares.length).toFixed(2) : "-").padStart(8);
    });
    // A show that wins by one family alone may have been made for that family's measures.
    const without = FAMILIES.map((family) => {
      const still = comparisons.filter(({ families: of }) => {
        const rest = FAMILIES.flatMap((other) => (other === family ? [] : (of[other] ?? [])));
        return rest.reduce((a, b) => a + b, 0) > 0.5 * rest.length;
      });
      return (still.length / rows.length).toFixed(2).padStart(8);
    });
    const share = won / rows.length;
    const mark = share < BARS[name]! ? "<" : " ";
    console.log(
      `${name.padEnd(11)} ${share.toFixed(2).padStart(5)}${mark} ${low.toFixed(2)}-${high.toFixed(2)} ${BARS[name]!.toFixed(2)}  ${families.join(" ")}   ${without.join(" ")}`,
    );
  }
  const failed = Map.groupBy(
    rows.flatMap((row) => row.verdict.gates.filter((gate) => !gate.passed).map((gate) => ({ gate, id: row.id }))),
    ({ gate }) => `${gate.id} ${gate.name}`,
  );
  console.log(
    `gates failed: ${
      [...failed]
        .map(
          ([name, of]) =>
            `${name} ${of.length} (${of
              .slice(0, 4)
              .map((o) => o.id)
              .join(" ")})`,
        )
        .join("; ") || "none"
    }`,
  );
  const dull = Map.groupBy(
    rows.flatMap((row) => row.verdict.lively.filter((gate) => !gate.passed)),
    (gate) => `${gate.id} ${gate.name}`,
  );
  console.log(`dull: ${[...dull].map(([name, of]) => `${name} ${of.length}`).join("; ") || "none"}`);
}

export function printMeasures(rig: string, rows: readonly ShowRow[]): void {
  const names = (rows[0]?.rivals ?? []).map((rival) => rival.name);
  console.log(`\n== ${rig}: medians (ours q10, median, q90; in band)`);
  console.log(
    `${"".padEnd(52)} ${"q10".padStart(6)} ${"ours".padStart(6)} ${"q90".padStart(6)} ${"in".padStart(4)}  ${names.map((n) => n.slice(0, 8).padStart(8)).join(" ")}   band`,
  );
  const first = rows[0]!;
  for (const { id, name, low, high } of [...first.verdict.measures, ...first.verdict.gates]) {
    const own = rows.flatMap(
      (row) => [...row.verdict.measures, ...row.verdict.gates].find((m) => m.id === id)?.value ?? [],
    );
    const passed = rows.filter(
      (row) => [...row.verdict.measures, ...row.verdict.gates].find((m) => m.id === id)!.passed,
    );
    const theirs = names.map((rival) => {
      const all = rows.flatMap(
        (row) => row.rivals.find((r) => r.name === rival)!.measures.find((m) => m.id === id)?.value ?? [],
      );
      return short(all.length > 0 ? quantile(all, 0.5) : undefined).padStart(8);
    });
    const [q10, q50, q90] = [0.1, 0.5, 0.9].map((q) =>
      short(own.length > 0 ? quantile(own, q) : undefined).padStart(6),
    );
    const share = (passed.length / rows.length).toFixed(2).padStart(4);
    console.log(
      `${`${id.padEnd(5)}${name}`.slice(0, 52).padEnd(52)} ${q10} ${q50} ${q90} ${share}  ${theirs.join(" ")}   ${low}..${high}`,
    );
  }
}

/** What shows the form, of which a show must not lose more than this against a scene per label that is repeated to the byte. */
const FORM = ["M7", "R1"];
const FORM_LOST = 0.05;

/**
 * Song by song what ours has more than the table. Two medians are apart by what lies between two songs in the middle of each
 * list, which is most where many songs have nearly all of it.
 */
export function printFormBesideTable(rig: string, rows: readonly ShowRow[]): void {
  console.log(`\n== ${rig}: form, ours less the table's, song by song (at least -${FORM_LOST})`);
  for (const id of FORM) {
    const valueOf = (measures: readonly Measure[]) => measures.find((measure) => measure.id === id)?.value;
    const more = rows.flatMap(({ verdict, rivals }) => {
      const table = rivals.find(({ name }) => name === "table");
      const [own, its] = [valueOf(verdict.measures), table && valueOf(table.measures)];
      return own === undefined || its === undefined ? [] : own - its;
    });
    if (more.length === 0) continue;
    const mean = more.reduce((a, b) => a + b, 0) / more.length;
    const [q10, q50, q90] = [0.1, 0.5, 0.9].map((q) => quantile(more, q).toFixed(2));
    const mark = Number(q50) < -FORM_LOST || mean < -FORM_LOST ? "<" : " ";
    console.log(
      `${id.padEnd(4)} median ${q50}${mark} mean ${mean.toFixed(2)}  q10 ${q10}, q90 ${q90}, ${more.length} songs`,
    );
  }
}

function short(value: number | undefined): string {
  if (value === undefined) return "-";
  return Math.abs(value) >= 100 ? value.toFixed(0) : Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** Eight hues of 45 degrees, the first around 0. */
const HUE_NAMES = ["pink", "orange", "yellow", "green", "mint", "sky", "violet", "magenta"];

function nameOf(hue: number): string {
  return HUE_NAMES[Math.round(hue / 45) % 8]!;
}

/** Colour schemes: the two hues that lead a show, each one of eight; and how two seeds differ. */
export function printSchemes(rows: readonly ShowRow[]): void {
  const schemes = Map.groupBy(rows, (row) => row.hues.map(nameOf).join("+") || "white");
  const commonest = [...schemes].toSorted((a, b) => b[1].length - a[1].length);
  const share = commonest[0]![1].length / rows.length;
  console.log(
    `\ncolour schemes: ${schemes.size} over ${rows.length} songs, the commonest ${commonest[0]![0]} on ${(100 * share).toFixed(0)} % (wanted >= 12, <= 15 %)`,
  );
  console.log(
    `  ${commonest
      .slice(0, 8)
      .map(([name, of]) => `${name} ${of.length}`)
      .join(", ")}`,
  );
  const led = Map.groupBy(rows, (row) => nameOf(row.hues[0] ?? 0));
  console.log(
    `leading hues: ${[...led]
      .toSorted((a, b) => b[1].length - a[1].length)
      .map(([name, of]) => `${name} ${of.length}`)
      .join(", ")}`,
  );
  const differing = rows.map((row) => cuesThatDiffer(row.plan, row.other));
  console.log(
    `cues that differ between two seeds: median ${quantile(differing, 0.5).toFixed(2)}, least ${Math.min(...differing).toFixed(2)} (wanted >= 0.40)`,
  );
}

/**
 * M24 and M25: does the show stay itself on other rigs (correlation of light with that on the last rig, bar by bar), and
 * under an analysis heard a little otherwise (share of cues that differ)?
 */
export function printSteadiness(rows: readonly ShowRow[], differing: readonly number[]): void {
  const rigs = [...new Set(rows.map((row) => row.rig))];
  const largest = rigs.at(-1)!;
  const likeness = rigs.slice(0, -1).map((rig) => {
    const all = rows.flatMap((row) => {
      const other = rows.find((one) => one.id === row.id && one.rig === largest)!;
      return row.rig === rig ? correlation(row.brightness, other.brightness) : [];
    });
    return `${rig} ${quantile(all, 0.5).toFixed(2)} (least ${Math.min(...all).toFixed(2)})`;
  });
  if (likeness.length > 0) console.log(`\nM24 light as on ${largest}: ${likeness.join(", ")} (wanted >= 0.80)`);
  console.log(
    `M25 cues that differ when beats shake by 10 ms and one edge moves a bar: median ${quantile(differing, 0.5).toFixed(2)}, most ${Math.max(...differing).toFixed(2)} (wanted < 0.15)`,
  );
}

function correlation(a: Float32Array, b: Float32Array): number {
  const n = Math.min(a.length, b.length);
  const [ma, mb] = [a, b].map((of) => of.subarray(0, n).reduce((sum, v) => sum + v, 0) / n) as [number, number];
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    ab += (a[i]! - ma) * (b[i]! - mb);
    aa += (a[i]! - ma) ** 2;
    bb += (b[i]! - mb) ** 2;
  }
  return aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : 0;
}

/** What makes a cue look different from another, its levels and colours left out. */
const SHAPES = [
  "step_beats",
  "offset_beats",
  "period_beats",
  "period_seconds",
  "cells",
  "direction",
  "spread",
  "move_beats",
];

/** Cues this near are at the same time, seconds. */
const SAME_MOMENT = 0.1;

/** Share of the cues of two plans that the other does not have: lane, time, intent and how it moves; colours do not count. */
export function cuesThatDiffer(a: LightingPlan, b: LightingPlan): number {
  const [ofA, ofB] = [timesByKind(a), timesByKind(b)];
  const count = (of: Map<string, number[]>) => [...of.values()].reduce((sum, times) => sum + times.length, 0);
  let shared = 0;
  for (const [kind, times] of ofA) {
    const others = ofB.get(kind) ?? [];
    for (let i = 0, k = 0; i < times.length && k < others.length;) {
      if (Math.abs(times[i]! - others[k]!) <= SAME_MOMENT) {
        shared++;
        i++;
        k++;
      } else if (times[i]! < others[k]!) i++;
      else k++;
    }
  }
  const all = count(ofA) + count(ofB);
  return all > 0 ? 1 - (2 * shared) / all : 0;
}

function timesByKind(plan: LightingPlan): Map<string, number[]> {
  const kinds = new Map<string, number[]>();
  for (const [lane, cues] of Object.entries(plan.event_lanes)) {
    for (const cue of cues) {
      const kind = JSON.stringify([lane, cue.intent, SHAPES.map((name) => cue.params[name])]);
      kinds.set(kind, [...(kinds.get(kind) ?? []), cue.time]);
    }
  }
  return kinds;
}

const CALM = /ballad|quartet|ambient|rubato|cappella/;
const FIERCE = /techno|house|trance|drum & bass|dubstep|metal|punk/;

/** Ballads should be calmer than techno: in every pair fewer light onsets and less light. */
export function printCalmness(rows: readonly ShowRow[]): void {
  const calm = rows.filter((row) => CALM.test(row.genre));
  const fierce = rows.filter((row) => FIERCE.test(row.genre));
  const valueOf = (row: ShowRow, id: string) => row.verdict.measures.find((m) => m.id === id)?.value ?? 0;
  for (const [id, name] of [
    ["R7", "light onsets per second"],
    ["R9", "mean light"],
  ] as const) {
    const pairs = calm.flatMap((a) => fierce.map((b) => valueOf(a, id) < valueOf(b, id)));
    const median = (of: readonly ShowRow[]) =>
      quantile(
        of.map((row) => valueOf(row, id)),
        0.5,
      ).toFixed(2);
    const share = pairs.filter(Boolean).length / Math.max(1, pairs.length);
    console.log(
      `${name}: calm songs ${median(calm)}, fierce ones ${median(fierce)}; calmer in ${share.toFixed(2)} of ${pairs.length} pairs`,
    );
  }
  const genres = [...Map.groupBy(rows, (row) => row.genre)].map(
    ([genre, of]) =>
      `${genre} ${quantile(
        of.map((r) => valueOf(r, "R7")),
        0.5,
      ).toFixed(1)}/${quantile(
        of.map((r) => valueOf(r, "R9")),
        0.5,
      ).toFixed(2)}`,
  );
  console.log(`onsets per second / mean light by genre: ${genres.join(", ")}`);
}

/** A line per song: what it won and its main figures. */
export function printSongs(rig: string, rows: readonly ShowRow[]): void {
  console.log(`\n== ${rig}: songs`);
  const ids = [
    "M6",
    "R1",
    "M7",
    "M18",
    "M4",
    "M8",
    "M9",
    "M10",
    "E1",
    "E3",
    "R4",
    "M11",
    "M12",
    "M15",
    "M16",
    "M17",
    "M17a",
    "R5",
    "R6",
    "R7",
  ];
  console.log(
    `${"".padEnd(24)} ${(rows[0]?.rivals ?? []).map((r) => r.name.slice(0, 5).padStart(5)).join(" ")}  ${ids.map((id) => id.padStart(5)).join(" ")}`,
  );
  for (const row of rows) {
    const won = row.rivals.map((rival) => rival.comparison.share.toFixed(2).padStart(5)).join(" ");
    const own = ids.map((id) => short(row.verdict.measures.find((m) => m.id === id)?.value).padStart(5)).join(" ");
    console.log(`${`${row.id} ${row.genre}`.slice(0, 24).padEnd(24)} ${won}  ${own}`);
  }
}
