import { create } from "@bufbuild/protobuf";
import { ListQuerySchema } from "@followspot/contract/list";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AUDIT_LIST, type AuditRow } from "../community/audit/audit.store.ts";
import { PLAYER_LIST, players, type PlayerRow } from "../night/director/players.store.ts";
import { EVENT_LIST, type EventRow } from "../events/events.store.ts";
import { SONG_LIST, type SongRow } from "../songs/catalog/songs.store.ts";
import { findUserByTarget, isEmailTaken, peopleOf, USER_LIST, type UserRow } from "../community/users/users.store.ts";
import type { Tx } from "../platform/database/database.ts";
import { countRows, readPage, type ListDefinition } from "../platform/database/lists.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import { openUntil } from "./open-until.ts";

const PEOPLE = 5000;

const { sql } = openUntil(afterAll, await createTestDatabase());
// Names repeat a hundred times, phones more than forty times; every fourth user has no phone, every fiftieth is
// deleted, every third verified; one has a rare mark.
await sql`
  insert into users (id, name, email, phone, verified_at, deleted_at, roles)
  select 'U' || lpad(i::text, 6, '0'), 'Name ' || (i % 50), 'p' || i || '@example.org',
    case when i % 4 = 0 then '' else '+49 (30) ' || (1000 + i % 90) end,
    case when i % 3 = 0 then now() end, case when i % 50 = 0 then now() end,
    case when i = 7 then array['Admin'] else '{}'::text[] end
  from generate_series(1, ${PEOPLE}) i`;
await sql`update users set purpose = 'x', name = 'Rare Bird' where id = 'U000004'`;
await sql`
  insert into events (id, title, starts_at, ends_at)
  select 'E' || lpad(i::text, 4, '0'), 'Night ' || i, now() + (i % 7 - 3) * interval '1 day', now() + interval '30 days'
  from generate_series(1, 200) i`;
await sql`insert into songs (id, title, tempo, musical_key)
  select 'S' || lpad(i::text, 4, '0'), 'Song', i % 5 + 0.1, 'A minor' from generate_series(1, 120) i`;
await sql`analyze`;

/** Sort keys as text in the same order; rows with equal keys are ordered by ID. */
const KEYS: Readonly<Record<string, (row: UserRow) => string>> = {
  created_at: ({ id }) => id,
  name: ({ name, id }) => `${name.toLowerCase()} ${id}`,
  phone: ({ phone, id }) => `${phone.replaceAll(/[^0-9+]/g, "") || "none"} ${id}`,
  status: ({ deleted_at, verified_at, id }) => `${deleted_at ? 2 : verified_at ? 0 : 1} ${id}`,
};

const ask = (fields: object) => create(ListQuerySchema, fields);

/** Reads all pages of a list. */
async function walk<Item extends { id: string }>(list: ListDefinition, fields: object): Promise<Item[]> {
  const rows: Item[] = [];
  let pageToken = "";
  do {
    const page = await readPage<Item>(sql, list, ask({ pageSize: 33, ...fields, pageToken }));
    rows.push(...page.rows);
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  return rows;
}

describe("a list read page by page", () => {
  test.each(["created_at", "name", "phone", "status"].flatMap((order) => [order, `${order} desc`]))(
    "contains every row once, ordered by %s",
    async (orderBy) => {
      const rows = await walk<UserRow>(USER_LIST, { orderBy, pageSize: 200 });
      expect(new Set(rows.map(({ id }) => id)).size).toBe(PEOPLE);
      expect(rows).toHaveLength(PEOPLE);
      const [key, turned] = orderBy.split(" ");
      const keys = rows.map(KEYS[key!]!);
      const sorted = keys.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
      expect(keys).toEqual(turned ? sorted.reverse() : sorted);
    },
  );

  test("keeps its position among rows with equal times and fractions", async () => {
    const nights = await walk<EventRow>(EVENT_LIST, { orderBy: "starts_at" });
    expect(new Set(nights.map(({ id }) => id)).size).toBe(200);
    const starts = nights.map(({ starts_at }) => starts_at.getTime());
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    const songs = await walk<SongRow>(SONG_LIST, { orderBy: "tempo desc" });
    expect(songs.map(({ tempo }) => tempo)).toEqual(songs.map(({ tempo }) => tempo).toSorted((a, b) => b - a));
    expect(new Set(songs.map(({ id }) => id)).size).toBe(120);
  });

  test("repeats nothing when rows are inserted before the current page", async () => {
    const first = await readPage<UserRow>(sql, USER_LIST, ask({ pageSize: 10 }));
    await sql`insert into users (id, name) values ('U999999', 'Latest')`;
    const second = await readPage<UserRow>(sql, USER_LIST, ask({ pageSize: 10, pageToken: first.nextPageToken }));
    await sql`delete from users where id = 'U999999'`;
    expect(second.rows[0]?.id).toBe(`U${String(PEOPLE - 10).padStart(6, "0")}`);
  });

  test("contains the rows of a filter, and counts them", async () => {
    const counts = new Map((await countRows(sql, USER_LIST, "")).map(({ filter, count }) => [filter, count]));
    expect(counts.get("")).toBe(PEOPLE);
    expect(counts.get("deleted")).toBe(PEOPLE / 50);
    for (const filter of ["verified", "pending", "deleted", "admin"]) {
      expect((await walk(USER_LIST, { filter, pageSize: 200 })).length, filter).toBe(counts.get(filter));
    }
  });
});

describe("a search", () => {
  test("finds one row among many, and every row of a common text", async () => {
    expect((await walk<UserRow>(USER_LIST, { query: "rare b" })).map(({ id }) => id)).toEqual(["U000004"]);
    expect(await walk(USER_LIST, { query: "NAME 1", pageSize: 200 })).toHaveLength((PEOPLE / 50) * 11);
    expect((await walk<UserRow>(USER_LIST, { query: "u000007" })).map(({ id }) => id)).toEqual(["U000007"]);
  });

  test("treats pattern characters literally, and accepts texts too short for the index", async () => {
    expect(await walk(USER_LIST, { query: "%" })).toEqual([]);
    expect(await walk(USER_LIST, { query: "_" })).toEqual([]);
    expect((await walk<UserRow>(USER_LIST, { query: "rd" })).map(({ id }) => id)).toEqual(["U000004"]);
  });

  test("respects order and filter", async () => {
    const found = await walk<UserRow>(USER_LIST, { query: "name 3", filter: "verified", orderBy: "name desc" });
    expect(found.length).toBeGreaterThan(100);
    expect(found.every(({ verified_at, name }) => verified_at && name.startsWith("Name 3"))).toBe(true);
    const names = found.map(({ name }) => name.toLowerCase());
    expect(names).toEqual(names.toSorted().reverse());
  });
});

// kept: Doors | Signing in read through all people | failed on the old code
test("sign-in finds a user by index among all users", async () => {
  await sql`update users set phone = '+1 555 0100' where id = 'U000011'`;
  const lookUps: [index: string, lookUp: (tx: Tx) => Promise<unknown>][] = [
    ["users_email", async (tx) => (await findUserByTarget(tx, "p11@example.org"))?.id],
    ["users_phone", async (tx) => (await findUserByTarget(tx, "+15550100"))?.id],
    ["users_email", (tx) => isEmailTaken(tx, "P11@example.org", "U000012")],
  ];
  // More often than PostgreSQL plans a statement for its specific values.
  for (const [index, lookUp] of Array.from({ length: 8 }, () => lookUps).flat()) {
    const { found, whole, index: used } = await scansOf(index, lookUp);
    expect([index, found === "U000011" || found === true, whole, used]).toEqual([index, true, 0, 1]);
  }
});

test.each([
  ["users_by_name", "name", ""],
  ["users_by_phone", "phone", ""],
  ["users_by_phone", "phone desc", "Member"],
  ["users_by_status", "status", ""],
  ["users_by_status", "status desc", "Member"],
  ["users_roles", "phone", "Admin"],
  ["users_roles", "status", "Director"],
])("%s serves a page of users by %s with the role %j, without a full scan", async (index, orderBy, role) => {
  const { found, ...scans } = await scansOf(index, (tx) =>
    readPage<UserRow>(tx, USER_LIST, ask({ orderBy }), peopleOf(tx, role)),
  );
  expect(scans).toEqual({ whole: 0, index: 1 });
  expect(found.rows.length).toBe(role === "Admin" ? 1 : role === "Director" ? 0 : 50);
});

/** Returns the result of a query, and how often it scanned the users table and one of its indexes. */
async function scansOf<Found>(index: string, ask: (tx: Tx) => Promise<Found>) {
  return sql.begin(async (tx) => {
    const scans = async () => {
      const [row] = await tx<{ whole: number; index: number }[]>`
        select pg_stat_get_xact_numscans('users'::regclass)::int as whole,
          pg_stat_get_xact_numscans(${index}::regclass)::int as index`;
      return row!;
    };
    const before = await scans();
    const found = await ask(tx);
    const after = await scans();
    return { found, whole: after.whole - before.whole, index: after.index - before.index };
  });
}

describe("an invalid token, order or filter", () => {
  const token = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString("base64url");
  test.each([
    { pageToken: "bm9wZQ" },
    { pageToken: token("starts_at", "yesterday-ish", "E1") },
    { pageToken: token("starts_at", "1", 2) },
    { pageToken: token("starts_at") },
    { pageToken: token("title", "a", "E1") },
    { orderBy: "constructor" },
    { orderBy: "starts_at;drop table events" },
    { filter: "__proto__" },
    { filter: "nonsense" },
  ])("is rejected as an error of the caller: %j", async (fields) => {
    await expect(readPage(sql, EVENT_LIST, ask(fields))).rejects.toMatchObject({ code: 3 });
  });
});

describe("a rare text in a list without its own index", () => {
  beforeAll(async () => {
    await sql`
      insert into audit_log (user_id, action, target)
      select 'U' || lpad((1000 + i % 3000)::text, 6, '0'), 'talk.updated', 'talk T' || lpad(i::text, 6, '0')
      from generate_series(1, 6000) i`;
    await sql`update audit_log set action = 'talk.ended' where target = 'talk T000017'`;
    await sql`update audit_log set user_id = 'U000004' where target in ('talk T000018', 'talk T003000')`;
    await sql`analyze`;
  });
  const targets = async (query: string) =>
    (await readPage<AuditRow>(sql, AUDIT_LIST, ask({ query }))).rows.map(({ target }) => target);

  test("is found among players by name, but not in fields hidden from a Director", async () => {
    const found = await readPage<PlayerRow>(
      sql,
      PLAYER_LIST,
      ask({ query: "rare b", orderBy: "id desc" }),
      players(sql),
    );
    expect(found.rows.map(({ name }) => name)).toEqual(["Rare Bird"]);
    const byAddress = await readPage<PlayerRow>(sql, PLAYER_LIST, ask({ query: "p7@example" }), players(sql));
    expect(byAddress.rows).toEqual([]);
  });

  test.each([
    ["T000017", ["talk T000017"]],
    ["00001", ["talk T000019", "talk T000018", "talk T000017", "talk T000016", "talk T000015", "talk T000014", "talk T000013", "talk T000012", "talk T000011", "talk T000010", "talk T000001"]], // prettier-ignore
    ["talk.ended", ["talk T000017"]],
    ["Rare Bird", ["talk T003000", "talk T000018"]],
    ["rare", ["talk T003000", "talk T000018"]],
    ["p4@example.org", []],
    ["no such thing", []],
  ])("is found in the log by target, action and name: %s", async (query, wanted) => {
    expect(await targets(query)).toEqual(wanted);
  });
});
