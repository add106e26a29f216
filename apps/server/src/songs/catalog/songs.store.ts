import { create, toJson, type MessageInitShape } from "@bufbuild/protobuf";
import type { SongOutline, SongStep, StepStatus } from "@followspot/contract";
import { SongSchema, type Song } from "@followspot/contract/music";
import type { Entry } from "../../platform/database/change.ts";
import { asJson, type Db, type Tx } from "../../platform/database/database.ts";
import { readAll, type Fragment, type ListDefinition } from "../../platform/database/lists.ts";
import { lockOf } from "../../platform/database/locks.ts";
import { tell } from "../../platform/database/outbox.ts";
import { timestampOf } from "../../platform/database/timestamps.ts";

/** A row of `songs` with its active step, if any. */
export interface SongRow {
  readonly id: string;
  readonly title: string;
  readonly artist: string;
  readonly ytid: string;
  readonly url: string;
  readonly has_cover: boolean;
  readonly named_by_person: boolean;
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
  /** Number of the current plan; 0 before plans were numbered. */
  readonly plan_number: number;
  /** The first remark of the planner's self-assessment. */
  readonly show_remark: string;
  readonly step: SongStep | null;
  readonly progress: number | null;
  /** Activity of the running step. */
  readonly note: string | null;
  /** Start of the running step; null while it is queued. */
  readonly started_at: Date | null;
  /** Outline for song lists; null until the show is planned. */
  readonly outline: SongOutline | null;
}

/** List of songs, newest first: IDs are ULIDs, which sort by creation time. */
export const SONG_LIST: ListDefinition = {
  columns: (db) => db`
    songs.id, songs.title, songs.artist, songs.ytid, songs.url, songs.has_cover, songs.named_by_person,
    songs.source_file, songs.duration, songs.downloaded_at, songs.created_at, songs.updated_at,
    songs.stems_generated, songs.analysis_status, songs.lighting_status, songs.palette, songs.tempo,
    songs.musical_key, songs.source_warnings, songs.warnings, songs.error_message, songs.plan_number,
    songs.show_remark, songs.outline, job.step, job.progress, job.note, job.started_at`,
  from: (db) => db`
    songs left join lateral (
      select step, progress, note, case when state = 'running' then started_at end as started_at from song_jobs
      where song_id = songs.id and state in ('queued', 'running') and step <> 'stems'
      order by created_at limit 1
    ) job on true`,
  id: (db) => db`songs.id`,
  idType: "text",
  orders: {
    created_at: "id",
    title: { by: (db) => db`lower(songs.title)`, type: "text" },
    artist: { by: (db) => db`lower(songs.artist)`, type: "text" },
    duration: { by: (db) => db`songs.duration`, type: "integer" },
    tempo: { by: (db) => db`songs.tempo`, type: "double precision" },
    key: { by: (db) => db`songs.musical_key`, type: "text" },
  },
  ownOrder: "created_at desc",
  // The dashboard's three counts of specification §4.
  filters: {
    ready: (db) => db`songs.analysis_status = 'ready' and songs.lighting_status = 'ready'`,
    processing: (db) => db`(songs.analysis_status = 'processing' or songs.lighting_status = 'processing')`,
    error: (db) => db`(songs.analysis_status = 'error' or songs.lighting_status = 'error')`,
    // All remaining songs: downloading, or waiting for it.
    downloading: (
      db,
    ) => db`songs.analysis_status not in ('processing', 'error') and songs.lighting_status not in ('processing', 'error')
      and 'pending' in (songs.analysis_status, songs.lighting_status)`,
  },
  searched: (db) => db`songs.searched`,
};

/** Matches songs that are not deleted; deleted ones are retained while they can be restored. */
export function songsOf(db: Db, onlyDownloaded: boolean): Fragment {
  return db`songs.deleted_at is null and ${onlyDownloaded ? db`songs.downloaded_at is not null` : db`true`}`;
}

export const listSongs = (db: Db, onlyDownloaded: boolean): Promise<readonly SongRow[]> =>
  readAll<SongRow>(db, SONG_LIST, songsOf(db, onlyDownloaded));

async function findWhere(db: Db, condition: Fragment): Promise<SongRow | undefined> {
  const [row] = await db<SongRow[]>`
    select ${SONG_LIST.columns(db)} from ${SONG_LIST.from(db)} where songs.deleted_at is null and ${condition}`;
  return row;
}

export const findSong = (db: Db, id: string): Promise<SongRow | undefined> => findWhere(db, db`songs.id = ${id}`);

/** Returns the existing songs among the IDs, in no particular order. */
export const findSongs = (db: Db, ids: readonly string[]): Promise<readonly SongRow[]> =>
  readAll<SongRow>(db, SONG_LIST, db`songs.id = any(${[...ids]}) and songs.deleted_at is null`);

export const findSongByVideo = (db: Db, ytid: string): Promise<SongRow | undefined> =>
  findWhere(db, db`songs.ytid = ${ytid}`);

/** @param url normalized link of a page or an audio file */
export const findSongByLink = (db: Db, url: string): Promise<SongRow | undefined> =>
  findWhere(db, db`songs.url = ${url} and songs.ytid = ''`);

/** Returns song IDs by video ID, for videos that are already imported. */
export async function songsOfVideos(db: Db, ytids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db<{ id: string; ytid: string }[]>`
    select id, ytid from songs where deleted_at is null and ytid <> '' and ytid = any(${[...ytids]})`;
  return new Map(rows.map(({ id, ytid }) => [ytid, id]));
}

/** @param hash SHA-256 of an uploaded original, hex */
export const findSongByFile = (db: Db, hash: string): Promise<SongRow | undefined> =>
  findWhere(db, db`songs.source_hash = ${hash}`);

/**
 * Locks a song until the transaction ends. Every change of a song or its jobs takes this lock first, which prevents
 * deadlocks.
 */
export async function lockSong(tx: Tx, id: string): Promise<SongRow | undefined> {
  await tx`select 1 from songs where id = ${id} for update`;
  return findSong(tx, id);
}

/** @returns false if the video or link already exists; the unique indexes decide between concurrent imports */
export async function insertLinked(
  tx: Tx,
  song: Pick<SongRow, "id" | "title" | "artist" | "ytid" | "url" | "duration" | "named_by_person">,
): Promise<boolean> {
  const made = await tx`
    insert into songs ${tx(song, "id", "title", "artist", "ytid", "url", "duration", "named_by_person")}
    on conflict do nothing`;
  return made.count === 1;
}

/** @returns false if the same bytes are already stored */
export async function insertFile(
  tx: Tx,
  song: Pick<SongRow, "id" | "title" | "artist" | "source_file"> & { readonly source_hash: string },
): Promise<boolean> {
  const made = await tx`
    insert into songs ${tx(song, "id", "title", "artist", "source_file", "source_hash")}
    on conflict (source_hash, community_id) where source_hash <> '' and deleted_at is null do nothing`;
  return made.count === 1;
}

export type SongChange = Partial<
  Pick<
    SongRow,
    | "title"
    | "artist"
    | "url"
    | "ytid"
    | "has_cover"
    | "named_by_person"
    | "duration"
    | "tempo"
    | "musical_key"
    | "analysis_status"
    | "lighting_status"
    | "error_message"
    | "stems_generated"
    | "plan_number"
    | "show_remark"
    | "downloaded_at"
    | "source_file"
  >
>;

/** Updates properties of a song from a step or a user. Callers hold the song's lock. */
export async function updateSong(
  tx: Tx,
  id: string,
  change: SongChange & {
    readonly palette?: readonly string[];
    readonly outline?: SongOutline;
    readonly warnings?: readonly string[];
    readonly source_warnings?: readonly string[];
  },
): Promise<void> {
  const { palette, outline, warnings, source_warnings, ...rest } = change;
  const row = {
    ...rest,
    ...(palette && { palette: asJson(tx, palette) }),
    ...(outline && { outline: asJson(tx, outline) }),
    ...(warnings && { warnings: asJson(tx, warnings) }),
    ...(source_warnings && { source_warnings: asJson(tx, source_warnings) }),
    updated_at: new Date(),
  };
  await tx`update songs set ${tx(row)} where id = ${id}`;
}

/** Returns the IDs of analyzed songs without an outline, oldest first. */
export async function songsWithoutOutline(db: Db): Promise<readonly string[]> {
  const rows = await db<{ id: string }[]>`
    select id from songs where outline is null and analysis_status = 'ready' and deleted_at is null order by id`;
  return rows.map(({ id }) => id);
}

/**
 * Stores a song's outline unless a plan has already stored one.
 * @returns whether it was stored
 */
export async function keepOutline(db: Db, id: string, outline: SongOutline): Promise<boolean> {
  const kept = await db`update songs set outline = ${asJson(db, outline)} where id = ${id} and outline is null`;
  return kept.count === 1;
}

/** @returns false if the song does not exist, or is not deleted when it should be restored */
export async function setSongDeleted(tx: Tx, id: string, deleted: boolean): Promise<boolean> {
  const changed = await tx`
    update songs set deleted_at = case when ${deleted} then now() end, updated_at = now()
    where id = ${id} and (deleted_at is null) = ${deleted}`;
  return changed.count === 1;
}

/**
 * Whether work that this transaction starts may replace or delete song files. False while a backup lists the files that
 * belong to the rows it has read; try again after a second or so.
 */
export async function mayTouchFiles(tx: Tx): Promise<boolean> {
  const [row] = await tx<
    { may: boolean }[]
  >`select pg_try_advisory_xact_lock_shared(${lockOf(tx, "songFiles")}) as may`;
  return row?.may === true;
}

/**
 * Removes songs that were deleted too long ago to be restored; none while a backup lists files, see {@link
 * mayTouchFiles}.
 * @returns their IDs
 */
export async function purgeSongs(db: Db, keptMinutes: number): Promise<readonly string[]> {
  const rows = await db<{ id: string }[]>`
    delete from songs using (select pg_try_advisory_xact_lock_shared(${lockOf(db, "songFiles")}) as may) as files
    where files.may and deleted_at < now() - make_interval(mins => ${keptMinutes}) returning id`;
  return rows.map(({ id }) => id);
}

/** Returns the IDs that belong to a song, deleted or not. */
export async function knownSongs(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db<{ id: string }[]>`select id from songs where id = any(${[...ids]})`;
  return new Set(rows.map(({ id }) => id));
}

/** Publishes the current state of a song to all consoles. */
export async function announceSong(db: Db, id: string): Promise<void> {
  const row = await findSong(db, id);
  if (row) await tell(db, "song", id, "updated", { song: toJson(SongSchema, songFromRow(row)) });
}

/** Builds the audit entry of a user's change to a song, with `before` and `after` for the audit log. */
export function songEntry(song: SongRow, verb: string, change: Pick<Entry, "before" | "after"> = {}): Entry {
  return { noun: "song", id: song.id, verb, ...change, payload: { song: toJson(SongSchema, songFromRow(song)) } };
}

/** Converts a row to its wire format. */
export function songFromRow(row: SongRow): Song {
  const cover = row.has_cover ? `/proxy/songs/${row.id}/cover.webp` : "";
  const song: MessageInitShape<typeof SongSchema> = {
    id: row.id,
    title: row.title,
    artist: row.artist,
    audio: row.downloaded_at ? `/proxy/songs/${row.id}/audio.mp3` : "",
    ytid: row.ytid,
    url: row.url,
    imageUrl: cover,
    coverImage: cover,
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
    note: row.note ?? "",
    showRemark: row.show_remark,
    errorMessage: row.error_message,
    tempo: row.tempo,
    key: row.musical_key,
    warnings: [...new Set([...row.source_warnings, ...row.warnings])],
  };
  if (row.downloaded_at) song.downloadedAt = timestampOf(row.downloaded_at);
  if (row.started_at) song.stepStartedAt = timestampOf(row.started_at);
  if (row.outline) song.outline = { levels: Buffer.from(row.outline.levels, "base64"), parts: [...row.outline.parts] };
  return create(SongSchema, song);
}
