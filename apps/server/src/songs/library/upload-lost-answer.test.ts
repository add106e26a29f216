import { readdir } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { synthesiseSong } from "../../testing/synthetic-song.ts";
import type { Caller } from "../../platform/caller.ts";
import { openDatabase } from "../../platform/database/database.ts";
import { createHttpServer } from "../../platform/http/http-server.ts";
import { openCable } from "../../platform/testing/cable.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { registerMusicHttp } from "./music.http.ts";
import { SongFiles } from "../catalog/song-files.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";

const admin: Caller = { userId: "01ADMIN", name: "Ada", roles: ["Admin"], sessionId: "" };

const dataDir = await folderUntil(afterAll);
const database = openUntil(afterAll, await createTestDatabase());
const cable = openUntil(afterAll, await openCable(database.url));
const sql = openUntil(afterAll, openDatabase(cable.url), (sql) => sql.end({ timeout: 5 }));
const http = await createHttpServer({ noteFailure: () => {}, authenticate: async () => admin, trustProxy: [] });
registerMusicHttp(http, { sql, files: new SongFiles(dataDir) });
await openUntil(afterAll, http.app).listen({ port: 0, host: "127.0.0.1" });

// kept: Changes | A stored song could lose its original file | also
// kept: Songs and jobs | One song of 200 had no audit row after many kills | failed on the old code
test("a song whose COMMIT response was lost keeps its original file and its audit row", async () => {
  cable.loseAnswer("COMMIT");
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
