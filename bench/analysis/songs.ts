import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What is known about a song by construction. */
export interface SongTruth {
  readonly id: string;
  readonly genre: string;
  /** Path of the audio file. */
  readonly path: string;
  readonly tempo: number;
  readonly key: string;
  readonly beats: readonly number[];
  readonly downbeats: readonly number[];
  readonly sections: readonly { readonly start: number }[];
  readonly drops: readonly number[];
}

/**
 * Read a folder with `index.json`, `audio/` and `truth/ID.json`.
 * @returns undefined when there is no such folder
 */
export function readSongs(folder: string): SongTruth[] | undefined {
  const index = join(folder, "index.json");
  if (!existsSync(index)) return undefined;
  const entries = JSON.parse(readFileSync(index, "utf8")) as { id: string; audio: string }[];
  return entries.map(({ id, audio }) => {
    const truth = JSON.parse(readFileSync(join(folder, "truth", `${id}.json`), "utf8")) as Omit<SongTruth, "path">;
    return { ...truth, path: join(folder, audio) };
  });
}
