import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { freePort } from "../../operations/supervisor/processes.ts";
import { ROOT } from "../settings.ts";
import { migrate } from "./migrate.ts";
import { createTestDatabase } from "../testing/test-database.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";

const dataDir = await folderUntil(afterAll);
const database = openUntil(afterAll, await createTestDatabase(2));
await database.sql`insert into migrations (name) values ('998-guests.sql'), ('999-tickets.sql')`;

test("a database migrated by a newer release is refused", async () => {
  await expect(migrate(database.sql)).rejects.toThrow("used by a newer Followspot (last change 999-tickets)");
});

// kept: Doors | An older Followspot started on a newer data folder without an error | failed on the old code
test("npm start on a newer data folder ends with one sentence that names the remedy", async () => {
  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    PORT: String(await freePort()),
    FOLLOWSPOT_DATA_DIR: dataDir,
  };
  const child = spawn(process.execPath, [join(ROOT, "apps/server/dist/main.js")], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const [code, said] = await Promise.all([ended, text(child.stderr)]);
  expect(code).toBe(1);
  expect(said.trim()).toBe(
    "This data folder was used by a newer Followspot (last change 999-tickets). Start that version, or restore a backup taken with this one.",
  );
});
