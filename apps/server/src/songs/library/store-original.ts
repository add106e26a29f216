import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { Transform, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { unreadable } from "../audio/audio-error.ts";
import { SNIFF_BYTES, sniffAudio } from "../audio/sniff-audio.ts";
import type { Caller } from "../../platform/caller.ts";
import type { Sql } from "../../platform/database/database.ts";
import { isDiskFull } from "../../platform/files/disk.ts";
import { exhausted, invalid, unavailable } from "../../platform/errors.ts";
import { newId } from "../../platform/database/ids.ts";
import { readHead } from "../../platform/http/read-head.ts";
import { transact } from "../../platform/database/transaction.ts";
import { retrySong } from "./change-song.ts";
import { importFile, type AddedSong } from "./import-song.ts";
import type { SongFiles } from "../catalog/song-files.ts";
import { knownSongs, lockSong, updateSong, type SongRow } from "../catalog/songs.store.ts";

/** Size and SHA-256 (hex) of a stored original. */
export interface Received {
  readonly size: number;
  readonly hash: string;
}

interface OfOriginals {
  readonly sql: Sql;
  readonly files: SongFiles;
}

/**
 * Receives an original, stores it and creates a song from it. If the same bytes belong to an existing song, that song
 * is returned. Its file is restored if it was missing, and its processing restarted if it had failed. Nothing partial
 * remains after an error.
 * @param write writes the bytes to a path
 */
export async function storeOriginal(
  { sql, files }: OfOriginals,
  caller: Caller,
  name: string,
  write: (path: string) => Promise<Received>,
): Promise<AddedSong> {
  const id = newId();
  const work = await files.openWork(id, ".tmp-upload");
  const partial = join(work.folder, "source.tmp");
  try {
    const { size, hash } = await write(partial);
    if (size === 0) throw invalid("The file is empty. Choose another one.");
    const head = await readHead(partial, SNIFF_BYTES);
    const format = sniffAudio(head);
    if (!format) throw invalid(unreadable(head).message);
    const source = `source.${format}`;
    await files.take(id, source, partial);
    const added = await importFile(sql, caller, id, { name, source, hash, bytes: size });
    if (added.isNew) return added;
    const isLost = added.song.url === "" && !(await hasOriginal(files, added.song));
    if (isLost) await giveBack({ sql, files }, added.song.id, id, source);
    await files.remove(id);
    if (!isLost || added.song.analysis_status !== "error") return added;
    // The song failed without this file, or was stopped; with the file it continues.
    return { ...added, song: await retrySong(sql, caller, added.song.id, "download"), isRestarted: true };
  } catch (error) {
    // If the database cannot confirm whether the song was stored, its original stays for now; unknown folders are
    // deleted later.
    const kept = await knownSongs(sql, [id]).catch(() => new Set([id]));
    // Files in an unavailable store are deleted later as well.
    if (!kept.has(id)) await files.remove(id).catch(() => undefined);
    if (isDiskFull(error))
      throw unavailable("There is no space left on the server's disk. Free some and upload again.", error);
    throw error;
  } finally {
    await work.close();
  }
}

/** Whether the store has a song's original: old originals are removed, and files get lost. */
async function hasOriginal(files: SongFiles, { id, source_file: source }: SongRow): Promise<boolean> {
  return source !== "" && (await files.stat(id, source)) !== undefined;
}

/**
 * Restores the missing original of a song.
 * @param from ID whose folder contains the file `source`
 */
async function giveBack({ sql, files }: OfOriginals, songId: string, from: string, source: string): Promise<void> {
  const path = await files.localCopy(from, source);
  if (path === undefined) throw new Error(`${source} was written a moment ago and is not there`);
  await transact(sql, async (tx) => {
    if (!(await lockSong(tx, songId))) return;
    await files.keep(songId, source, path);
    await updateSong(tx, songId, { source_file: source });
  });
}

const TOO_LARGE = "The file is larger than 2 GB. Upload a shorter or compressed one.";

/**
 * Streams bytes to disk. The size is limited while they arrive, not afterwards.
 * @param tooLarge error message beyond the limit
 */
export async function receive(from: Readable, path: string, most: number, tooLarge = TOO_LARGE): Promise<Received> {
  let size = 0;
  const hash = createHash("sha256");
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      hash.update(chunk);
      if (size > most) done(exhausted(tooLarge));
      else done(null, chunk);
    },
  });
  // The connection stays open for the response to a request that is rejected while it arrives.
  await pipeline(from.iterator({ destroyOnReturn: false }), meter, createWriteStream(path, { flush: true }));
  return { size, hash: hash.digest("hex") };
}
