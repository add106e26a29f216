import type { PendingQuery, Row } from "postgres";
import type { Db, Tx } from "../platform/database.ts";

type Fragment = PendingQuery<Row[]>;

/** What is on at a venue. */
export interface TonightOf {
  readonly eventId: string;
  readonly playlistIds: readonly string[];
}

/** A table whose rows go to a box. Columns that the database works out itself stay out. */
export interface CopiedTable {
  readonly name: string;
  /** Columns that name a row, at the office and at the box alike. */
  readonly key: readonly string[];
  /** Which rows of `t` go. */
  readonly where: (db: Db, of: TonightOf) => Fragment;
  /** What goes in place of a column. */
  readonly values?: (db: Db, of: TonightOf) => Readonly<Record<string, Fragment>>;
  /** What another state of a row shows by, where rows are written for other reasons as well; else that it was written. */
  readonly written?: (db: Db) => Fragment;
  /** Columns of a row that is there already which stay the box's own. */
  readonly kept?: readonly string[];
  /** Rows of the box's own that stand in the way of rows that come give way. @param rows JSON array as text */
  readonly makeRoom?: (tx: Tx, rows: string) => Promise<unknown>;
}

/** Songs of the playlists that have their sound. */
const songs = (db: Db, { playlistIds }: TonightOf) => db`(
  select song.id from songs song join playlist_songs listed on listed.song_id = song.id
  where listed.playlist_id = any(${[...playlistIds]}) and song.deleted_at is null and song.downloaded_at is not null)`;

/** Whom the door may meet, who speaks, and who runs the night. */
const people = (db: Db, { eventId }: TonightOf) => db`(
  select person.id from users person
  where person.deleted_at is null and not person.is_script and (
    person.roles && array['Admin', 'Director']
    or exists (select from events where id = ${eventId} and registration = 'none')
    or exists (select from registrations where event_id = ${eventId} and user_id = person.id)
    or exists (select from check_ins where event_id = ${eventId} and user_id = person.id)
    or exists (select from talks where event_id = ${eventId} and user_id = person.id and deleted_at is null)))`;

const ifThere = (db: Db, of: TonightOf, column: string) =>
  db`case when t.${db(column)} in ${people(db, of)} then t.${db(column)} end`;

/** What hangs on a song and goes with it. */
const ofSong = (name: string): CopiedTable => ({
  name,
  key: ["song_id"],
  where: (db, of) => db`t.song_id in ${songs(db, of)}`,
});

/**
 * Tables of a night, each behind those that its rows name. What people own beyond the night stays at the office: of those
 * who do not run it a box gets a name, a small picture and a code.
 */
export const TONIGHT: readonly CopiedTable[] = [
  {
    name: "images",
    key: ["id"],
    where: (db, of) => db`
      t.id in (select photo_id from users where id in ${people(db, of)})
      or t.id in (select image_id from events where id = ${of.eventId})`,
    values: (db, of) => ({
      mime_type: db`case when t.small is not null and ${isPhoto(db, of)} then 'image/webp' else t.mime_type end`,
      bytes: db`case when ${isPhoto(db, of)} then coalesce(t.small, t.bytes) else t.bytes end`,
      small: db`case when not ${isPhoto(db, of)} then t.small end`,
    }),
  },
  {
    name: "users",
    key: ["id"],
    where: (db, of) => db`t.id in ${people(db, of)}`,
    values: (db) => ({
      username: db`''`,
      email: db`case when t.roles && array['Admin', 'Director'] then t.email else '' end`,
      phone: db`case when t.roles && array['Admin', 'Director'] then t.phone else '' end`,
      purpose: db`''`,
      bio: db`''`,
      last_seen_at: db`null::timestamptz`,
      updated_at: db`t.created_at`,
    }),
    // Each request notes when its person was last seen.
    written: (db) => db`md5((to_jsonb(t) - array['last_seen_at', 'updated_at'])::text)`,
    kept: ["last_seen_at"],
    // Of two people with one address the office's has it.
    makeRoom: (tx, rows) => tx`
      update users set email = '' from jsonb_populate_recordset(null::users, ${rows}::text::jsonb) coming
      where users.email <> '' and (users.id = coming.id or lower(users.email) = lower(coming.email))`,
  },
  {
    name: "events",
    key: ["id"],
    where: (db, of) => db`t.id = ${of.eventId}`,
  },
  {
    name: "talks",
    key: ["id"],
    where: (db, of) => db`t.event_id = ${of.eventId} and t.deleted_at is null`,
    values: (db, of) => ({ user_id: ifThere(db, of, "user_id"), image_id: db`null::text` }),
  },
  {
    name: "registrations",
    key: ["id"],
    where: (db, of) => db`t.event_id = ${of.eventId} and t.user_id in ${people(db, of)}`,
    // The office gives a registration its number in line once.
    kept: ["line"],
    // Places are given at the office.
    makeRoom: (tx, rows) => tx`
      delete from registrations here using jsonb_populate_recordset(null::registrations, ${rows}::text::jsonb) coming
      where here.id <> coming.id
        and (here.line = coming.line or (here.event_id = coming.event_id and here.user_id = coming.user_id))`,
  },
  {
    name: "check_ins",
    key: ["event_id", "user_id"],
    where: (db, of) => db`t.event_id = ${of.eventId} and t.user_id in ${people(db, of)}`,
    values: (db, of) => ({ checked_in_by: ifThere(db, of, "checked_in_by") }),
    // A check-in that both sides made is one. The office, which was told of ours, says at what time.
    kept: ["id", "checked_in_by", "admitted", "door"],
  },
  {
    name: "songs",
    key: ["id"],
    where: (db, of) => db`t.id in ${songs(db, of)}`,
    values: (db) => ({
      // A box fetches nothing from sites, and has no stems. Nothing is at work there, and an older plan goes on.
      ytid: db`''`,
      url: db`''`,
      source_hash: db`''`,
      source_file: db`''`,
      stems_generated: db`false`,
      analysis_status: settledStatus(db, "analysis_status", db`t.tempo > 0`),
      lighting_status: settledStatus(db, "lighting_status", db`t.plan_number > 0`),
    }),
  },
  ...["song_corrections", "song_palettes", "song_wishes"].map(ofSong),
  {
    name: "plan_revisions",
    key: ["song_id", "number"],
    where: (db, of) =>
      db`t.song_id in ${songs(db, of)} and t.number = (select plan_number from songs where id = t.song_id)`,
  },
  {
    name: "playlists",
    key: ["id"],
    where: (db, of) => db`t.id = any(${[...of.playlistIds]})`,
    // Songs are asked for at the office: what is asked for needs its downloads.
    values: (db) => ({ requests: db`'closed'` }),
    makeRoom: (tx, rows) => tx`
      update playlists set walk_in_db = null from jsonb_populate_recordset(null::playlists, ${rows}::text::jsonb) coming
      where playlists.walk_in_db is not null and coming.walk_in_db is not null`,
  },
  {
    name: "playlist_songs",
    key: ["playlist_id", "song_id"],
    where: (db, of) => db`t.playlist_id = any(${[...of.playlistIds]}) and t.song_id in ${songs(db, of)}`,
    // The run of the office's own queue.
    values: (db) => ({ played_in: db`0` }),
    kept: ["played_in"],
  },
];

/** Codes of the people of tonight: they are made of the office's key, and are no rows there. */
export const CODES = { name: "box_codes", key: ["event_id", "user_id"] } as const;

const isPhoto = (db: Db, of: TonightOf) =>
  db`t.id is distinct from (select image_id from events where id = ${of.eventId})`;

const settledStatus = (db: Db, column: string, wasDone: Fragment) => db`
  case when t.${db(column)} = 'processing' then case when ${wasDone} then 'ready' else 'pending' end::step_status
    else t.${db(column)} end`;

export const peopleOf = people;
export const songsOf = songs;

/** The key of a row as one text; the same at the office and at the box. */
export const keyOf = (db: Db, key: readonly string[]): Fragment =>
  key.slice(1).reduce((text, column) => db`${text} || ' ' || t.${db(column)}::text`, db`t.${db(key[0]!)}::text`);

/** Stands for rows with a key and a mark: the same at the office and at the box, whatever their databases sort by. */
export const markOfRows = (db: Db): Fragment =>
  db`coalesce(md5(string_agg(key || mark, ',' order by key collate "C")), '')`;

/** Columns of a table that are written, by their order; whose a row is differs between databases. */
export async function writtenColumns(db: Db, table: string): Promise<readonly string[]> {
  const rows = await db<{ name: string }[]>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      and attname <> 'community_id'
    order by attnum`;
  return rows.map(({ name }) => name);
}
