import type { PendingQuery, Row } from "postgres";
import type { Db, Tx } from "../../platform/database/database.ts";

type Fragment = PendingQuery<Row[]>;

/** Event and playlists of tonight at a venue. */
export interface TonightOf {
  readonly eventId: string;
  readonly playlistIds: readonly string[];
}

/** Table whose rows are copied to a venue server. Generated columns are left out. */
export interface CopiedTable {
  readonly name: string;
  /** Columns that identify a row, at the office and at the venue server. */
  readonly key: readonly string[];
  /** Condition for the rows of `t` to copy. */
  readonly where: (db: Db, of: TonightOf) => Fragment;
  /** Replacement values by column. */
  readonly values?: (db: Db, of: TonightOf) => Readonly<Record<string, Fragment>>;
  /**
   * Version of a row, if the table is also written for irrelevant reasons; by default the transaction that wrote it.
   */
  readonly written?: (db: Db) => Fragment;
  /** Columns of an existing row that are not overwritten at the venue server. */
  readonly kept?: readonly string[];
  /** Changes local rows that conflict with incoming ones. @param rows JSON array as text */
  readonly makeRoom?: (tx: Tx, rows: string) => Promise<unknown>;
}

/** Songs of the playlists whose audio is downloaded. */
const songs = (db: Db, { playlistIds }: TonightOf) => db`(
  select song.id from songs song join playlist_songs listed on listed.song_id = song.id
  where listed.playlist_id = any(${[...playlistIds]}) and song.deleted_at is null and song.downloaded_at is not null)`;

/** Users whom the door may meet, speakers, and staff. */
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

/** Table with data of songs, copied together with them. */
const ofSong = (name: string): CopiedTable => ({
  name,
  key: ["song_id"],
  where: (db, of) => db`t.song_id in ${songs(db, of)}`,
});

/**
 * Tables of a snapshot, each after the tables that its rows refer to. Personal data beyond the event stays at the
 * office: of users who are not staff, a venue server receives a name, a small photo and a code.
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
      unconfirmed_address: db`''`,
      purpose: db`''`,
      bio: db`''`,
      last_seen_at: db`null::timestamptz`,
      updated_at: db`t.created_at`,
    }),
    // `last_seen_at` changes with requests of the user.
    written: (db) => db`md5((to_jsonb(t) - array['last_seen_at', 'updated_at'])::text)`,
    kept: ["last_seen_at"],
    // If two users have one address, the user of the office keeps it.
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
    // The office assigns the sequence number of a registration once.
    kept: ["line"],
    // The office assigns spots.
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
    // A check-in made on both sides is one. The office received ours and decides the time.
    kept: ["id", "checked_in_by", "admitted", "door"],
  },
  {
    name: "songs",
    key: ["id"],
    where: (db, of) => db`t.id in ${songs(db, of)}`,
    values: (db) => ({
      // A venue server downloads nothing and has no stems. No job runs there, and an older plan remains valid.
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
    // Song requests are made at the office, which downloads the songs.
    values: (db) => ({ requests: db`'closed'` }),
    makeRoom: (tx, rows) => tx`
      update playlists set walk_in_db = null from jsonb_populate_recordset(null::playlists, ${rows}::text::jsonb) coming
      where playlists.walk_in_db is not null and coming.walk_in_db is not null`,
  },
  {
    name: "playlist_songs",
    key: ["playlist_id", "song_id"],
    where: (db, of) => db`t.playlist_id = any(${[...of.playlistIds]}) and t.song_id in ${songs(db, of)}`,
    // The value belongs to the office's own queue.
    values: (db) => ({ played_in: db`0` }),
    kept: ["played_in"],
  },
];

/** Codes of tonight's attendees. They are derived from the office's key and not stored there. */
export const CODES = { name: "box_codes", key: ["event_id", "user_id"] } as const;

const isPhoto = (db: Db, of: TonightOf) =>
  db`t.id is distinct from (select image_id from events where id = ${of.eventId})`;

const settledStatus = (db: Db, column: string, wasDone: Fragment) => db`
  case when t.${db(column)} = 'processing' then case when ${wasDone} then 'ready' else 'pending' end::step_status
    else t.${db(column)} end`;

export const peopleOf = people;
export const songsOf = songs;

/** Key of a row as one text; equal at the office and at the venue server. */
export const keyOf = (db: Db, key: readonly string[]): Fragment =>
  key.slice(1).reduce((text, column) => db`${text} || ' ' || t.${db(column)}::text`, db`t.${db(key[0]!)}::text`);

/**
 * Hash over rows with a key and a mark; equal at the office and at the venue server, independent of the database's
 * collation.
 */
export const markOfRows = (db: Db): Fragment =>
  db`coalesce(md5(string_agg(key || mark, ',' order by key collate "C")), '')`;

/**
 * Returns the columns of a table that are copied, in order. `community_id` is left out because it differs between
 * databases.
 */
export async function writtenColumns(db: Db, table: string): Promise<readonly string[]> {
  const rows = await db<{ name: string }[]>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      and attname <> 'community_id'
    order by attnum`;
  return rows.map(({ name }) => name);
}
