import type { SongAnalysis } from "@followspot/contract";
import { clockTime } from "../../lib/formatting.ts";
import type { Loop } from "../player/loop.ts";
import { filmStrings as text } from "./film.strings.ts";

/** Part of a song that can be exported as a film. */
export interface Stretch {
  readonly label: string;
  /** Start, song seconds. */
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the ranges that can be exported, most likely first: the loop if set, the section at the playhead, the whole
 * song.
 */
export function stretchesAt(
  { structure, duration }: Pick<SongAnalysis, "structure" | "duration">,
  loop: Loop | undefined,
  time: number,
): readonly Stretch[] {
  const section = structure.sections.findLast(({ start }) => start <= time);
  const named = (label: (from: string, to: string) => string, from: number, to: number): Stretch => {
    return { label: label(clockTime(from), clockTime(to)), from, to };
  };
  return [
    ...(loop ? [named(text.loop, loop.from, loop.to)] : []),
    ...(section ? [named((from, to) => text.section(section.label, from, to), section.start, section.end)] : []),
    { label: text.song(clockTime(duration)), from: 0, to: duration },
  ];
}
