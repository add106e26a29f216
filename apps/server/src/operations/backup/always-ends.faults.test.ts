import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { FolderBlobs } from "../../platform/blobs/folder-blobs.ts";
import { openCable } from "../../platform/testing/cable.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { readManifest } from "./manifest.ts";
import { openBackupConnection, takeBackup } from "./take-backup.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";

const ROUNDS = 20;

const folder = await folderUntil(afterAll);
const database = openUntil(afterAll, await createTestDatabase(3));
// Several times larger than any buffer on the way; most other tables have one row or none.
await database.sql`
  insert into audit_log (user_id, action, target, after)
  select 'U', 'user.updated', 'user ' || i, jsonb_build_object('bio', repeat(md5(i::text), 20))
  from generate_series(1, 5000) i`;
await database.sql`insert into talks (id, title, body) select i::text, 'Talk', repeat(md5(i::text), 10) from generate_series(1, 3000) i`;

const optionsFor = (name: string) => ({
  dataDir: join(folder, "data"),
  store: new FolderBlobs(join(folder, "data")),
  target: join(folder, name),
  key: "k".repeat(32),
  say: () => {},
});

// kept: Doors | `admin backup` hung in half of its runs | failed on the old code
test("twenty backups in a row all end with a consistent snapshot while the processor is busy and users write", async () => {
  const load: ChildProcess = spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" });
  let isOver = false;
  // A user and their audit row, in one statement.
  const write = async () => {
    for (let i = 0; !isOver; i++, await pause(2))
      await database.sql`
        with added as (insert into users (id, name) values (${`U${i}`}, 'New person') returning id)
        insert into audit_log (user_id, action, target) select id, 'user.created', id from added`;
  };
  const writing = write();
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const connection = await openBackupConnection(database.url);
      await takeBackup(connection, optionsFor(`round-${round}`));
      await connection.close();
      const { tables } = await readManifest(join(folder, `round-${round}`));
      const rowsOf = (table: string) => tables.find(({ name }) => name === table)?.rows ?? 0;
      expect(rowsOf("audit_log") - 5000).toBe(rowsOf("users"));
    }
  } finally {
    isOver = true;
    load.kill("SIGKILL");
    await writing;
  }
});

// kept: Doors | `admin backup` hung in half of its runs | also
test("a database that becomes silent aborts the backup with a remedy", async () => {
  const cable = await openCable(database.url);
  const connection = await openBackupConnection(cable.url, { silenceMs: 500 });
  const say = (text: string) => void (text.startsWith("table 2 ") && cable.hold());
  try {
    await expect(takeBackup(connection, { ...optionsFor("silent"), say })).rejects.toThrow(
      /said nothing for .* s, so this was broken off. Look whether it is busy or its disk is full, then try again/,
    );
    await expect(readManifest(join(folder, "silent"))).rejects.toThrow("holds no whole backup");
  } finally {
    await connection.close();
    await cable.close();
  }
});
