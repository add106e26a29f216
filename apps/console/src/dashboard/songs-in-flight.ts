import type { Song } from "@followspot/contract/music";
import { isOnItsWay } from "../music/song-badge.ts";

/** Songs on their way: those that move first, each once. @param lists rows of several readings */
export function songsInFlight(...lists: readonly (readonly Song[])[]): readonly Song[] {
  const byId = new Map(lists.flat().map((song) => [song.id, song]));
  const onTheirWay = [...byId.values()].filter(isOnItsWay);
  return onTheirWay.toSorted((a, b) => Number(isMoving(b)) - Number(isMoving(a)) || b.percent - a.percent);
}

/** A song whose step has begun; the others wait their turn. */
export const isMoving = ({ step, percent }: Pick<Song, "step" | "percent">): boolean => step !== "" && percent > 0;
