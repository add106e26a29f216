/**
 * How far beat trackers agree: the mean mutual agreement of A. Holzapfel et al., "Selective sampling for beat tracking
 * evaluation", IEEE TASLP 2012, where it is measured in bits of information gain; trackers of one method have one voice.
 */
import { describeDuel, duelOf, TIE, type Row } from "./board.ts";
import type { Answer, Engine } from "./engines.ts";
import { beatF, continuity, informationGain, mean } from "./metrics.ts";

/** How far two trackers agree, or one with several on the average. */
export interface Agreement {
  /** Beat F, 0..1: level and phase as the peers have them. */
  readonly f: number;
  /** AMLt, 0..1: any level, beat or off-beat. */
  readonly amlt: number;
  /** Information gain, 0..5.3 bits: any phase; twice or half the level costs one. */
  readonly bits: number;
}

export const FIGURES = { f: "beat F", amlt: "AMLt", bits: "bits" } as const;
type Figure = keyof typeof FIGURES;
const figures = Object.keys(FIGURES) as Figure[];

/** How far each two engines agree on one song, by their places among the engines. */
export type Met = readonly (readonly Agreement[])[];

/** What each two lists of beats have in common. */
export function meet(beats: readonly Answer["beats"][]): Met {
  return beats.map((own) => beats.map((other) => compare(own, other)));
}

/** Of two lists of beats, s. */
export function compare(own: Answer["beats"], other: Answer["beats"]): Agreement {
  return {
    f: beatF(own, other),
    amlt: (continuity(own, other).amlt + continuity(other, own).amlt) / 2,
    bits: informationGain(own, other),
  };
}

/**
 * Mean agreement with the methods of the peers, a method's agreement being the mean over its trackers: twins would else vouch
 * for each other. Ours is never part of the consensus.
 *
 * @param withEach agreement with each engine
 * @param except   methods that are not asked
 */
export function agree(
  withEach: readonly Agreement[],
  engines: readonly Engine[],
  except: readonly string[] = [],
): Agreement {
  const others = engines.map(({ method, isContender }, n) => ({ method, isContender, agreement: withEach[n]! }));
  const heeded = others.filter(({ method, isContender }) => !isContender && !except.includes(method));
  const voices = [...Map.groupBy(heeded, ({ method }) => method).values()];
  return meanOf(voices.map((trackers) => meanOf(trackers.map(({ agreement }) => agreement))));
}

export function meanOf(agreements: readonly Agreement[]): Agreement {
  const over = (figure: Figure) => mean(agreements.map((agreement) => agreement[figure]));
  return { f: over("f"), amlt: over("amlt"), bits: over("bits") };
}

/**
 * Print ours, and each other contender, beside each peer before the same others, the methods of neither: else each would be
 * spared other ones. By the sign test, as on the board.
 */
export function printDuels(tracks: readonly Met[], engines: readonly Engine[]): void {
  for (const [contender, { name, isContender }] of engines.entries()) {
    if (!isContender) continue;
    console.log(
      `\n${name} / each peer before the same trackers; tracks won-even-lost, and the chance of that between equals`,
    );
    console.log("".padEnd(34) + figures.map((figure) => FIGURES[figure].padStart(36)).join(""));
    for (const [n, peer] of engines.entries())
      if (!peer.isContender) console.log(peer.name.padEnd(34) + describeDuels(tracks, engines, contender, n));
  }
}

/** A cell per figure. @param contender, peer places among the engines */
function describeDuels(tracks: readonly Met[], engines: readonly Engine[], contender: number, peer: number): string {
  const except = [engines[peer]!.method];
  const pairs = tracks.map(
    (met) => [agree(met[contender]!, engines, except), agree(met[peer]!, engines, except)] as const,
  );
  const cells = figures.map((figure) => {
    const [own, their] = [0, 1].map((side) => mean(pairs.map((pair) => pair[side]![figure])).toFixed(2));
    return `${own} / ${their}  ${describeDuel(duelOf(pairs.map(([a, b]) => [a[figure], b[figure]])))}`;
  });
  return cells.map((text) => text.padStart(36)).join("");
}

/**
 * Songs with truth: print how far each tracker agrees with the others beside how far with the truth, and how often the one
 * of two that agrees better is nearer to it. So it is seen what agreement is worth where the truth is unknown.
 */
export function printAgreementBesideTruth(rows: readonly Row[], engines: readonly Engine[]): void {
  const songs = [...Map.groupBy(rows, (row) => row.song)].map(([song, answers]) => {
    const beats = engines.map(({ name }) => answers.find((row) => row.engine === name)!.beats);
    return { met: meet(beats), truth: beats.map((own) => compare(own, song.beats)) };
  });
  console.log(`\nMean agreement with the other trackers / with the truth on ${songs.length} songs`);
  console.log("".padEnd(34) + figures.map((figure) => FIGURES[figure].padStart(16)).join(""));
  for (const [n, { name, method }] of engines.entries()) {
    const agreement = meanOf(songs.map(({ met }) => agree(met[n]!, engines, [method])));
    const truth = meanOf(songs.map((song) => song.truth[n]!));
    const texts = figures.map((figure) => `${agreement[figure].toFixed(2)} / ${truth[figure].toFixed(2)}`.padStart(16));
    console.log(name.padEnd(34) + texts.join(""));
  }
  const shares = figures.map((figure) => {
    const pairs = songs.map((song) => judgements(song, engines, figure));
    const sum = (of: "right" | "judged") => pairs.reduce((total, pair) => total + pair[of], 0);
    return `${FIGURES[figure]} ${sum("right")} of ${sum("judged")}`;
  });
  console.log(
    `Of two trackers the one that agrees better is nearer to the truth in beat F: ${shares.join(", ")} pairs`,
  );
  printDuels(
    songs.map(({ met }) => met),
    engines,
  );
}

/** Pairs of trackers of two methods that differ in agreement and in truth: those where both say the same, and all. */
export function judgements(
  { met, truth }: { readonly met: Met; readonly truth: readonly Agreement[] },
  engines: readonly Engine[],
  figure: Figure,
): { readonly right: number; readonly judged: number } {
  let right = 0;
  let judged = 0;
  for (const [a, { method }] of engines.entries()) {
    for (const [b, other] of engines.slice(0, a).entries()) {
      const [here, there] = [a, b].map((n) => agree(met[n]!, engines, [method, other.method])[figure]);
      const lead = here! - there!;
      const nearer = truth[a]!.f - truth[b]!.f;
      if (other.method === method || Math.abs(lead) < TIE || Math.abs(nearer) < TIE) continue;
      judged++;
      if (lead * nearer > 0) right++;
    }
  }
  return { right, judged };
}

export function cell(agreement: Agreement): string {
  return figures.map((figure) => agreement[figure].toFixed(2)).join(" / ");
}
