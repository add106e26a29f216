import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Truth } from "./evaluation-set/score.ts";

type Known = "id" | "genre" | "tempo" | "beats";

/** A song and what is known about it: at least its beats. */
export interface Song extends Pick<Truth, Known>, Partial<Omit<Truth, Known>> {
  /** Path of the audio file. */
  readonly path: string;
}

/**
 * Read a folder with `index.json`, `audio/` and `truth/ID.json`.
 * @returns undefined when there is no such folder
 */
export function readSongs(folder: string): Song[] | undefined {
  const index = join(folder, "index.json");
  if (!existsSync(index)) return undefined;
  const entries = JSON.parse(readFileSync(index, "utf8")) as { id: string; audio: string }[];
  return entries.map(({ id, audio }) => {
    const truth = JSON.parse(readFileSync(join(folder, "truth", `${id}.json`), "utf8")) as Truth;
    return { ...truth, path: join(folder, audio) };
  });
}

/**
 * The songs of a folder, or those of them that are named. Where there are none, the process ends and says what to do.
 * @param only ids with commas between
 */
export function songsOf(folder: string, only?: string): Song[] {
  const ids = only?.split(",");
  const songs = (readSongs(folder) ?? []).filter(({ id }) => !ids || ids.includes(id));
  if (songs.length > 0) return songs;
  const missing = ids ? `no song ${only}` : "no songs";
  console.error(`${folder} holds ${missing}. Name a folder with index.json, audio/ and truth/ by --songs.`);
  process.exit(1);
}
