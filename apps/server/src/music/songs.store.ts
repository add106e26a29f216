import { create, toJson, type MessageInitShape } from "@bufbuild/protobuf";
import type { SongStep, StepStatus } from "@followspot/contract";
import { SongSchema, type Song } from "@followspot/contract/music";
import type { Db } from "../platform/database.ts";
import { postEvent } from "../platform/outbox.ts";
import { likePattern, type Page, type PageRequest } from "../platform/pages.ts";
import { timestampOf } from "../platform/timestamps.ts";

/** A row of `songs` with the step at work, if any. */
export interface SongRow {
  readonly id: string;
  readonly title: string;
  readonly artist: string;
  readonly ytid: string;
  readonly url: string;
  readonly image_url: string;
  readonly source_file: string;
  readonly duration: number;
  readonly downloaded_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly stems_generated: boolean;
  readonly analysis_status: StepStatus;
  readonly lighting_status: StepStatus;
  readonly palette: readonly string[];
  readonly tempo: number;
  readonly musical_key: string;
  readonly source_warnings: readonly string[];
  readonly warnings: readonly string[];
  readonly error_message: string;
  readonly plan_seed: number;
  readonly step: SongStep | null;
  readonly progress: number | null;
}

const withStep = (db: Db) => db`
  select songs.*, job.step, job.progress
  from songs left join lateral (
    select step, progress from song_jobs
    where song_id = songs.id and state in ('queued', 'running') and step <> 'stems'
    order by created_at limit 1
  ) job on true`;

export async function findSong(db: Db, id: string): Promise<SongRow | undefined> {
  const [row] = await db<SongRow[]>`${withStep(db)} where songs.id = ${id}`;
  return row;
}

export async function findSongByVideo(db: Db, ytid: string): Promise<SongRow | undefined> {
  const [row] = await db<SongRow[]>`${withStep(db)} where songs.ytid = ${ytid}`;
  return row;
}

/** @param hash SHA-256 of an uploaded original, hex */
export async function findSongByFile(db: Db, hash: string): Promise<SongRow | undefined> {
  const [row] = await db<SongRow[]>`${withStep(db)} where songs.source_hash = ${hash}`;
  return row;
}

export interface SongListRequest extends PageRequest {
  readonly onlyDownloaded: boolean;
  /** ready, processing, error or "" for all. */
  readonly status: string;
}

/** Newest first: ids are ULIDs, so their order is that of creation. */
export async function listSongs(db: Db, request: SongListRequest): Promise<Page<SongRow>> {
  const pattern = likePattern(request.query);
  const [after] = request.after;
  const matching = db`
    (${pattern}::text is null or songs.title ilike ${pattern} or songs.artist ilike ${pattern} or songs.url ilike ${pattern})
    and (${!request.onlyDownloaded} or songs.downloaded_at is not null)
    ${statusIs(db, request.status)}`;
  const rows = await db<SongRow[]>`
    ${withStep(db)} where ${matching} and (${after ?? null}::text is null or songs.id < ${after ?? null})
    order by songs.id desc limit ${request.size === 0 ? null : request.size + 1}`;
  const [count] = await db<{ total: number }[]>`select count(*)::int as total from songs where ${matching}`;
  return { rows, total: count!.total }; // count(*) always has a row
}

/** The dashboard's three counts of specification §4. */
function statusIs(db: Db, status: string) {
  if (status === "ready") return db`and songs.analysis_status = 'ready' and songs.lighting_status = 'ready'`;
  if (status === "processing") return db`and 'processing' in (songs.analysis_status, songs.lighting_status)`;
  if (status === "error") return db`and 'error' in (songs.analysis_status, songs.lighting_status)`;
  return db``;
}

/** Tells every console what the song looks like now. */
export async function announceSong(db: Db, id: string, type = "song.updated"): Promise<void> {
  const row = await findSong(db, id);
  if (!row) return;
  const payload = { song: toJson(SongSchema, songFromRow(row)) };
  await postEvent(db, "songs", type, payload);
  await postEvent(db, `song.${id}`, type, payload);
}

/** Row → wire. */
export function songFromRow(row: SongRow): Song {
  const song: MessageInitShape<typeof SongSchema> = {
    id: row.id,
    title: row.title,
    artist: row.artist,
    audio: row.downloaded_at ? `/proxy/songs/${row.id}/audio.mp3` : "",
    ytid: row.ytid,
    url: row.url,
    imageUrl: row.image_url,
    coverImage: row.image_url,
    duration: row.duration,
    createdAt: timestampOf(row.created_at),
    updatedAt: timestampOf(row.updated_at),
    stemsGenerated: row.stems_generated,
    stemsPath: row.stems_generated ? `/proxy/songs/${row.id}/stems/` : "",
    analysisStatus: row.analysis_status,
    lightingStatus: row.lighting_status,
    colorPalette: row.palette.length > 0 ? JSON.stringify(row.palette) : "",
    step: row.step ?? "",
    percent: Math.round((row.progress ?? 0) * 100),
    errorMessage: row.error_message,
    tempo: row.tempo,
    key: row.musical_key,
    warnings: [...new Set([...row.source_warnings, ...row.warnings])],
  };
  if (row.downloaded_at) song.downloadedAt = timestampOf(row.downloaded_at);
  return create(SongSchema, song);
}
