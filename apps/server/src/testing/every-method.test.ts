import { once } from "node:events";
import type { DescMethod } from "@bufbuild/protobuf";
import { LIVE, type Envelope } from "@followspot/contract";
import { Access } from "@followspot/contract/access";
import { errorsOf, REFUSALS } from "@followspot/contract/method-errors";
import { SERVICES } from "@followspot/contract/services";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { readPlan } from "../songs/library/plan-revisions.ts";
import { SongFiles } from "../songs/catalog/song-files.ts";
import { accessOf } from "../platform/http/access.ts";
import type { Role } from "../platform/caller.ts";
import { startLiveServer } from "./live-server.ts";
import { METHODS, pathOf } from "./methods.ts";
import { SongsByHand } from "./songs-by-hand.ts";
import type { Wire } from "./test-server.ts";
import { VALID_CALLS } from "./valid-calls.ts";
import { createWorld, oneVideo } from "./world.ts";
import { folderUntil, openUntil } from "./open-until.ts";

const ROLES: Readonly<Record<string, readonly Role[]>> = {
  member: [],
  director: ["Director"],
  ai: ["AI"],
  admin: ["Admin"],
};
const IDENTITIES = ["signed out", "garbage", "expired", "deleted", ...Object.keys(ROLES)];
const named = METHODS.map((method) => [pathOf(method), method] as const);

const heard: Envelope<Wire>[] = [];
const dataDir = await folderUntil(afterAll);
const files = new SongFiles(dataDir);
const readSongFile = (id: string, name: "lighting.json" | "hybrid.json"): Promise<unknown> =>
  name === "hybrid.json" ? files.readJson(id, name) : readPlan(server.sql, files, id);
const server = openUntil(afterAll, await startLiveServer({ dataDir, videos: oneVideo, connections: 10, readSongFile }));
const admin = await server.person("Ada", ["Admin"]);
const caller = { userId: admin.id, name: "Ada", roles: ["Admin" as const], sessionId: "" };
const world = createWorld(server, new SongsByHand(server.sql, files, caller), admin);
const socket = new WebSocket(`${server.base.replace("http", "ws")}/ws/events`);
afterAll(() => socket.terminate());
await once(socket, "open");
const subscriptions = [...new Set(Object.values(LIVE).map(({ topic }) => topic))];
socket.on("message", (data) => heard.push(JSON.parse(String(data))));
socket.send(JSON.stringify({ type: "ClientHello", payload: { token: admin.token, subscriptions } }));
const subscribed = () => heard.filter(({ type }) => type === "Subscribed").length;
await vi.waitUntil(() => subscribed() === subscriptions.length, { timeout: 20_000 });

function isLetIn(method: DescMethod, identity: string): boolean {
  const allowed = accessOf(method);
  if (allowed.includes(Access.PUBLIC) || identity === "admin") return true;
  const role = { member: Access.MEMBER, director: Access.DIRECTOR, ai: Access.AI }[identity];
  return allowed.includes(Access.MEMBER) || allowed.some((who) => who === role);
}

/** Formats the access options of the contract as a table, for the guide. */
function accessTable(): string {
  const rowOf = (method: DescMethod) => {
    const isOpen = accessOf(method).includes(Access.PUBLIC);
    const marks = Object.keys(ROLES).map((identity) => (isLetIn(method, identity) ? "yes" : ""));
    return `| ${[method.name, isOpen ? "yes" : "", ...marks].join(" | ")} |`;
  };
  const services = Map.groupBy(METHODS, ({ parent }) => parent.typeName.slice("followspot.".length));
  const head = "| method | everyone | member | Director | AI | Admin |\n|---|---|---|---|---|---|";
  const tables = [...services].map(([name, methods]) => `## ${name}\n\n${head}\n${methods.map(rowOf).join("\n")}\n`);
  return `# Who may call what

Made from the access options of the contract, and tested against the running server. "Everyone" needs no sign-in. A member
sees and changes only what is theirs or meant for everybody: their own balance, the threads they are in, their votes.

${tables.join("\n")}`;
}

test("the contract's list of services, from which docs and downloads are generated, is complete", () => {
  const found = new Set(METHODS.map(({ parent }) => parent.typeName));
  expect(SERVICES.map(({ typeName }) => typeName).toSorted()).toEqual([...found].toSorted());
});

describe("access to methods", () => {
  test.each(named)("%s declares its access in the contract", (_path, method) => {
    expect(accessOf(method).length).toBeGreaterThan(0);
  });

  test.each(IDENTITIES)("%s is admitted to exactly the methods that the contract names", async (identity) => {
    const token = await tokenOf(identity);
    for (const method of METHODS) {
      // SignOut would revoke the token of the other calls.
      const own = method.name === "SignOut" ? await tokenOf(identity) : token;
      const { code, body } = await server.call(pathOf(method), {}, own);
      const wanted = promised(method, identity);
      const got = code === "unauthenticated" || code === "permission_denied" ? code : undefined;
      // Public methods may respond unauthenticated for an invalid code or link; for {} they do not.
      expect([pathOf(method), got]).toEqual([pathOf(method), wanted]);
      if (wanted === "unauthenticated") expect(body).toEqual({ code: "unauthenticated", message: "Sign in first" });
      expect(["internal", "unimplemented"]).not.toContain(code);
    }
    expect(server.failures).toEqual([]);
  });

  test("the access table of the guide matches the contract", async () => {
    // To update it: npm test -- every-method --update=all
    await expect(accessTable()).toMatchFileSnapshot("../../../../docs/guide/access.md");
  });

  async function tokenOf(identity: string): Promise<string | undefined> {
    if (identity === "signed out") return undefined;
    if (identity === "garbage") return "garbage";
    const { id, token } = await server.person(identity, ROLES[identity] ?? ["Admin"]);
    if (identity === "expired") await server.sql`update sessions set expires_at = now() where user_id = ${id}`;
    if (identity === "deleted") await world.make("user.v1.UserService/DeleteUser", { user_id: id });
    return token;
  }

  /** Returns the error code that the access option implies; undefined for admitted callers. */
  function promised(method: DescMethod, identity: string): string | undefined {
    const allowed = accessOf(method);
    if (allowed.includes(Access.PUBLIC)) return undefined;
    if (!(identity in ROLES)) return "unauthenticated";
    return isLetIn(method, identity) ? undefined : "permission_denied";
  }
});

describe("effects of a valid call", () => {
  let fingerprintsQuery: string;
  beforeAll(async () => {
    const tables = await server.sql<{ name: string }[]>`
      select quote_ident(tablename) as name from pg_tables where schemaname = 'public'
        and tablename not in ('outbox', 'audit_log', 'migrations') order by tablename`;
    const hashes = tables.map(
      ({ name }) => `
        select '${name}' as name, md5(coalesce(string_agg(line, ',' order by line), '')) as rows
        from (select (to_jsonb(t) - 'last_seen_at')::text as line from ${name} t) as lines`,
    );
    fingerprintsQuery = hashes.join(" union all ");
  });

  test("the table of valid calls covers exactly the methods of the contract", () => {
    const paths = named.map(([path]) => path);
    const missing = paths.filter((path) => !(path in VALID_CALLS));
    const unknown = Object.keys(VALID_CALLS).filter((path) => !paths.includes(path));
    const where = "apps/server/src/testing/valid-calls.ts";
    expect(missing, `Add a row with a valid request and its effects to VALID_CALLS in ${where}`).toEqual([]);
    expect(unknown, `The contract has no such method: take the row out of VALID_CALLS in ${where}`).toEqual([]);
  });

  test.each(named)("%s changes, audits and publishes what the table declares", async (path) => {
    const call = VALID_CALLS[path]!; // the test above covers missing entries
    const request = await call.request(world);
    const token =
      call.by === "signed out" ? undefined : call.by === "member" ? (await server.person("Sam")).token : admin.token;
    await server.call("auth.v1.AuthService/GetSession", {}, token); // updates their last_seen_at first
    const before = await fingerprints();
    const entriesBefore = await lastEntry();
    heard.length = 0;
    const { status, body } = await server.call(path, request, token);
    expect([status, body]).toEqual([200, expect.anything()]);
    if (call.answers) expect(body[call.answers], `${call.answers} of ${JSON.stringify(body)}`).toBeTruthy();

    const after = await fingerprints();
    const changed = [...after].flatMap(([table, rows]) => (before.get(table) === rows ? [] : [table])).toSorted();
    expect(changed).toEqual(call.tables.toSorted());
    const entries = await server.sql<{ action: string }[]>`
      select action from audit_log where id > ${entriesBefore}::text::bigint and action <> 'session.started'`;
    expect(entries.map(({ action }) => action)).toEqual(call.audits ? [call.audits] : []);
    if (call.tells) {
      const known = JSON.stringify([request, body, await call.idIn?.(server.sql, request)]);
      // Other tests share the broker: an envelope is ours if the call knows one of its IDs.
      const isOurs = ([name, id]: [string, unknown]) =>
        name.endsWith("_id") && (["all", "many", "show"].includes(String(id)) || known.includes(String(id)));
      const isIt = ({ type, payload }: Envelope<Wire>) => type === call.tells && Object.entries(payload).some(isOurs);
      const told = () => heard.some(isIt) || heard.map(({ type, payload }) => [type, payload]);
      await expect.poll(told, { timeout: 5000, interval: 10 }).toBe(true);
    }
    expect(server.failures).toEqual([]);
  });

  /** Returns a hash of the rows per table, without presence times and the outbox. One statement for all tables. */
  async function fingerprints(): Promise<ReadonlyMap<string, string>> {
    const rows = await server.sql.unsafe<{ name: string; rows: string }[]>(fingerprintsQuery, [], { prepare: true });
    return new Map(rows.map(({ name, rows: hash }) => [name, hash]));
  }

  async function lastEntry(): Promise<string> {
    const [row] = await server.sql<{ id: string }[]>`select coalesce(max(id), 0)::text as id from audit_log`;
    return row!.id;
  }
});

describe("rejections", () => {
  test("the table of rejections names only methods of the contract", () => {
    const names = METHODS.map(({ parent, name }) => `${parent.name}/${name}`);
    expect(Object.keys(REFUSALS).filter((name) => !names.includes(name))).toEqual([]);
  });

  test("a call with unknown IDs returns not_found if the contract declares it", async () => {
    const answers: [string, string | undefined][] = [];
    for (const [path, method] of named) {
      if (!errorsOf(method).some(({ code }) => code === "not_found")) continue;
      const request = await VALID_CALLS[path]!.request(world);
      const strange = withStrangeIds(request);
      if (JSON.stringify(strange) === JSON.stringify(request)) continue; // its IDs are nested or omitted
      const { token } = await server.person("Eve", ["Admin"]); // SignOut is one of the calls
      answers.push([path, (await server.call(path, strange, token)).code]);
    }
    expect(answers.length).toBeGreaterThan(100);
    expect(answers.filter(([, code]) => code !== "not_found")).toEqual([]);
  });

  test("filters with unknown users match nothing, and are not rejected", async () => {
    const unknown = "01AAAAAAAAAAAAAAAAAAAAAAAA";
    const ask = async (path: string, body: object) => (await server.call(path, body, admin.token)).status;
    expect(await ask("audit.v1.AuditService/ListAuditEntries", { user_id: unknown })).toBe(200);
    expect(await ask("chat.v1.ChatService/ListAllThreads", { user_id: unknown })).toBe(200);
    expect(await ask("talk.v1.TalkService/ListTalks", { event_id: unknown, user_id: unknown })).toBe(200);
    expect(await ask("talk.v1.TalkService/CountTalks", { event_id: unknown })).toBe(200);
  });

  /** Replaces each ID in a request by an unknown one. */
  function withStrangeIds(request: object): object {
    return Object.fromEntries(
      Object.entries(request).map(([name, value]) => {
        if (!/^(?!client_|replay_)(?:.+_)?id$/.test(name)) return [name, value];
        return [name, typeof value === "number" ? 999_999 : "01AAAAAAAAAAAAAAAAAAAAAAAA"];
      }),
    );
  }
});
