import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterAll, afterEach, expect, onTestFinished, test, vi } from "vitest";
import { openDatabase } from "../platform/database/database.ts";
import { writeRunningFile } from "../platform/files/running-file.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import { openCable } from "../platform/testing/cable.ts";
import { folderUntil, openUntil } from "../testing/open-until.ts";
import { addCommunityVerb } from "./communities.ts";

const database = openUntil(afterAll, await createTestDatabase());
const cables = [
  openUntil(afterAll, await openCable(database.url)),
  openUntil(afterAll, await openCable(database.url)),
] as const;
const { username, password, pathname } = new URL(database.url);
const hosts = cables.map(({ url }) => new URL(url).host).join();
const DATABASE_URL = `postgres://${username}:${password}@${hosts}${pathname}?connect_timeout=5`;
afterEach(() => vi.unstubAllEnvs());

// kept: Changes | `add-community` failed with "Invalid URL" if DATABASE_URL named several hosts | failed on the old code
test("a community on a cluster gets all its hosts, the replicas of the broker and the keys of the bucket", async () => {
  const dataDir = await folderUntil(onTestFinished);
  await writeRunningFile(dataDir, {
    database: DATABASE_URL,
    broker: "nats://ada:secret@one:4222,nats://ada:secret@two:4222",
    brokerReplicas: 3,
    secret: "",
    api: "http://127.0.0.1:3000",
    blobs: "s3://songs/office?region=eu-central-1",
  });
  const env = { DATABASE_URL, FOLLOWSPOT_DATA_DIR: dataDir, AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "s/e+c=" };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const said: string[] = [];
  expect(await addCommunityVerb("harbour", "Harbour Light", (line) => said.push(line))).toBe(0);
  const [first, harbour] = await Promise.all(
    ["first", "harbour"].map(async (slug) =>
      parseEnv(await readFile(join(dataDir, "communities", `${slug}.env`), "utf8")),
    ),
  );
  expect(harbour).toMatchObject({
    PORT: "3010",
    DATABASE_URL: expect.stringMatching(
      new RegExp(`^postgres://followspot_harbour_\\w+:\\w+@${hosts}${pathname}\\?connect_timeout=5$`),
    ),
    NATS_URL: expect.stringMatching(/^nats:\/\/harbour:\w+@one:4222,nats:\/\/harbour:\w+@two:4222$/),
    FOLLOWSPOT_NATS_REPLICAS: "3",
    FOLLOWSPOT_BLOBS: "s3://songs/office-harbour?region=eu-central-1",
    AWS_ACCESS_KEY_ID: "key",
    AWS_SECRET_ACCESS_KEY: "s/e+c=",
  });
  expect(said.join("\n")).toContain("Replace them with keys for the community's prefix alone.");

  // Both sign in at whichever host answers.
  cables[0].isUp = false;
  cables[0].cut("reset");
  for (const settings of [first, harbour]) {
    const sql = openUntil(onTestFinished, openDatabase(settings!["DATABASE_URL"]!, 1), (pool) =>
      pool.end({ timeout: 0 }),
    );
    expect([...(await sql`select count(*)::int as communities from communities`)]).toEqual([{ communities: 1 }]);
  }
});
