import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { LIVE, STREAMS, subjects, VENUE_PATHS, WORKER_PATHS } from "@followspot/contract";
import { Access } from "@followspot/contract/access";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { readPlan } from "../songs/library/plan-revisions.ts";
import { SongFiles } from "../songs/catalog/song-files.ts";
import { accessOf } from "../platform/http/access.ts";
import {
  deleteCommunity,
  insertCommunity,
  isSeenByOthers,
  OF_THE_INSTALLATION,
  requireApart,
  tablesOfCommunities,
} from "../platform/database/communities.ts";
import { openDatabase, type Sql } from "../platform/database/database.ts";
import { transactOnce } from "../platform/database/transaction.ts";
import { runAdmin } from "./admin.ts";
import { openSharedHouse, type SharingCommunity } from "./community-pair.ts";
import { startLiveServer } from "./live-server.ts";
import { METHODS, pathOf } from "./methods.ts";
import { folderUntil, openUntil } from "./open-until.ts";
import { SongsByHand } from "./songs-by-hand.ts";
import { VALID_CALLS } from "./valid-calls.ts";
import { createWorld, oneVideo } from "./world.ts";

/** Contained in every text that the first community wrote, and nowhere else. */
const MARK = "Wintermarkt";
/** IDs of users and things. */
const ID = /[0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{26}/g;
const EMAIL = "ada@example.org";
type Rows = Awaited<ReturnType<typeof house.rowsOf>>;

const SECRET = new TextEncoder().encode("the same key signs for both of them".padEnd(40, "."));

const folder = await folderUntil(afterAll);
const house = openUntil(afterAll, await openSharedHouse(folder, ["b"]));
const [first, b] = [await house.letIn("first"), await house.letIn("b")];
const theirs = await openCommunity(first, MARK);
const ours = await openCommunity(b, "Harbour");

/**
 * Starts the server of a community with an Admin who is subscribed to everything, and the data of valid requests. Both
 * servers sign with one key.
 */
async function openCommunity({ sql, url, dataDir, community }: SharingCommunity, name: string) {
  const files = new SongFiles(dataDir);
  const readSongFile = (id: string, file: "lighting.json" | "hybrid.json"): Promise<unknown> =>
    file === "hybrid.json" ? files.readJson(id, file) : readPlan(sql, files, id);
  const server = openUntil(
    afterAll,
    await startLiveServer({
      ...{ database: { sql, url, close: async () => {} }, secret: SECRET, natsUrl: house.brokerOf(community.slug) },
      ...{ dataDir, videos: oneVideo, readSongFile },
    }),
  );
  const admin = await server.person(name, ["Admin"], EMAIL);
  const caller = { userId: admin.id, name, roles: ["Admin" as const], sessionId: "" };
  const world = createWorld(server, new SongsByHand(sql, files, caller), admin);
  const heard: string[] = [];
  const socket = new WebSocket(`${server.base.replace("http", "ws")}/ws/events`);
  openUntil(afterAll, socket, () => socket.terminate());
  await once(socket, "open");
  const subscriptions = [...new Set(Object.values(LIVE).map(({ topic }) => topic))];
  socket.on("message", (data) => heard.push(String(data)));
  socket.send(JSON.stringify({ type: "ClientHello", payload: { token: admin.token, subscriptions } }));
  const subscribed = () => heard.filter((text) => text.includes('"Subscribed"')).length;
  await vi.waitUntil(() => subscribed() === subscriptions.length, { timeout: 20_000 });
  return { server, admin, world, heard };
}

/** Returns the IDs of all rows of the first community, without those in a text, and its own words. */
function secretsOfTheirs(butThoseIn: string, rowsOfTheirs: Rows): ReadonlySet<string> {
  const known = new Set(butThoseIn.match(ID) ?? []);
  const rows = [...rowsOfTheirs.values()].flat();
  return new Set([MARK, ...rows.flatMap((row) => row.match(ID) ?? []).filter((id) => !known.has(id))]);
}

const leaked = (secrets: ReadonlySet<string>, text: string) => [...secrets].filter((secret) => text.includes(secret));

describe("the API of one community, called by an Admin with IDs of the other", () => {
  test.each(METHODS.map((method) => [pathOf(method), method] as const))(
    "%s reveals nothing of the other community and does not change it",
    async (path, method) => {
      const request = await VALID_CALLS[path]!.request(theirs.world); // another test covers missing entries
      const sent = JSON.stringify(request);
      const before = await house.rowsOf(first.community);
      const secrets = secretsOfTheirs(sent, before);
      // SignOut is called by another user because it ends the session.
      const token = method.name === "SignOut" ? (await ours.server.person("Sam", ["Admin"])).token : ours.admin.token;
      const { status, text } = await callOurs(path, sent, token);
      expect([200, 400, 401, 403, 404, 409, 412, 429, 503], text).toContain(status);
      expect(leaked(secrets, text)).toEqual([]);
      if (!accessOf(method).includes(Access.PUBLIC)) {
        const strange = await callOurs(path, sent, theirs.admin.token);
        const refusal = { code: "unauthenticated", message: "Sign in first" };
        expect([strange.status, JSON.parse(strange.text)]).toEqual([401, refusal]);
      }
      expect(house.changedTables(before, await house.rowsOf(first.community))).toEqual([]);
      expect(ours.server.failures).toEqual([]);
    },
  );

  async function callOurs(path: string, body: string, token: string): Promise<{ status: number; text: string }> {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const answer = await fetch(`${ours.server.base}/followspot.${path}`, { method: "POST", headers, body });
    return { status: answer.status, text: await answer.text() };
  }

  test("an ID in a request is found only in its own community", async () => {
    const event_id = await theirs.world.event({ title: MARK });
    const ask = (server: typeof ours.server, token: string) =>
      server.call("event.v1.EventService/GetEvent", { event_id }, token);
    expect((await ask(theirs.server, theirs.admin.token)).body.event.title).toBe(MARK);
    expect((await ask(ours.server, ours.admin.token)).code).toBe("not_found");
  });

  test("tokens of machines, links and codes of the other community are rejected", async () => {
    const worker = await theirs.world.make("queues.v1.QueuesService/AddWorker", { name: "W" });
    const venue = await theirs.world.make("venue.v1.VenueService/AddVenue", { name: "V" });
    const status = async (base: string, path: string, token: string) =>
      (
        await fetch(base + path, {
          method: "POST",
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          body: "{}",
        })
      ).status;
    for (const [path, token] of [
      [WORKER_PATHS.hello, worker.token],
      [VENUE_PATHS.hello, venue.token],
    ] as const) {
      expect(await status(theirs.server.base, path, token)).toBe(400); // authenticated, and rejected for a missing field
      expect(await status(ours.server.base, path, token)).toBe(401);
    }
  });

  test("sockets received nothing of the other community's changes", async () => {
    await theirs.world.event({ title: MARK });
    await expect
      .poll(() => theirs.heard.some((text) => text.includes("event.created")), { timeout: 10_000 })
      .toBe(true);
    await ours.world.event({ title: "Ours" });
    await expect.poll(() => ours.heard.some((text) => text.includes("event.created"))).toBe(true);
    const ownIds = JSON.stringify([...(await house.rowsOf(b.community)).values()]);
    expect(leaked(secretsOfTheirs(ownIds, await house.rowsOf(first.community)), ours.heard.join("\n"))).toEqual([]);
  });

  test("both communities can use the same address, names, links and IDs", async () => {
    const both = [theirs, ours];
    for (const { world } of both) {
      const group = { id: "wash", name: "Wash", type: "wash", fixture_ids: [await world.light()] };
      await world.make("lights.v1.LightsService/CreateGroup", group);
      await world.make("music.v1.MusicService/AddSongFromYoutube", { url: "https://youtu.be/aaaaaaaaaaa" });
      await world.make("user.v1.UserService/CreateUser", { name: "Bo", email: "bo@example.org" });
      await world.make("queues.v1.QueuesService/AddWorker", { name: "Office" });
    }
    const people = await Promise.all(both.map(({ server }) => server.sql`select id from users where email = ${EMAIL}`));
    expect(people.map((rows) => rows.map(({ id }) => id))).toEqual(both.map(({ admin }) => [admin.id]));
  });
});

describe("SQL as the role of one community", () => {
  let tables: readonly string[];
  beforeAll(async () => {
    tables = await tablesOfCommunities(house.owner);
  });

  test("every table belongs to communities and has row-level security, or is listed as the installation's", async () => {
    const guarded = await house.owner<{ name: string }[]>`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relrowsecurity
        and exists (select from pg_policy where polrelid = pg_class.oid and polname = 'apart' and polcmd = '*')
        and exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'community_id' and attnotnull)`;
    const all = await house.owner<{ name: string }[]>`
      select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`;
    const open = all.map(({ name }) => name).filter((name) => !guarded.some((each) => each.name === name));
    const how =
      "A new table gets community_id, in its keys and references too, and the policy apart: see 078-communities.sql";
    expect(open.toSorted(), how).toEqual(Object.keys(OF_THE_INSTALLATION).toSorted());
    // No other way to read: views run with the rights of their owner.
    expect(
      await house.owner`select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')`,
    ).toEqual([]);
  });

  test("references and unique constraints apply within a community", async () => {
    const loose = await house.owner`
      select conrelid::regclass::text || ' ' || conname as name from pg_constraint
      where connamespace = 'public'::regnamespace and contype in ('p', 'u', 'f')
        and not conrelid::regclass::text = any(${Object.keys(OF_THE_INSTALLATION)})
        and not exists (
          select from pg_attribute where attrelid = conrelid and attname = 'community_id' and attnum = any(conkey))`;
    expect(loose).toEqual([]);
  });

  test("no row of the other community can be read, changed or deleted, in any table", async () => {
    const theirId = first.community.id;
    const before = await house.rowsOf(first.community);
    expect([...before.values()].filter((rows) => rows.length > 0).length).toBeGreaterThan(40);
    for (const table of tables) {
      const name = b.sql(table);
      const [seen] = await b.sql`select count(*)::int as rows from ${name} where community_id <> ${b.community.id}`;
      expect([table, seen]).toEqual([table, { rows: 0 }]);
      for (const change of [
        b.sql`update ${name} set community_id = community_id where community_id = ${theirId}`,
        b.sql`delete from ${name} where community_id = ${theirId}`,
      ]) {
        const count = await change.then((rows) => rows.count, writtenOnce);
        expect([table, count]).toEqual([table, 0]);
      }
    }
    expect(house.changedTables(before, await house.rowsOf(first.community))).toEqual([]);
  });

  test("no row can be written for the other community, moved to it, or refer to its rows", async () => {
    const tried: string[] = [];
    for (const [table, [row]] of await house.rowsOf(first.community)) {
      if (row === undefined) continue;
      tried.push(table);
      const columns = await writtenColumns(table);
      const forged = JSON.stringify({ ...(JSON.parse(row) as object), community_id: first.community.id });
      const listed = b.sql(columns as string[]);
      await expect(
        b.sql`
          insert into ${b.sql(table)} (${listed}) overriding system value
          select ${listed} from jsonb_populate_record(null::${b.sql(`public.${table}`)}, ${forged}::text::jsonb)`,
        table,
      ).rejects.toMatchObject({ code: "42501" });
    }
    expect(tried.length).toBeGreaterThan(40);
    await expect(b.sql`update users set community_id = ${first.community.id}`).rejects.toMatchObject({ code: "42501" });
    const event = await theirs.world.event();
    await expect(b.sql`insert into talks (id, title, event_id) values ('T', 'Talk', ${event})`).rejects.toMatchObject({
      code: "23503",
    });
  });

  test("no statement changes the role or disables row-level security", async () => {
    const connection = await b.sql.reserve();
    try {
      for (const text of [
        `set role "${first.community.role}"`,
        `set session authorization "${first.community.role}"`,
        "alter table users disable row level security",
        "alter table users owner to current_user",
        "drop policy apart on users",
        "create or replace function public.current_community() returns smallint language sql as 'select 1::smallint'",
        `update communities set role = current_user where id = ${first.community.id}`,
        `insert into communities (id, slug, role) values (9, 'x', current_user)`,
        `alter role "${b.community.role}" bypassrls`,
        "copy (select 1) to '/tmp/taken'",
        "select pg_read_file('PG_VERSION')",
        "select * from pg_statistic",
        "set row_security = off; select * from users",
      ])
        await expect(connection.unsafe(text), text).rejects.toMatchObject({
          code: expect.stringMatching(/^(42501|42P17|0LP01)$/),
        });
      await connection`reset role`;
      await connection`set row_security = on`;
      // A temporary table that shadows the one that maps roles to communities.
      await connection`create temp table communities (id smallint, role name)`;
      await connection`insert into communities values (${first.community.id}, current_user)`;
      expect(await connection`select current_community() as id`).toEqual([{ id: b.community.id }]);
      expect(await connection`select count(*)::int as rows from users where community_id <> ${b.community.id}`).toEqual(
        [{ rows: 0 }],
      );
      // Migrations belong to the installation.
      expect(
        await connection`select count(*)::int as rows from pg_stats where schemaname = 'public' and tablename <> 'migrations'`,
      ).toEqual([{ rows: 0 }]);
      await connection`drop table pg_temp.communities`;
      expect(await connection`select slug from communities`).toEqual([{ slug: "b" }]);
    } finally {
      connection.release();
    }
  });

  test("rejects an API that signs in as the owner of the tables, and the others wait for it to end", async () => {
    await expect(requireApart(house.owner)).rejects.toThrow("2 communities share this database");
    await requireApart(b.sql);
    await house.owner`select 1`;
    expect(await isSeenByOthers(b.sql)).toBe(true);
  });

  const writtenOnce = (error: { message: string }) => {
    if (/is written once and never changed/.test(error.message)) return 0;
    throw error;
  };

  async function writtenColumns(table: string): Promise<readonly string[]> {
    const rows = await house.owner<{ name: string }[]>`
      select attname as name from pg_attribute
      where attrelid = ${`public.${table}`}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`;
    return rows.map(({ name }) => name);
  }
});

test("the broker lets no community subscribe to, publish to or inspect streams of the other", async () => {
  const [theirConnection, ownConnection] = await Promise.all([connectTo("first"), connectTo("b")]);
  const countOf = async () => (await theirConnection.jsm.streams.info(STREAMS.events.name)).state.messages;
  const heard: string[] = [];
  const listening = ownConnection.connection.subscribe(">");
  void (async () => {
    for await (const message of listening) heard.push(`${message.subject} ${message.string()}`);
  })();
  await ownConnection.connection.flush();
  const before = await countOf();
  ownConnection.connection.publish(subjects.event("test.told"), "from b");
  await ownConnection.connection.flush();
  theirConnection.connection.publish(subjects.event("test.told"), MARK);
  theirConnection.connection.publish("$JS.API.STREAM.DELETE.SONGS.not", MARK);
  await theirConnection.connection.flush();
  await expect.poll(countOf).toBe(before + 1);
  await pause(100); // time for wrong deliveries to arrive
  expect(heard.filter((text) => text.includes(MARK))).toEqual([]);
  // Streams of the same name are separate.
  const [own] = await ownConnection.jsm.streams.list().next();
  expect(own?.config.name).toBeDefined();
  await ownConnection.jsm.streams.delete(STREAMS.events.name);
  expect(await countOf()).toBe(before + 1);
  await Promise.all([ownConnection.connection.close(), theirConnection.connection.close()]);

  async function connectTo(slug: string) {
    const { username, password, host } = new URL(house.brokerOf(slug));
    const connection = await connect({ servers: host, user: username, pass: password });
    return { connection, jsm: await jetstreamManager(connection) };
  }
});

describe("adding, moving and removing a community does not change the others", () => {
  test("a new community has the same rows as a new installation", async () => {
    const added = await house.letIn("fresh");
    const countOf = async (sql: Sql, id: number) =>
      (
        await Promise.all(
          (await tablesOfCommunities(sql)).map(async (table) => {
            const [row] = await sql<{ rows: number }[]>`
              select count(*)::int as rows from ${sql(table)} where community_id = ${id}`;
            return [table, row!.rows] as const;
          }),
        )
      ).filter(([, rows]) => rows > 0);
    const template = new URL(house.ownerUrl);
    template.pathname = "/followspot_template";
    const fresh = openDatabase(template.href, 1);
    try {
      expect(await countOf(house.owner, added.community.id)).toEqual(await countOf(fresh, 1));
    } finally {
      await fresh.end();
    }
  });

  test("its backup holds its own rows, and can be restored into another community", async () => {
    vi.stubEnv("FOLLOWSPOT_DATABASE_OWNER", house.ownerUrl);
    const backup = `${folder}/backup`;
    expect(await runAdmin(b, "backup", backup)).toMatchObject({ code: 0 });
    const moved = await house.letIn("moved");
    const [theirRows, ourRows] = [await house.rowsOf(first.community), await house.rowsOf(b.community)];
    const { code, said } = await runAdmin(moved, "restore", backup);
    expect([code, said]).toEqual([0, expect.stringContaining("Restored: ")]);
    const rows = await house.rowsOf(moved.community);
    for (const table of ["users", "songs", "events", "gold_postings", "audit_log", "lights", "light_groups"])
      expect([table, rows.get(table)]).toEqual([table, ourRows.get(table)]);
    expect(house.changedTables(theirRows, await house.rowsOf(first.community))).toEqual([]);
    expect(house.changedTables(ourRows, await house.rowsOf(b.community))).toEqual([]);
    // Sequences continue after the restored IDs.
    const [light] = await moved.sql<{ id: number }[]>`
      insert into lights (label, light_type, mode, channel_count, universe, dmx_address)
      values ('New', 'x', 'y', 1, 60000, 1) returning id`;
    const [last] = await house.owner<{ last: number }[]>`select max(id) as last from lights`;
    expect(light?.id).toBe(last?.last);
  });

  test("removing a community deletes its rows and its role only", async () => {
    const theirRows = await house.rowsOf(first.community);
    const left = await house.letIn("left");
    await left.sql`insert into users (id, name) values ('U', 'Bo')`;
    await left.sql.end();
    await transactOnce(house.owner, async (tx) => ({ answer: await deleteCommunity(tx, left.community) }));
    expect([...(await house.rowsOf(left.community)).values()].flat()).toEqual([]);
    expect(await house.owner`select from pg_roles where rolname = ${left.community.role}`).toHaveLength(0);
    expect(house.changedTables(theirRows, await house.rowsOf(first.community))).toEqual([]);
    const again = { slug: "left", name: "", role: left.community.role!, password: "00" };
    await transactOnce(house.owner, async (tx) => ({ answer: await insertCommunity(tx, again) }));
  });
});
