import { createHash, randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import {
  giveRole,
  insertCommunity,
  listCommunities,
  tablesOfCommunities,
  type Community,
} from "../platform/database/communities.ts";
import { openDatabase, type Sql } from "../platform/database/database.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import { transactOnce } from "../platform/database/transaction.ts";
import { findNatsServer, startUnwatchedNats } from "../operations/supervisor/nats.ts";
import type { AdminPlace } from "./admin.ts";

/** Community with the database connections of its processes. */
export interface SharingCommunity extends AdminPlace {
  readonly community: Community;
  readonly sql: Sql;
}

/** Database and broker shared by communities; the first community exists and has its own role. */
export type SharedHouse = Awaited<ReturnType<typeof openSharedHouse>>;

type Rows = ReadonlyMap<string, readonly string[]>;

const hex = () => randomBytes(12).toString("hex");

/**
 * Opens a shared installation. @param folder folder for all local files @param others slugs of the other communities
 * with a broker account
 */
export async function openSharedHouse(folder: string, others: readonly string[]) {
  const database = await createTestDatabase(4);
  const { sql: owner } = database;
  const accounts = others.map((slug) => ({ slug, password: hex() }));
  const program = await findNatsServer(process.env.NATS_SERVER_BIN, () => {});
  const broker = await startUnwatchedNats(join(folder, "broker"), program, () => {}, undefined, accounts);
  const connections: Sql[] = [];

  /** Adds a community; `first` exists already. */
  async function letIn(slug: string): Promise<SharingCommunity> {
    const [role, password] = [`followspot_${slug}_${hex()}`, hex()];
    const community = await transactOnce(owner, async (tx) => {
      if (slug !== "first") return { answer: await insertCommunity(tx, { slug, name: slug, role, password }) };
      const [first] = await listCommunities(tx);
      await giveRole(tx, first!.id, { role, password }); // inserted by the migrations
      return { answer: { ...first!, role } };
    });
    const url = new URL(database.url);
    [url.username, url.password] = [role, password];
    const sql = openDatabase(url.href, 8);
    connections.push(sql);
    const dataDir = join(folder, slug);
    await mkdir(dataDir);
    return { community, sql, url: url.href, dataDir, key: hex() + hex() };
  }

  /** Returns the broker address with the login of a community. */
  function brokerOf(slug: string): string {
    if (slug === "first") return broker.url;
    const url = new URL(broker.url);
    [url.username, url.password] = [slug, accounts.find((account) => account.slug === slug)!.password]; // created above
    return url.href;
  }

  const all = (await tablesOfCommunities(owner))
    .filter((table) => table !== "outbox")
    .map(
      (table) => `
        select '${table}' as table, (to_jsonb(t) - '{community_id,last_seen_at}'::text[])::text as row
        from public."${table}" t where community_id = $1`,
    )
    .join(" union all ");

  /** Returns the rows of a community as text, by table, without the outbox and presence times. */
  async function rowsOf({ id }: Pick<Community, "id">): Promise<Rows> {
    const rows = await owner.unsafe<{ table: string; row: string }[]>(`${all} order by 1, 2`, [id]);
    const tables = Map.groupBy(rows, ({ table }) => table);
    return new Map([...tables].map(([table, its]) => [table, its.map(({ row }) => row)]));
  }

  /** Returns the tables whose rows differ. */
  const changedTables = (before: Rows, after: Rows): readonly string[] =>
    [...new Set([...before.keys(), ...after.keys()])].filter(
      (table) => markOf(before.get(table)) !== markOf(after.get(table)),
    );

  return {
    owner,
    ownerUrl: database.url,
    letIn,
    brokerOf,
    rowsOf,
    changedTables,
    close: async () => {
      await Promise.all(connections.map((sql) => sql.end({ timeout: 2 })));
      await broker.stop();
      await database.close();
    },
  };
}

const markOf = (rows: readonly string[] = []) => createHash("sha256").update(rows.join("\n")).digest("hex");
