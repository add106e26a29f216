import type { Drop, DropType, SectionLabel } from "@followspot/contract";
import { clamp, mean, round, weighed } from "../basics/maths.ts";
import type { Bar } from "../pulse/bars.ts";

/** A bar that releases the tension built up before it. */
export interface DropAt {
  /** Index of the bar. */
  readonly bar: number;
  readonly type: DropType;
  readonly confidence: number;
}

/** Evidence for a drop at a bar line; each value about 0..1. */
export interface DropEvidence {
  /** A snare roll in the last bar that was not there before. */
  readonly roll: number;
  /** Kicks return that had played earlier in the song. */
  readonly kick: number;
  /** The bass enters. */
  readonly bass: number;
  /** Power below 150 Hz rises. */
  readonly low: number;
  /** Treble rose over eight bars and falls at the bar line. */
  readonly riser: number;
  /** The network's probability of a section boundary. */
  readonly boundary: number;
  /** Share of synthesizers among the song's instruments. */
  readonly synths: number;
}

const BARS_BEFORE = 8;
const BARS_AFTER = 8;
/**
 * Shortest distance of two drops, bars: at least eight of drop and two of build-up. Of closer ones the more certain is
 * kept.
 */
const BARS_APART = 10;
/** Log odds of a drop: logistic regression over the changes of 180 held-out songs, 458 in all (training/fit.ts). */
const WEIGHTS: DropEvidence = { roll: 8, kick: 0.6, bass: 2.3, low: 0, riser: 0.3, boundary: 0.7, synths: 1.9 };
const BIAS = -5.5;
/**
 * Probability from which a drop is accepted. The threshold with the best F is half that F (Z. Lipton et al., "Optimal
 * thresholding of classifiers to maximize F1 measure", ECML 2014): 0.73 on the songs fitted on, where 0.5 gets 0.66;
 * 0.71 and 0.70 if each tenth is judged by weights from the others.
 */
const BELIEVED = 0.4;
/**
 * The same threshold on the evidence of the whole song, with F 0.90 if each third of the styles is judged by the
 * others.
 */
const CLAIMED = 0.45;

/**
 * Returns the bars with so much tension before them, and a full level after, that a section must begin there: a snare
 * roll, treble that rises over eight bars and falls at the change, kick and bass that were removed and return. Of bars
 * closer than ten the most certain is kept.
 * After the cues of K. Yadati et al., "Detecting drops in electronic dance music", ISMIR 2014.
 *
 * @param lines bars in which the sound changes, ascending
 */
export function findReleases(bars: readonly Bar[], lines: readonly number[]): number[] {
  const synths = synthShare(bars);
  const found = lines.flatMap((bar): DropAt[] => {
    const confidence = dropLikelihood(dropEvidence(bars, bar, synths));
    return confidence >= BELIEVED ? [{ bar, type: "drop", confidence }] : [];
  });
  return alone(found).map((drop) => drop.bar);
}

/** A section of a song with the probability that a drop begins with it. */
export interface NamedStart {
  readonly from: number;
  readonly label: SectionLabel;
  readonly dropBegins: number;
}

/**
 * Returns the moments of release: the starts of sections labeled drop after another label, and in between, returns of
 * bass or energy without a drop.
 *
 * @param lines bars in which the sound changes, ascending
 */
export function findDrops(bars: readonly Bar[], sections: readonly NamedStart[], lines: readonly number[]): DropAt[] {
  const drops = sections.flatMap(({ from, label, dropBegins }, i): DropAt[] =>
    label === "drop" && dropBegins >= CLAIMED && i > 0 && sections[i - 1]!.label !== "drop"
      ? [{ bar: from, type: "drop", confidence: dropBegins }]
      : [],
  );
  const isNear = (bar: number) => drops.some((drop) => Math.abs(drop.bar - bar) < BARS_APART);
  const lifts = alone(lines.flatMap((bar) => liftAt(bars, bar) ?? []).filter(({ bar }) => !isNear(bar)));
  return [...drops, ...lifts].sort((a, b) => a.bar - b.bar);
}

/** Keeps the most certain of drops closer than ten bars. */
function alone(found: readonly DropAt[]): DropAt[] {
  return found.filter(
    (drop) => !found.some((other) => Math.abs(other.bar - drop.bar) < BARS_APART && outranks(other, drop)),
  );
}

function outranks(a: DropAt, b: DropAt): boolean {
  return a.confidence > b.confidence || (a.confidence === b.confidence && a.bar < b.bar);
}

/** Converts a drop to the contract's form, at the downbeat of the bar. */
export function describeDrop(drop: DropAt, bars: readonly Bar[]): Drop {
  const held = bars.slice(drop.bar, drop.bar + BARS_AFTER);
  return {
    time: round(bars[drop.bar]!.start, 4),
    confidence: round(drop.confidence, 2),
    type: drop.type,
    energy: round(clamp(mean(held.map((b) => b.energy))), 3),
  };
}

/** Returns a return of bass or energy to a full level that is not a drop; undefined if there is none. */
function liftAt(bars: readonly Bar[], at: number): DropAt | undefined {
  const evidence = dropEvidence(bars, at, 0);
  if (!evidence) return undefined;
  const after = bars.slice(at, at + BARS_AFTER);
  const last = bars.slice(at - 2, at);
  const full = Math.min(mean(after.map((b) => b.energy)), mean(after.map((b) => b.bass))) > 0.8;
  const lift = mean(after.slice(0, 4).map((b) => b.energy)) - mean(last.map((b) => b.energy));
  if (full && evidence.low > 0.6 && lift < 0.45) {
    return { bar: at, type: "bass_drop", confidence: clamp(0.2 + 0.4 * evidence.low, 0, 0.6) };
  }
  if (full && lift > 0.45 && mean(last.map((b) => b.energy)) < 0.5) {
    return { bar: at, type: "chorus_lift", confidence: clamp(0.15 + 0.35 * lift, 0, 0.5) };
  }
  return undefined;
}

/** Returns the probability of a drop from its evidence; 0 without evidence. */
export function dropLikelihood(evidence: DropEvidence | undefined): number {
  return evidence ? 1 / (1 + Math.exp(-BIAS - weighed(evidence, WEIGHTS))) : 0;
}

/** Returns the evidence for a drop at a bar; undefined near the ends and if no full level follows. */
export function dropEvidence(bars: readonly Bar[], at: number, synths: number): DropEvidence | undefined {
  if (at < 3 || at >= bars.length - 3) return undefined;
  const before = bars.slice(Math.max(0, at - BARS_BEFORE), at);
  const after = bars.slice(at, at + BARS_AFTER);
  if (mean(after.map((b) => b.energy)) < 0.6 || mean(after.map((b) => b.bass)) < 0.5) return undefined;

  const early = before.slice(0, Math.max(1, before.length - 4));
  const last = before.slice(-2);
  const next = after.slice(0, 4);
  const kicks = mean(after.map((b) => b.players.kick));
  const kicksBefore = mean(before.slice(-4).map((b) => b.players.kick));
  const hadKicks = bars.slice(0, Math.max(0, at - 4)).filter((b) => b.players.kick > 0.7 * kicks).length >= 4;
  const tension = mean(last.map((b) => b.treble)) - mean(early.map((b) => b.treble));
  const release = before.at(-1)!.treble - mean(next.map((b) => b.treble));
  return {
    roll: clamp((before.at(-1)!.players.snare - mean(early.map((b) => b.players.snare))) / 0.3),
    kick: hadKicks ? clamp((kicks - kicksBefore) / 0.08) : 0,
    bass: clamp(mean(after.map((b) => b.players.bass)) - mean(before.slice(-4).map((b) => b.players.bass))),
    low: clamp(mean(next.map((b) => b.bass)) - Math.min(...last.map((b) => b.bass))),
    riser: clamp(tension * 1.6, 0, 0.8) + clamp(release * 2.5, 0, 0.8),
    boundary: bars[at]!.boundary,
    synths,
  };
}

/** Returns the share of synthesizers among all instruments except drums and bass, over the whole song. */
export function synthShare(bars: readonly Bar[]): number {
  const { lead, pad, mallet, ...others } = Object.fromEntries(
    (["lead", "pad", "mallet", "piano", "organ", "guitar", "strings", "brass", "reed"] as const).map((player) => [
      player,
      mean(bars.map((bar) => bar.players[player])),
    ]),
  ) as Record<string, number>;
  const synthetic = lead! + pad! + mallet!;
  const all = synthetic + Object.values(others).reduce((sum, v) => sum + v, 0);
  return all > 0 ? synthetic / all : 0;
}
