import type { Style } from "./genres.ts";
import { hash, pick, seededChance } from "./score.ts";

/** A build of fewer bars cannot be seen to rise. */
const SHORTEST_BUILD = 4;

/** The style with another tempo and form: sections longer or shorter, one left out or come back to. */
export function varied(style: Style, id: string, seed: number): Style {
  const chance = seededChance(hash(`${id} form`) ^ seed);
  const entries = style.form.split(" ").map((entry) => {
    const [, label, bars, rest] = /^(\w+):(\d+)(:.*)$/.exec(entry)!;
    return { label: label!, bars: Number(bars), rest: rest! };
  });
  const longer =
    style.bpm > 150 || entries.reduce((sum, e) => sum + e.bars, 0) < 48 ? [1, 1, 1.5, 2] : [0.5, 1, 1, 1.5];
  const factors = new Map<string, number>();
  const changed = entries.map((entry) => {
    const factor = factors.get(entry.label) ?? pick(longer, chance);
    factors.set(entry.label, factor);
    const least = entry.label === "build" ? SHORTEST_BUILD : 2;
    return { ...entry, bars: Math.max(least, 2 * Math.round((entry.bars * factor) / 2)) };
  });
  const middle = changed.findLastIndex((e) => e.label === "bridge" || e.label === "break" || e.label === "verse");
  // Every third song leaves out its last quiet part, every third comes back to its first loud one.
  const kind = Math.floor(chance() * 3);
  const hasJump = style.jump !== undefined;
  if (kind === 1 && !hasJump && middle > 1 && changed.length > 5) changed.splice(middle, 1);
  if (kind === 2 && !hasJump && middle > 1) {
    const loud = changed.find((e) => e.label === "chorus" || e.label === "drop");
    if (loud) changed.splice(middle, 0, loud);
  }
  const form = changed.map((e) => `${e.label}:${e.bars}${e.rest}`).join(" ");
  return { ...style, bpm: style.bpm * (0.95 + 0.1 * chance()), form };
}
