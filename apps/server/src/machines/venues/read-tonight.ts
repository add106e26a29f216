import { createHash } from "node:crypto";
import type { AskTonight, TableMarks, Tonight } from "@followspot/contract";
import { attendeeKey } from "../../events/attendee-codes.ts";
import { codesFor, readCodes } from "../../events/issued-codes.store.ts";
import { COVER_FILES } from "../../songs/catalog/song-cover.ts";
import { planName, type SongFiles } from "../../songs/catalog/song-files.ts";
import type { Db, Sql } from "../../platform/database/database.ts";
import { hashOfFile } from "../../platform/files/hash-of-file.ts";
import { readOneMoment } from "../../platform/database/transaction.ts";
import {
  CODES,
  keyOf,
  markOfRows,
  peopleOf,
  songsOf,
  TONIGHT,
  writtenColumns,
  type CopiedTable,
  type TonightOf,
} from "./tonight.ts";

/** Row for transfer; `text` is JSON. */
interface MarkedRow {
  readonly key: string;
  readonly mark: string;
  readonly text: string;
}

/**
 * Returns a mark over all rows of a snapshot that changes when any of them is written. It reads row versions instead of
 * contents because every venue server requests it every few seconds. Files of songs change together with the rows of
 * their songs.
 */
export async function markOfTonight(db: Db, of: TonightOf): Promise<string> {
  const whole = createHash("sha256").update(`${of.eventId}\n${[...of.playlistIds].sort().join()}\n`);
  for (const { name, key, where, written = versionOfRow } of TONIGHT) {
    const [row] = await db<{ mark: string }[]>`
      select ${markOfRows(db)} as mark
      from (select ${keyOf(db, key)} as key, ${written(db)} as mark from ${db(name)} t where ${where(db, of)}) as here`;
    whole.update(`${name} ${row!.mark}\n`); // an aggregate always returns a row
  }
  return whole.digest("hex").slice(0, 32);
}

/** Version of a row: the transaction that wrote it last. */
const versionOfRow = (db: Db) => db`t.xmin::text`;

/**
 * Returns a mark per table over the contents of its rows; a venue server computes the same from the rows it has
 * received.
 */
export async function marksOfTables(db: Db, of: TonightOf, secret: Uint8Array): Promise<TableMarks> {
  const marks: TableMarks = { [CODES.name]: markOf(await codesOf(db, of, secret)) };
  for (const table of TONIGHT) {
    const [row] = await db<{ mark: string }[]>`
      select ${markOfRows(db)} as mark
      from (select key, md5(said::text) as mark from ${saidRows(db, table, of, await writtenColumns(db, table.name))}) as marked`;
    marks[table.name] = row!.mark; // an aggregate always returns a row
  }
  return marks;
}

/**
 * Reads, in one database snapshot, the rows that a venue server lacks, the keys that it must delete, and the list of
 * files.
 */
export async function readTonight(
  sql: Sql,
  of: TonightOf,
  { same, held }: AskTonight,
  { files, secret, hashes }: TonightPorts,
): Promise<Tonight> {
  // Short codes are drawn before the snapshot, which is read-only.
  await codesFor(sql, attendeeKey(secret), of.eventId, await peopleIds(sql, of));
  const { tonight, songs } = await readOneMoment(sql, async (db) => {
    const marks = await marksOfTables(db, of, secret);
    const asked = Object.keys(marks).filter((name) => same[name] !== marks[name]);
    const tables = [];
    for (const table of TONIGHT.filter(({ name }) => asked.includes(name))) {
      const rows = await db<MarkedRow[]>`
        select key, md5(said::text) as mark, said::text as text from ${saidRows(db, table, of, await writtenColumns(db, table.name))} order by key`;
      tables.push(toTable(table.name, rows, held));
    }
    if (asked.includes(CODES.name)) tables.push(toTable(CODES.name, await codesOf(db, of, secret), held));
    const [event] = await db<{ id: string; title: string }[]>`select id, title from events where id = ${of.eventId}`;
    const [listed] = await db<{ songs: number }[]>`
      select count(distinct song_id)::int as songs from playlist_songs join songs on songs.id = song_id
      where playlist_id = any(${[...of.playlistIds]}) and deleted_at is null`;
    const songs = await db<SongOf[]>`
      select id, plan_number from songs where id in ${songsOf(db, of)} order by id`;
    // A table changed after the comparison, so the request did not list what the venue server has of it: fetch again.
    const mark = asked.some((name) => name in same) ? "" : await markOfTonight(db, of);
    return { tonight: { mark, event: event!, tables, songs_of: listed!.songs }, songs }; // the venue refers to the event
  });
  const found = [];
  for (const song of songs) found.push(...(await filesOf(files, song, hashes)));
  return { ...tonight, files: found };
}

export interface TonightPorts {
  readonly files: SongFiles;
  /** Secret of the office, from which codes are derived. */
  readonly secret: Uint8Array;
  readonly hashes: FileHashes;
}

/** SHA-256 and etag by file, cached so that an unchanged file is hashed once. */
export type FileHashes = Map<string, { readonly etag: string; readonly sha256: string }>;

interface SongOf {
  readonly id: string;
  readonly plan_number: number;
}

/** Whether a show needs this file to play and be displayed: no stems, no original, no older plans. */
export const isOfShow = (name: string, planNumber: number): boolean =>
  ["audio.mp3", "hybrid.json", COVER_FILES.small, COVER_FILES.large, planName(planNumber)].includes(name);

async function filesOf(files: SongFiles, { id, plan_number }: SongOf, hashes: FileHashes) {
  const found = [];
  for (const { name } of (await files.list(id)).filter((file) => isOfShow(file.name, plan_number))) {
    const there = await files.stat(id, name);
    if (!there) continue; // replaced just now: the row of its song changes as well
    const { etag, bytes } = there;
    const file = `${id}/${name}`;
    let hash = hashes.get(file);
    if (hash?.etag !== etag) {
      const path = await files.localCopy(id, name);
      if (path === undefined) continue;
      hashes.set(file, (hash = { etag, sha256: await hashOfFile(path) }));
    }
    found.push({ song_id: id, name, bytes, sha256: hash.sha256 });
  }
  return found;
}

/** @param written columns of the table that are copied */
function saidRows(db: Db, { name, key, where, values }: CopiedTable, of: TonightOf, written: readonly string[]) {
  const given = values?.(db, of) ?? {};
  const columns = written
    .map((column) => db`${given[column] ?? db`t.${db(column)}`} as ${db(column)}`)
    .reduce((list, column) => db`${list}, ${column}`);
  return db`(
    select key, to_jsonb(shown) as said
    from ${db(name)} t, lateral (select ${columns}) shown, lateral (select ${keyOf(db, key)} as key) named
    where ${where(db, of)}) as rows`;
}

async function peopleIds(db: Db, of: TonightOf): Promise<readonly string[]> {
  const people = await db<{ id: string }[]>`select id from users where id in ${peopleOf(db, of)} order by id`;
  return people.map(({ id }) => id);
}

async function codesOf(db: Db, of: TonightOf, secret: Uint8Array): Promise<readonly MarkedRow[]> {
  const key = attendeeKey(secret);
  // A venue server passes the codes issued by its office on to its standby.
  const codes = await readCodes(db, key, of.eventId, await peopleIds(db, of));
  return [...codes].map(([id, { code, shortCode }]) => {
    const row = { event_id: of.eventId, user_id: id, code, short_code: shortCode || null };
    // The signature at the end of the code and the short code serve as the mark.
    return { key: `${of.eventId} ${id}`, mark: code.slice(-32) + shortCode, text: JSON.stringify(row) };
  });
}

/** Computes the same as {@link markOfRows}. */
function markOf(rows: readonly MarkedRow[]): string {
  const said = rows.map(({ key, mark }) => key + mark).sort();
  return said.length === 0 ? "" : createHash("md5").update(said.join()).digest("hex");
}

function toTable(name: string, rows: readonly MarkedRow[], held: AskTonight["held"]): Tonight["tables"][number] {
  const here = held[name] ?? {};
  const keys = new Set(rows.map(({ key }) => key));
  const fresh = rows.filter(({ key, mark }) => here[key] !== mark);
  return {
    name,
    rows: `[${fresh.map(({ text }) => text).join(",")}]`,
    marks: Object.fromEntries(fresh.map(({ key, mark }) => [key, mark])),
    gone: Object.keys(here).filter((key) => !keys.has(key)),
  };
}
