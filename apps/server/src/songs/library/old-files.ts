import type { SongAnalysis } from "@followspot/contract";
import { countMp3Frames } from "../audio/mp3-frames.ts";
import { STEM_FILES, withoutStems } from "../audio/write-stems.ts";
import { BlobError } from "../../platform/blobs/blob-store.ts";
import type { Sql, Tx } from "../../platform/database/database.ts";
import { lockOf } from "../../platform/database/locks.ts";
import { transact } from "../../platform/database/transaction.ts";
import {
  isSongUnused,
  noteLooked,
  OLD_KINDS,
  unusedSongs,
  type OldKind,
  type UnusedSong,
} from "../catalog/old-files.store.ts";
import type { SongFiles } from "../catalog/song-files.ts";
import { announceSong, lockSong, mayTouchFiles, updateSong, type SongRow } from "../catalog/songs.store.ts";
import { isSource } from "../catalog/step-files.ts";

/** Days without use after which files of a kind are removed; undefined: never removed. */
export type KeptDays = Readonly<Record<OldKind, number | undefined>>;

/** Files of one kind that belong to a song unused for that long. */
export interface OldFiles {
  readonly song: UnusedSong;
  readonly kind: OldKind;
  readonly names: readonly string[];
  readonly bytes: number;
  /** Whether the files must stay because audio.mp3, the only other copy of the song's audio, is damaged. */
  readonly isNeeded: boolean;
}

export interface OldFilesPorts {
  readonly sql: Sql;
  readonly files: SongFiles;
}

/** Result of one run of the removal. */
export interface Purged {
  readonly files: number;
  readonly bytes: number;
  readonly songs: number;
  /** True if the run stopped early because a backup was listing files; the rest waits for the next run. */
  readonly isCutShort: boolean;
}

/** Returns text for the log and the command line: "12 files (340.2 MB) of 3 songs that were not used were removed". */
export const describePurged = ({ files, bytes, songs }: Purged): string =>
  `${files} files (${(bytes / 1e6).toFixed(1)} MB) of ${songs} songs that were not used were removed`;

/** Tolerated difference between the lengths of audio.mp3 and its song, s: songs count whole seconds, encoders pad. */
const SOUND_SLACK_SECONDS = 2;

const STEMS: readonly string[] = Object.values(STEM_FILES);
const IS_OLD: Readonly<Record<OldKind, (name: string) => boolean>> = {
  stems: (name) => STEMS.includes(name),
  original: isSource,
};

/**
 * Yields what {@link purgeOldFiles} would process now, song by song; `names` is empty for a song without such files.
 */
export async function* findOldFiles({ sql, files }: OldFilesPorts, days: KeptDays): AsyncGenerator<OldFiles> {
  for (const kind of OLD_KINDS) {
    const most = days[kind];
    for (const song of most === undefined ? [] : await unusedSongs(sql, kind, most)) {
      const found = (await files.list(song.id)).filter(({ name }) => IS_OLD[kind](name));
      yield {
        song,
        kind,
        names: found.map(({ name }) => name),
        bytes: found.reduce((sum, { bytes }) => sum + bytes, 0),
        isNeeded: kind === "original" && found.length > 0 && !(await isSoundWhole(files, song)),
      };
    }
  }
}

/**
 * Removes stems and originals of songs that were unused for the configured days. Stops early while a backup lists
 * files; the remaining files are still old at the next run.
 *
 * @param onPurged called with the removed files of each song
 */
export async function purgeOldFiles(
  ports: OldFilesPorts,
  days: KeptDays,
  onPurged: (old: OldFiles) => void = () => {},
): Promise<Purged> {
  let [count, bytes, isCutShort] = [0, 0, false];
  const songs = new Set<string>();
  for await (const old of findOldFiles(ports, days)) {
    const outcome = await purgeOne(ports, old, days[old.kind]!); // only kinds with days are found
    isCutShort = outcome === "busy";
    if (isCutShort) break;
    if (outcome !== "removed") continue;
    count += old.names.length;
    bytes += old.bytes;
    songs.add(old.song.id);
    onPurged(old);
  }
  return { files: count, bytes, songs: songs.size, isCutShort };
}

/**
 * Runs {@link purgeOldFiles} in one process at a time across all replicas.
 * @returns undefined if another process is running it
 */
export async function purgeAlone(
  ports: OldFilesPorts,
  days: KeptDays,
  onPurged: (old: OldFiles) => void,
): Promise<Purged | undefined> {
  const connection = await ports.sql.reserve();
  try {
    const [lock] = await connection<
      { ours: boolean }[]
    >`select pg_try_advisory_lock(${lockOf(connection, "oldFiles")}) as ours`;
    if (!lock?.ours) return undefined;
    try {
      return await purgeOldFiles(ports, days, onPurged);
    } finally {
      await connection`select pg_advisory_unlock(${lockOf(connection, "oldFiles")})`;
    }
  } finally {
    connection.release();
  }
}

/** Holds the song's lock, so that no step of it starts. The next run completes what a crash left undone. */
function purgeOne({ sql, files }: OldFilesPorts, old: OldFiles, days: number): Promise<"busy" | "left" | "removed"> {
  const { kind, names, isNeeded } = old;
  return transact(sql, async (tx) => {
    if (!(await mayTouchFiles(tx))) return "busy";
    const song = await lockSong(tx, old.song.id);
    if (!song || !(await isSongUnused(tx, song.id, kind, days))) return "left";
    await noteLooked(tx, song.id, kind);
    if (isNeeded) return "left";
    await forget(tx, files, song, kind);
    await files.removeFiles(song.id, names);
    return names.length > 0 ? "removed" : "left";
  });
}

/** Updates the song's row and analysis, which name these files. */
async function forget(tx: Tx, files: SongFiles, song: SongRow, kind: OldKind): Promise<void> {
  if (kind === "original")
    return void (song.source_file !== "" && (await updateSong(tx, song.id, { source_file: "" })));
  const analysis = (await files.readJson(song.id, "hybrid.json")) as SongAnalysis | undefined; // our own file
  if (analysis?.stems.drums) await files.writeJson(song.id, "hybrid.json", withoutStems(analysis));
  if (!song.stems_generated) return;
  await updateSong(tx, song.id, { stems_generated: false });
  await announceSong(tx, song.id);
}

/** Whether audio.mp3 has all of its frames and is as long as the song. */
async function isSoundWhole(files: SongFiles, { id, duration }: UnusedSong): Promise<boolean> {
  const sound = await files.read(id, "audio.mp3");
  if (!sound) return false;
  try {
    const { seconds, isCut } = await countMp3Frames(sound.chunks);
    return !isCut && Math.abs(seconds - duration) <= SOUND_SLACK_SECONDS;
  } catch (error) {
    if (error instanceof BlobError && error.kind === "damaged") return false;
    throw error;
  }
}
