import type { Drop, DropType } from "@followspot/contract";
import type { Bar } from "./bars.ts";
import { clamp, mean, round } from "./maths.ts";

/** A bar that releases what was built up before it. */
export interface DropAt {
  /** Index of the bar. */
  readonly bar: number;
  readonly type: DropType;
  readonly confidence: number;
}

const BARS_BEFORE = 8;
const BARS_AFTER = 8;
const BARS_APART = 6;
/** Treble a riser leaves behind at the drop, in units of the range of the song. */
const SHARP_RELEASE = 0.1;

/**
 * Find drops where the sound changes: tension before (treble that rises over eight bars, then falls at
 * change), bass that was taken away and returns, and a full level held for the next bars. Of
 * changes closer than six bars the surest stays.
 *
 * @param lines bars where the sound changes, ascending
 *
 * After the cues of K. Yadati et al., "Detecting drops in electronic dance music", ISMIR 2014.
 */
export function findDrops(bars: readonly Bar[], lines: readonly number[]): DropAt[] {
  const found: DropAt[] = [];
  for (const at of lines) {
    if (at < 3 || at >= bars.length - 3) continue;
    const drop = judge(bars, at);
    if (drop) found.push(drop);
  }
  return found.filter(
    (drop) => !found.some((other) => Math.abs(other.bar - drop.bar) < BARS_APART && outranks(other, drop)),
  );
}

function outranks(a: DropAt, b: DropAt): boolean {
  return a.confidence > b.confidence || (a.confidence === b.confidence && a.bar < b.bar);
}

/** As the contract wants it, at the downbeat of the bar. */
export function describeDrop(drop: DropAt, bars: readonly Bar[]): Drop {
  const held = bars.slice(drop.bar, drop.bar + BARS_AFTER);
  return {
    time: round(bars[drop.bar]!.start, 4),
    confidence: round(drop.confidence, 2),
    type: drop.type,
    energy: round(clamp(mean(held.map((b) => b.energy))), 3),
  };
}

function judge(bars: readonly Bar[], at: number): DropAt | undefined {
  const before = bars.slice(Math.max(0, at - BARS_BEFORE), at);
  const after = bars.slice(at, at + BARS_AFTER);
  const held = Math.min(mean(after.map((b) => b.energy)), mean(after.map((b) => b.bass)));
  if (held < 0.7) return undefined;

  const last = before.slice(-2);
  const early = before.slice(0, Math.max(1, before.length - 4));
  const tension = mean(last.map((b) => b.treble)) - mean(early.map((b) => b.treble));
  const swell = mean(last.map((b) => b.energy)) - mean(early.map((b) => b.energy));
  const release = before.at(-1)!.treble - mean(after.slice(0, 4).map((b) => b.treble));
  const bassBefore = Math.min(...last.map((b) => b.bass));
  const bassReturn = mean(after.slice(0, 4).map((b) => b.bass)) - bassBefore;
  const lift = mean(after.slice(0, 4).map((b) => b.energy)) - mean(last.map((b) => b.energy));

  const build = clamp(tension * 1.6) + clamp(swell * 0.6) + clamp(release * 2.5, -0.5, 1);
  const stepped = Math.abs(before.at(-1)!.energy - before.at(-2)!.energy) > 0.35;
  if (at >= BARS_BEFORE && !stepped && tension > 0.12 && release > SHARP_RELEASE && build + clamp(bassReturn) > 0.6) {
    const confidence = clamp(0.4 + 0.25 * build + 0.4 * clamp(bassReturn), 0, 0.95);
    return { bar: at, type: "drop", confidence };
  }
  if (bassReturn > 0.6 && lift < 0.45 && held > 0.8) {
    return { bar: at, type: "bass_drop", confidence: clamp(0.2 + 0.4 * bassReturn, 0, 0.6) };
  }
  if (lift > 0.45 && held > 0.8 && mean(last.map((b) => b.energy)) < 0.5) {
    return { bar: at, type: "chorus_lift", confidence: clamp(0.15 + 0.35 * lift, 0, 0.5) };
  }
  return undefined;
}
