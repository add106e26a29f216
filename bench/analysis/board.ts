import { OURS, type Answer } from "./engines.ts";
import { labelsRight } from "./form-board.ts";
import {
  areaUnderRoc,
  beatErrors,
  beatF,
  boundaryF,
  continuity,
  keyScore,
  matchF,
  mean,
  tempoRight,
  vocalAuc,
} from "./metrics.ts";
import type { Song } from "./songs.ts";

/** Metrics in the order in which they are printed. */
export const METRICS = [
  "beat F",
  "CMLt",
  "AMLt",
  "downbeat F",
  "Acc1",
  "Acc2",
  "key",
  "HR.5F",
  "HR3F",
  "labels",
  "drop F",
  "vocal AUC",
  "beat error ms",
  "× real time",
] as const;
export type Metric = (typeof METRICS)[number];

/** Least to be reached and hoped for, on the evaluation set. */
export const BARS: readonly { readonly metric: Metric; readonly floor: number; readonly goal: number }[] = [
  { metric: "beat F", floor: 0.85, goal: 0.93 },
  { metric: "AMLt", floor: 0.88, goal: 0.95 },
  { metric: "downbeat F", floor: 0.65, goal: 0.85 },
  { metric: "Acc1", floor: 0.85, goal: 0.92 },
  { metric: "Acc2", floor: 0.97, goal: 0.99 },
  { metric: "key", floor: 0.9, goal: 0.95 },
  { metric: "HR.5F", floor: 0.5, goal: 0.65 },
  { metric: "HR3F", floor: 0.76, goal: 0.85 },
  { metric: "labels", floor: 0.7, goal: 0.8 },
  { metric: "drop F", floor: 0.8, goal: 0.9 },
  { metric: "vocal AUC", floor: 0.75, goal: 0.85 },
  { metric: "× real time", floor: 40, goal: 80 },
];

/** The bars that an engine's answer can be held against. */
export function barsOf(rows: readonly Row[]): typeof BARS {
  return BARS.filter(({ metric }) => known(rows, [metric]).length > 0);
}

/** Metrics compared song by song. */
export const DUELS: readonly Metric[] = ["beat F", "downbeat F", "Acc1", "key"];

/** Scores nearer than this count as equal. */
export const TIE = 0.01;

export interface Row {
  readonly set: string;
  readonly engine: string;
  readonly song: Song;
  readonly scores: Readonly<Record<Metric, number | undefined>>;
  /** Seconds. */
  readonly beats: readonly number[];
  /** BPM */
  readonly tempo: number;
  /** Of matched beats, ms. */
  readonly errors: readonly number[];
  readonly meanPresence: number | undefined;
  /** Its time was taken in an earlier run. */
  readonly isCached: boolean;
}

const SHORT_WINDOW_SECONDS = 0.5;
const LONG_WINDOW_SECONDS = 3;

export function judge(
  set: string,
  engine: string,
  song: Song,
  answer: Answer,
  audioSeconds: number,
  isCached: boolean,
): Row {
  const { downbeats, key, sections, labels, drops, vocals } = answer;
  const errors = beatErrors(answer.beats, song.beats);
  const { cmlt, amlt } = continuity(answer.beats, song.beats);
  return {
    set,
    engine,
    song,
    beats: answer.beats,
    tempo: answer.tempo,
    errors,
    isCached,
    meanPresence: vocals && mean(vocals.presence),
    scores: {
      "beat F": beatF(answer.beats, song.beats),
      CMLt: cmlt,
      AMLt: amlt,
      "downbeat F": downbeats && song.downbeats && beatF(downbeats, song.downbeats),
      Acc1: Number(tempoRight(answer.tempo, song.tempo)),
      Acc2: Number(tempoRight(answer.tempo, song.tempo, true)),
      key: key === undefined || song.key === undefined ? undefined : keyScore(key, song.key),
      "HR.5F": sections && hitRate(sections, song, SHORT_WINDOW_SECONDS),
      HR3F: sections && hitRate(sections, song, LONG_WINDOW_SECONDS),
      labels: labels && song.sections && labelsRight(labels, song.sections),
      // A song without drops counts only where one is claimed: nothing found there is no merit.
      "drop F":
        drops && song.drops && drops.length + song.drops.length > 0
          ? matchF(drops, song.drops, SHORT_WINDOW_SECONDS)
          : undefined,
      "vocal AUC": vocals && song.vocals && vocalAuc(vocals.presence, vocals.rate, song.vocals),
      "beat error ms": errors.length === 0 ? undefined : mean(errors.map(Math.abs)),
      "× real time": answer.seconds > 0 ? audioSeconds / answer.seconds : undefined,
    },
  };
}

/** F of the starts of sections found; undefined where they are unknown. */
function hitRate(starts: readonly number[], { sections }: Song, windowSeconds: number): number | undefined {
  if (!sections) return undefined;
  return boundaryF(
    starts,
    sections.map((s) => s.start),
    sections.at(-1)!.end,
    windowSeconds,
  );
}

/** Those of the metrics that an engine's answer has been judged by: of some songs only the beats are known. */
export function known<M extends Metric>(rows: readonly Row[], metrics: readonly M[]): M[] {
  return metrics.filter((metric) => rows.some((row) => row.scores[metric] !== undefined));
}

/** Mean over the songs where the metric is defined. */
export function meanOf(rows: readonly Row[], metric: Metric): number | undefined {
  const scores = rows.map((r) => r.scores[metric]).filter((v) => v !== undefined);
  return scores.length === 0 ? undefined : mean(scores);
}

/** Songs with a voice told from songs without, by mean presence. */
export function wholeSongVocalAuc(rows: readonly Row[]): number | undefined {
  const presence = (isSung: boolean) =>
    rows.filter(({ song }) => song.vocals && song.vocals.length > 0 === isSung).flatMap((r) => r.meanPresence ?? []);
  return areaUnderRoc(presence(true), presence(false));
}

export interface Duel {
  readonly wins: number;
  readonly ties: number;
  readonly losses: number;
  /** Probability of at least so many wins among wins and losses if either were as good (sign test). */
  readonly chance: number;
}

/** Ours against one peer on the songs both answered; undefined where the peer does not offer the metric. */
export function duel(rows: readonly Row[], peer: string, metric: Metric): Duel | undefined {
  const pairs = of(rows, peer).flatMap((theirs): [number, number][] => {
    const ours = rows.find((r) => r.engine === OURS && r.song === theirs.song)?.scores[metric];
    const score = theirs.scores[metric];
    return ours === undefined || score === undefined ? [] : [[ours, score]];
  });
  return pairs.length === 0 ? undefined : duelOf(pairs);
}

/** @param pairs scores of ours and theirs on one song each; nearer than TIE they are even */
export function duelOf(pairs: readonly (readonly [number, number])[]): Duel {
  const leads = pairs.map(([ours, theirs]) => ours - theirs);
  const wins = leads.filter((lead) => lead >= TIE).length;
  const losses = leads.filter((lead) => lead <= -TIE).length;
  return { wins, ties: leads.length - wins - losses, losses, chance: signTest(wins, losses) };
}

/** "14-21-4 p 0.015" */
export function describeDuel(result: Duel | undefined): string {
  if (!result) return "–";
  return `${result.wins}-${result.ties}-${result.losses} p ${result.chance.toPrecision(2)}`;
}

/** Probability of `wins` heads or more in `wins + losses` throws of a fair coin. */
function signTest(wins: number, losses: number): number {
  const throws = wins + losses;
  let ways = 1;
  let sum = 0;
  for (let heads = throws; heads >= wins; heads--) {
    sum += ways * 0.5 ** throws;
    ways = (ways * heads) / (throws - heads + 1);
  }
  return sum;
}

/** The peer whose mean is highest; undefined where no peer offers the metric. */
export function bestPeer(rows: readonly Row[], metric: Metric): { engine: string; value: number } | undefined {
  let best: { engine: string; value: number } | undefined;
  for (const engine of enginesOf(rows)) {
    const value = meanOf(of(rows, engine), metric);
    if (engine !== OURS && value !== undefined && (!best || value > best.value)) best = { engine, value };
  }
  return best;
}

export function enginesOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.map((r) => r.engine))];
}

export function of(rows: readonly Row[], engine: string): Row[] {
  return rows.filter((r) => r.engine === engine);
}

/** The whole board, as text. */
export function printBoard(rows: readonly Row[]): void {
  for (const set of new Set(rows.map((r) => r.set))) {
    const own = rows.filter((r) => r.set === set);
    console.log(`\n# ${set}: ${of(own, OURS).length} songs`);
    printSongs(own);
    printMeans(own);
    printGenres(own);
    printDuels(own);
    printBars(own);
  }
}

function printSongs(rows: readonly Row[]): void {
  console.log("\nSong by song: ours / best peer");
  const metrics = known(rows, METRICS).filter((m) => m !== "beat error ms" && m !== "CMLt" && m !== "Acc2");
  console.log(cells("", metrics));
  for (const ours of of(rows, OURS)) {
    const peers = rows.filter((r) => r.song === ours.song && r.engine !== OURS);
    const pairs = metrics.map((metric) => {
      const scores = peers.map((r) => r.scores[metric]).filter((v) => v !== undefined);
      return `${format(ours.scores[metric])}/${format(scores.length === 0 ? undefined : Math.max(...scores))}`;
    });
    console.log(cells(`${ours.song.id} ${ours.song.genre}`, pairs));
  }
}

function printMeans(rows: readonly Row[]): void {
  console.log("\nMeans");
  const metrics = known(rows, METRICS);
  console.log(cells("", metrics));
  for (const engine of enginesOf(rows))
    console.log(
      cells(
        engine,
        metrics.map((m) => format(meanOf(of(rows, engine), m))),
      ),
    );
  const cached = enginesOf(rows).filter((engine) => of(rows, engine).some((r) => r.isCached));
  if (cached.length > 0)
    console.log(`Speeds of ${cached.join(", ")} were taken in an earlier run; --fresh takes them again.`);
  console.log("Speeds are × real time by CPU time on one core, decoding left out.");
  for (const engine of enginesOf(rows).filter((e) => e !== OURS)) {
    const ratio = meanOf(of(rows, OURS), "× real time")! / (meanOf(of(rows, engine), "× real time") ?? NaN);
    console.log(`  ours is ${ratio.toFixed(2)} × as fast as ${engine}`);
  }
}

function printGenres(rows: readonly Row[]): void {
  console.log("\nMeans per genre: ours / mean of the peer that is best over all songs");
  const metrics = known(rows, METRICS).filter((m) => BARS.some((bar) => bar.metric === m && m !== "× real time"));
  console.log(cells("", metrics));
  for (const genre of new Set(rows.map((r) => r.song.genre))) {
    const own = rows.filter((r) => r.song.genre === genre);
    const pairs = metrics.map((metric) => {
      const peer = bestPeer(rows, metric);
      return `${format(meanOf(of(own, OURS), metric))}/${format(peer && meanOf(of(own, peer.engine), metric))}`;
    });
    console.log(cells(genre, pairs));
  }
}

function printDuels(rows: readonly Row[]): void {
  console.log("\nOurs song by song: wins-ties-losses, and the chance of that if either were as good");
  const metrics = known(rows, DUELS);
  console.log(cells("against", metrics, DUEL_WIDTH));
  for (const engine of enginesOf(rows).filter((e) => e !== OURS)) {
    console.log(
      cells(
        engine,
        metrics.map((metric) => describeDuel(duel(rows, engine, metric))),
        DUEL_WIDTH,
      ),
    );
  }
}

function printBars(rows: readonly Row[]): void {
  console.log("\nBars");
  console.log(cells("", ["ours", "floor", "goal", "", "best peer"]));
  for (const { metric, floor, goal } of barsOf(rows)) {
    const value = meanOf(of(rows, OURS), metric);
    const peer = bestPeer(rows, metric);
    const named = peer ? `${format(peer.value)} ${peer.engine}` : "–";
    console.log(
      cells(metric, [format(value), String(floor), String(goal), verdict(value, floor, goal), `   ${named}`]),
    );
  }
  const whole = wholeSongVocalAuc(of(rows, OURS));
  if (whole !== undefined) console.log(cells("vocal AUC, whole songs", [format(whole)]));
}

export function verdict(value: number | undefined, floor: number, goal: number): "goal" | "pass" | "miss" | "–" {
  if (value === undefined) return "–";
  return value >= goal ? "goal" : value >= floor ? "pass" : "miss";
}

export function format(value: number | undefined): string {
  if (value === undefined) return "–";
  return value > 9 ? value.toFixed(0) : value.toFixed(2);
}

const DUEL_WIDTH = 22;

function cells(title: string, texts: readonly string[], width = 13): string {
  return title.padEnd(23).slice(0, 23) + texts.map((text) => text.padStart(width)).join("");
}
