import { mkdtemp, readdir, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { synthesiseSong } from "../testing/synthetic-song.ts";
import type { Caller } from "../platform/caller.ts";
import { openDatabase, type Sql } from "../platform/database.ts";
import { createHttpServer, type HttpServer } from "../platform/http-server.ts";
import { openCable, type Cable } from "../platform/testing/cable.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import { registerMusicHttp } from "./music.http.ts";
import { SongFiles } from "./song-files.ts";

const admin: Caller = { userId: "01ADMIN", name: "Ada", roles: ["Admin"], sessionId: "" };
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let line: Cable;
let sql: Sql;
let http: HttpServer;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "followspot-lost-"));
  database = await createTestDatabase();
  line = await openCable(database.url);
  sql = openDatabase(line.url);
  http = await createHttpServer({ noteFailure: () => {}, authenticate: async () => admin, trustProxy: [] });
  registerMusicHttp(http, { sql, files: new SongFiles(dataDir) });
  await http.app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(async () => {
  await http.app.close();
  await sql.end({ timeout: 5 });
  await line.close();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

test("a song that was stored while the line to the database broke keeps its original, and its audit row", async () => {
  line.loseAnswer("COMMIT");
  const { port } = http.app.server.address() as AddressInfo;
  const headers = { "content-type": "application/octet-stream" };
  const body = synthesiseSong(2, 120) as never;
  const answer = await fetch(`http://127.0.0.1:${port}/api/songs/upload`, { method: "POST", headers, body });
  expect(answer.status).toBeGreaterThanOrEqual(500);
  const stored = await database.sql<{ id: string; source_file: string }[]>`select id, source_file from songs`;
  expect(stored).toHaveLength(1);
  const { id, source_file: original } = stored[0]!;
  expect(await readdir(join(dataDir, "songs", id))).toEqual([original]);
  const written = await database.sql`select action, target from audit_log`;
  expect(written).toEqual([{ action: "song.created", target: `song ${id}` }]);
});
