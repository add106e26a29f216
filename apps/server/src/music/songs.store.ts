import { create, toJson, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { SongStep, StepStatus } from "@followspot/contract";
import { SongSchema, type Song } from "@followspot/contract/music";
import type { Db } from "../platform/database.ts";
import { postEvent } from "../platform/outbox.ts";

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
    where song_id = songs.id and state in ('queued', 'running')
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

export interface SongFilter {
  readonly onlyDownloaded: boolean;
  readonly query: string;
  readonly filter: string;
  /** 0 is all. */
  readonly pageSize: number;
  /** created_at (ISO) and id of the last row of the page before. */
  readonly after: readonly [string, string] | undefined;
}

export async function listSongs(db: Db, by: SongFilter): Promise<{ rows: SongRow[]; total: number }> {
  const pattern = `%${by.query.replaceAll(/[\\%_]/g, "\\$&")}%`;
  const matching = db`
    ${by.onlyDownloaded ? db`songs.downloaded_at is not null` : db`true`}
    ${by.query ? db`and (songs.title ilike ${pattern} or songs.artist ilike ${pattern} or songs.url ilike ${pattern})` : db``}
    ${statusIs(db, by.filter)}`;
  const rows = await db<SongRow[]>`
    ${withStep(db)} where ${matching}
    ${by.after ? db`and (date_trunc('milliseconds', songs.created_at), songs.id) < (${by.after[0]}::timestamptz, ${by.after[1]})` : db``}
    order by date_trunc('milliseconds', songs.created_at) desc, songs.id desc
    ${by.pageSize > 0 ? db`limit ${by.pageSize}` : db``}`;
  const [count] = await db`select count(*)::int as total from songs where ${matching}`;
  return { rows: [...rows], total: count?.total ?? 0 };
}

/** The dashboard's three counts of specification §4. */
function statusIs(db: Db, filter: string) {
  if (filter === "ready") return db`and songs.analysis_status = 'ready' and songs.lighting_status = 'ready'`;
  if (filter === "processing") return db`and 'processing' in (songs.analysis_status, songs.lighting_status)`;
  if (filter === "error") return db`and 'error' in (songs.analysis_status, songs.lighting_status)`;
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
    createdAt: timestampFromDate(row.created_at),
    updatedAt: timestampFromDate(row.updated_at),
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
    warnings: [...row.warnings],
  };
  if (row.downloaded_at) song.downloadedAt = timestampFromDate(row.downloaded_at);
  return create(SongSchema, song);
}
