import { createHash } from "node:crypto";
import type { AskTonight, TableMarks, Tonight } from "@followspot/contract";
import { attendeeCode, attendeeKey } from "../event/attendee-codes.ts";
import { COVER_FILES } from "../music/song-cover.ts";
import { planName, type SongFiles } from "../music/song-files.ts";
import type { Db, Sql } from "../platform/database.ts";
import { hashOfFile } from "../platform/hash-of-file.ts";
import { readOneMoment } from "../platform/transaction.ts";
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

/** A row as it goes: its text is JSON. */
interface MarkedRow {
  readonly key: string;
  readonly mark: string;
  readonly text: string;
}

/**
 * Stands for all rows of a night: written rows, another mark. It asks which rows there are and when each was written, not
 * what they say, because every box asks it every few seconds. Files of songs change with the rows of their songs.
 */
export async function markOfTonight(db: Db, of: TonightOf): Promise<string> {
  const whole = createHash("sha256").update(`${of.eventId}\n${[...of.playlistIds].sort().join()}\n`);
  for (const { name, key, where, written = versionOfRow } of TONIGHT) {
    const [row] = await db<{ mark: string }[]>`
      select ${markOfRows(db)} as mark
      from (select ${keyOf(db, key)} as key, ${written(db)} as mark from ${db(name)} t where ${where(db, of)}) as here`;
    whole.update(`${name} ${row!.mark}\n`); // an aggregate is always answered
  }
  return whole.digest("hex").slice(0, 32);
}

/** The transaction that wrote the row last. */
const versionOfRow = (db: Db) => db`t.xmin::text`;

/** By table what stands for all its rows as they go: a box works the same out of those it holds. */
export async function marksOfTables(db: Db, of: TonightOf, secret: Uint8Array): Promise<TableMarks> {
  const marks: TableMarks = { [CODES.name]: markOf(await codesOf(db, of, secret)) };
  for (const table of TONIGHT) {
    const [row] = await db<{ mark: string }[]>`
      select ${markOfRows(db)} as mark
      from (select key, md5(said::text) as mark from ${saidRows(db, table, of, await writtenColumns(db, table.name))}) as marked`;
    marks[table.name] = row!.mark; // an aggregate is always answered
  }
  return marks;
}

/** Rows of tonight that a box does not hold, keys it holds too many, and files, of one moment. */
export async function readTonight(
  sql: Sql,
  of: TonightOf,
  { same, held }: AskTonight,
  { files, secret, hashes }: TonightPorts,
): Promise<Tonight> {
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
    // What a box holds of a table that changed a moment ago was not said.
    const mark = asked.some((name) => name in same) ? "" : await markOfTonight(db, of);
    return { tonight: { mark, event: event!, tables, songs_of: listed!.songs }, songs }; // the event is held by its venue
  });
  const found = [];
  for (const song of songs) found.push(...(await filesOf(files, song, hashes)));
  return { ...tonight, files: found };
}

export interface TonightPorts {
  readonly files: SongFiles;
  /** The office's, of which codes are made. */
  readonly secret: Uint8Array;
  readonly hashes: FileHashes;
}

/** SHA-256 of files that were looked at, as long as they stay as they are. */
export type FileHashes = Map<string, string>;

interface SongOf {
  readonly id: string;
  readonly plan_number: number;
}

/** What a show is played and shown from: no stems, no original, no older plans. */
export const isOfShow = (name: string, planNumber: number): boolean =>
  ["audio.mp3", "hybrid.json", COVER_FILES.small, COVER_FILES.large, planName(planNumber)].includes(name);

async function filesOf(files: SongFiles, { id, plan_number }: SongOf, hashes: FileHashes) {
  const found = [];
  for (const { name } of (await files.list(id)).filter((file) => isOfShow(file.name, plan_number))) {
    const there = await files.stat(id, name);
    if (!there) continue; // replaced this moment: the row of its song changes as well
    const known = `${id}/${name} ${there.etag}`;
    let sha256 = hashes.get(known);
    if (sha256 === undefined) {
      const path = await files.localCopy(id, name);
      if (path === undefined) continue;
      hashes.set(known, (sha256 = await hashOfFile(path)));
    }
    found.push({ song_id: id, name, bytes: there.bytes, sha256 });
  }
  return found;
}

/** @param written its columns */
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

async function codesOf(db: Db, of: TonightOf, secret: Uint8Array): Promise<readonly MarkedRow[]> {
  const key = attendeeKey(secret);
  // A box gives its standby the codes that its office gave.
  const people = await db<{ id: string; given: string | null }[]>`
    select id, (select code from box_codes where event_id = ${of.eventId} and user_id = users.id) as given
    from users where id in ${peopleOf(db, of)} order by id`;
  return people.map(({ id, given }) => {
    const code = given ?? attendeeCode(key, { eventId: of.eventId, userId: id });
    const row = { event_id: of.eventId, user_id: id, code };
    // The code's own end is as good a mark as any.
    return { key: `${of.eventId} ${id}`, mark: code.slice(-32), text: JSON.stringify(row) };
  });
}

/** As {@link markOfRows}. */
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
