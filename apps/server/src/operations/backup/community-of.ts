import { FIRST } from "../../platform/database/communities.ts";
import type { DatabaseConnection } from "./database-connection.ts";

/** The community whose rows a connection can read. */
export interface SeenCommunity {
  readonly id: number;
  /** Number of communities whose rows it can read. */
  readonly seen: number;
  /** Whether it cannot read rows of others and does not own the tables. */
  readonly isApart: boolean;
}

/** @param connection to a database of this release, or of an older one with a single community */
export async function communityOf(connection: DatabaseConnection): Promise<SeenCommunity> {
  const [known] = await connection.ask<{ is_known: boolean }>(
    "select to_regprocedure('public.current_community()') is not null as is_known",
  );
  if (!known?.is_known) return { id: FIRST.id, seen: 1, isApart: false };
  const [own] = await connection.ask<{ id: number; seen: string; is_apart: boolean }>(
    `select current_community() as id, row_security_active('users') as is_apart,
       (select count(*) from communities) as seen`,
  );
  return { id: own!.id, seen: Number(own!.seen), isApart: own!.is_apart }; // one row without a table
}
