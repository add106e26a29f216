import type { Tonight } from "@followspot/contract";
import { topicsOf } from "@followspot/contract";
import type { Sql, Tx } from "../../platform/database/database.ts";
import { tell } from "../../platform/database/outbox.ts";
import { transact } from "../../platform/database/transaction.ts";
import { forgetHeld, noteHeld } from "./box.store.ts";
import { CODES, keyOf, TONIGHT, writtenColumns, type CopiedTable } from "./tonight.ts";
import { countUntold } from "./what-happened.ts";

type Came = Tonight["tables"][number];

const TABLES: readonly Pick<CopiedTable, "name" | "key" | "kept" | "makeRoom">[] = [...TONIGHT, CODES];
/** Tables whose deletions are deferred while a song is playing. */
const HEARD = new Set(["songs", "playlists", "playlist_songs"]);
/** Noun of change events for local pages, by table. */
const TOLD: Readonly<Record<string, string>> = {
  users: "user",
  events: "event",
  talks: "talk",
  registrations: "registration",
  check_ins: "check_in",
  songs: "song",
  playlists: "playlist",
};

/** Local changes have not been pushed to the office yet, so the snapshot cannot be applied. */
export class NotSettled extends Error {}

/**
 * Applies a snapshot of the office in one transaction. Rows edited locally win until the office changes the same row.
 *
 * @returns number of deletions deferred until the current song ends
 * @throws NotSettled
 */
export async function takeTonight(sql: Sql, tonight: Tonight, bytes: number): Promise<number> {
  return transact(sql, async (tx) => {
    if ((await countUntold(tx)) > 0) throw new NotSettled();
    const came = new Map(tonight.tables.map((table) => [table.name, table]));
    for (const table of TABLES) await takeRows(tx, table, came.get(table.name));
    const [queue] = await tx`select from show_queue where mode <> 'stopped'`;
    let left = 0;
    for (const { name, key } of [...TABLES].reverse()) {
      const { gone = [] } = came.get(name) ?? {};
      if (queue && HEARD.has(name)) left += gone.length;
      else await dropRows(tx, name, key, gone);
    }
    await tx`
      update box set event_id = ${tonight.event.id}, songs_of = ${tonight.songs_of}, bytes = ${bytes}, whole_at = now(),
        songs = (select count(*) from box_held where place = 'songs'),
        -- What is left for the end of the song is asked for again.
        mark = ${left > 0 ? "" : tonight.mark}`;
    for (const [name, noun] of Object.entries(TOLD)) await tellOf(tx, noun, came.get(name));
    return left;
  });
}

async function takeRows(tx: Tx, { name, key, kept = [], makeRoom }: (typeof TABLES)[number], came?: Came) {
  if (!came || Object.keys(came.marks).length === 0) return;
  await makeRoom?.(tx, came.rows);
  const columns = await writtenColumns(tx, name);
  const changes = columns
    .filter((column) => !key.includes(column) && !kept.includes(column))
    .map((column) => tx`${tx(column)} = excluded.${tx(column)}`)
    .reduce((list, each) => tx`${list}, ${each}`);
  await tx`
    insert into ${tx(name)} as t (${namesOf(tx, columns)}) overriding system value
    select ${namesOf(tx, columns)} from jsonb_populate_recordset(null::${tx(name)}, ${came.rows}::text::jsonb)
    on conflict (${namesOf(tx, key)}, community_id) do update set ${changes}`;
  await noteHeld(tx, name, came.marks);
  // A check-in made on both sides is pushed until the office has ours.
  if (name === "check_ins")
    await tx`
      insert into box_told (place, key, version)
      select 'check_ins', event_id || ' ' || user_id, id from check_ins
      where event_id || ' ' || user_id = any(${Object.keys(came.marks)})
      on conflict (place, key, community_id) do nothing`;
}

const namesOf = (tx: Tx, names: readonly string[]) =>
  names.map((name) => tx`${tx(name)}`).reduce((list, name) => tx`${list}, ${name}`);

async function dropRows(tx: Tx, name: string, key: readonly string[], gone: readonly string[]): Promise<void> {
  if (gone.length === 0) return;
  await tx`delete from ${tx(name)} t where ${keyOf(tx, key)} = any(${[...gone]})`;
  await forgetHeld(tx, name, gone);
  await tx`delete from box_told where place = ${name} and key = any(${[...gone]})`;
}

/** Publishes one message per noun, which makes pages reload their lists. */
async function tellOf(tx: Tx, noun: string, came?: Came): Promise<void> {
  const id = came && [...Object.keys(came.marks), ...came.gone][0];
  if (id !== undefined && topicsOf(noun, id).length > 0) await tell(tx, noun, id, "updated", {});
}
