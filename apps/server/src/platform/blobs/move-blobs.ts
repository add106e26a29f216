import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { BlobError, type BlobSource, type BlobStore, type ListedBlob } from "./blob-store.ts";
import type { MoveNotes } from "./move-notes.ts";

/** Interval of progress messages, ms. */
const TELL_MS = 5000;

export interface MoveOptions {
  readonly from: BlobStore;
  readonly to: BlobStore;
  /** Whether Followspot already uses the new store, so that its files there are newer than those in the old one. */
  readonly isSwitched: boolean;
  readonly notes: MoveNotes;
  /** Receives progress messages. */
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Results of one pass, in files. */
export interface Moved {
  readonly copied: number;
  /** Already present with the same checksum. */
  readonly same: number;
  /** Written or removed in the new store since Followspot uses it; not touched. */
  readonly newer: number;
  /** Changed during the copy; another pass copies them. */
  readonly unsteady: number;
}

/**
 * Copies all files from one store to another while both are in use. Files with the same checksum are skipped, so that
 * another pass continues an interrupted one. Nothing is removed from the old store.
 * @throws BlobError if a store does not respond
 */
export async function moveBlobs(options: MoveOptions): Promise<Moved> {
  const { from, to, isSwitched, notes, say, signal } = options;
  const there = new Map<string, ListedBlob>();
  for await (const blob of to.list("songs/")) there.set(blob.key, blob);
  const here = new Map<string, ListedBlob>();
  for await (const blob of from.list("songs/")) if (!blob.key.includes(".tmp")) here.set(blob.key, blob);
  const moved = { copied: 0, same: 0, newer: 0, unsteady: 0 };
  let done = 0;
  const stop = new AbortController();
  const telling = tellOften(() => say(`${done} of ${here.size} files`), stop.signal);
  try {
    for (const blob of here.values()) {
      signal?.throwIfAborted();
      const { became, why = "" } = await moveOne(blob, there.get(blob.key), options);
      moved[became]++;
      if (why !== "") say(`${blob.key} is to be copied again: ${why}`);
      done++;
      await notes.save();
    }
    // Removes files of songs that were deleted since an earlier pass.
    if (!isSwitched) {
      const ended = notes.keys().filter((key) => !here.has(key));
      await to.remove(ended);
      for (const key of ended) notes.forget(key);
    }
  } finally {
    stop.abort();
    await telling;
    await notes.save(true);
  }
  return moved;
}

interface MovedOne {
  readonly became: keyof Moved;
  /** Reason for an unsteady file. */
  readonly why?: string;
}

/** Copies one file. Its content must be read to compare it, unless neither version has changed since it was copied. */
async function moveOne(
  blob: ListedBlob,
  there: ListedBlob | undefined,
  { from, to, isSwitched, notes, signal }: MoveOptions,
): Promise<MovedOne> {
  const { key } = blob;
  const note = notes.of(key);
  if (note && there && note.from === blob.etag && note.to === there.etag) return { became: "same" };
  const sha256 = await from.digest(key);
  if (sha256 === undefined) return { became: "same" }; // its song was deleted meanwhile
  const theirs = there && (await to.digest(key));
  if (theirs === sha256) {
    notes.note(key, { from: blob.etag, to: there!.etag, sha256 });
    return { became: "same" };
  }
  if (isSwitched && theirs !== note?.sha256) return { became: "newer" };
  const source: BlobSource = { bytes: blob.bytes, sha256, open: () => chunksOf(from, blob, signal) };
  try {
    await to.write(key, source, { signal });
  } catch (error) {
    if (!(error instanceof BlobError && (error.kind === "changed" || error.kind === "damaged"))) throw error;
    return { became: "unsteady", why: error.message };
  }
  const written = await to.stat(key);
  if (written?.bytes !== blob.bytes || (await to.digest(key)) !== sha256)
    return { became: "unsteady", why: `${to.name} holds ${written ? "other bytes" : "nothing"} under this name.` };
  notes.note(key, { from: blob.etag, to: written.etag, sha256 });
  return { became: "copied" };
}

async function* chunksOf(store: BlobStore, { key, etag }: ListedBlob, signal?: AbortSignal): AsyncGenerator<Buffer> {
  const found = await store.read(key, { etag, signal });
  if (!found) throw new BlobError("changed", `${key} was removed meanwhile.`);
  yield* found.chunks;
}

/**
 * Verifies every file of the old store by reading it completely in the new one.
 * @returns keys that are missing or damaged, except those removed there since the switch
 */
export async function checkMoved(options: Omit<MoveOptions, "isSwitched">): Promise<readonly string[]> {
  const { from, to, notes, say, signal } = options;
  const wrong: string[] = [];
  let done = 0;
  const stop = new AbortController();
  const telling = tellOften(() => say(`${done} files read`), stop.signal);
  try {
    for await (const { key } of from.list("songs/")) {
      signal?.throwIfAborted();
      if (!key.includes(".tmp") && !(await isWhole(to, key, notes))) wrong.push(key);
      done++;
    }
  } finally {
    stop.abort();
    await telling;
  }
  return wrong;
}

async function isWhole(to: BlobStore, key: string, notes: MoveNotes): Promise<boolean> {
  const note = notes.of(key);
  const blob = await to.read(key);
  if (!blob) return note !== undefined;
  const hash = createHash("sha256");
  try {
    for await (const chunk of blob.chunks) hash.update(chunk);
  } catch (error) {
    if (error instanceof BlobError && error.kind === "damaged") return false;
    throw error;
  }
  return note?.to !== blob.etag || hash.digest("hex") === note.sha256;
}

/** Removes everything from the old store. @returns number of files */
export async function removeOld(from: BlobStore): Promise<number> {
  const keys: string[] = [];
  for await (const { key } of from.list("songs/")) keys.push(key);
  await from.remove(keys);
  return keys.length;
}

async function tellOften(tell: () => void, until: AbortSignal): Promise<void> {
  for (;;) {
    const isOver = await pause(TELL_MS, false, { signal: until }).catch(() => true);
    if (isOver) return;
    tell();
  }
}
