import { needsItsFile } from "@followspot/contract";
import type { Song } from "@followspot/contract/music";
import { failedStep } from "../music/song-steps.ts";
import type { SongsOfRow } from "./song-list.tsx";

/**
 * Failed songs, those that failed at the same step for the same reason together; in the order of the first of each. Songs that
 * wait for a file from a person stand apart from those that a retry helps.
 */
export function songsByFault(songs: readonly Song[]): readonly SongsOfRow[] {
  const byFault = Map.groupBy(songs, (song) => `${failedStep(song)} ${needsItsFile(song)} ${song.errorMessage}`);
  return [...byFault.values()] as unknown as readonly SongsOfRow[]; // a group has what it was made for
}
