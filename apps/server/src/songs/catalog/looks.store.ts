import type { Look } from "@followspot/contract";
import { asJson, type Db, type Tx } from "../../platform/database/database.ts";

/** A look in the library. */
export interface LookRow {
  readonly id: string;
  readonly name: string;
  readonly look: Look;
  readonly created_at: Date;
}

/** Returns all looks, sorted by name. */
export async function listLooks(db: Db): Promise<readonly LookRow[]> {
  return db<LookRow[]>`select id, name, look, created_at from looks order by lower(name)`;
}

export async function lockLook(tx: Tx, id: string): Promise<LookRow | undefined> {
  const [row] = await tx<LookRow[]>`select id, name, look, created_at from looks where id = ${id} for update`;
  return row;
}

/** @returns undefined if another look has the name */
export async function insertLook(tx: Tx, id: string, name: string, look: Look): Promise<LookRow | undefined> {
  const [row] = await tx<LookRow[]>`
    insert into looks (id, name, look) values (${id}, ${name}, ${asJson(tx, look)})
    on conflict (lower(name), community_id) do nothing
    returning id, name, look, created_at`;
  return row;
}

/** @returns undefined if another look has the name */
export async function renameLook(tx: Tx, id: string, name: string): Promise<LookRow | undefined> {
  const [row] = await tx<LookRow[]>`
    update looks set name = ${name}
    where id = ${id} and not exists (select 1 from looks where lower(name) = lower(${name}) and id <> ${id})
    returning id, name, look, created_at`;
  return row;
}

export async function deleteLook(tx: Tx, id: string): Promise<void> {
  await tx`delete from looks where id = ${id}`;
}
