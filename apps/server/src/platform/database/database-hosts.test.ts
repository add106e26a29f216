import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import {
  hostFaults,
  judgeHosts,
  TIMELINE_FILE,
  TimelineMemory,
  type HostReport,
  type SeenTimeline,
} from "./database-timeline.ts";
import { hostsOf, openDatabase } from "./database.ts";
import { openCable } from "../testing/cable.ts";
import { createTestDatabase } from "../testing/test-database.ts";

const report = (name: string, timeline: number, more: Partial<HostReport> = {}): HostReport => ({
  address: new URL(`postgres://followspot@${name}:5432/followspot`),
  state: "writable",
  startedAt: `the start of ${name}`,
  position: { system: "ours", timeline },
  ...more,
});
const withoutTimeline = (name: string): HostReport => {
  const { position: _position, ...rest } = report(name, 0);
  return rest;
};
const seenAt = (timeline: number, host = "two:5432"): SeenTimeline => ({ system: "ours", timeline, host });
const nameOf = (host: HostReport | undefined) => host?.address.hostname;

// kept: Changes | With two primaries, a running server wrote to both, whichever answered faster | also
test.each([
  ["the first of two standbys that were never promoted apart", [report("one", 1), report("two", 1, { state: "readable" })], undefined, "", "one", []], // prettier-ignore
  ["the newer timeline, first in the list", [report("two", 2), report("one", 1)], undefined, "", "two", ["one"]],
  ["the newer timeline, last in the list", [report("one", 1), report("two", 2)], undefined, "", "two", ["one"]],
  ["the newer timeline over the host in use", [report("one", 1), report("two", 2)], seenAt(1, "one:5432"), "one:5432", "two", ["one"]], // prettier-ignore
  ["no host older than the timeline once used", [report("one", 1), report("two", 2, { state: "silent" })], seenAt(2), "", undefined, ["one"]], // prettier-ignore
  ["no host older than the timeline once used, while its standby can be read", [report("one", 1), report("two", 2, { state: "readable" })], seenAt(2), "", undefined, ["one"]], // prettier-ignore
  ["a timeline newer than the one once used", [report("one", 1), report("two", 3)], seenAt(2, "one:5432"), "", "two", ["one"]], // prettier-ignore
  ["no host of another cluster", [report("one", 7, { position: { system: "theirs", timeline: 7 } })], seenAt(2), "", undefined, ["one"]], // prettier-ignore
  ["the first cluster in the list if none was used", [report("one", 1), report("two", 7, { position: { system: "theirs", timeline: 7 } })], undefined, "", "one", ["two"]], // prettier-ignore
  ["the host in use if both were promoted", [report("one", 2), report("two", 2)], seenAt(2, "one:5432"), "two:5432", "two", ["one"]], // prettier-ignore
  ["the host used before a restart if both were promoted", [report("one", 2), report("two", 2)], seenAt(2), "", "two", ["one"]], // prettier-ignore
  ["one server at two addresses", [report("one", 2, { startedAt: "once" }), report("two", 2, { startedAt: "once" })], seenAt(2), "", "two", []], // prettier-ignore
  ["the first host if the servers report no timeline", [withoutTimeline("one"), withoutTimeline("two")], undefined, "", "one", ["two"]], // prettier-ignore
  ["nothing among standbys", [report("one", 1, { state: "readable" }), report("two", 1, { state: "refusing" })], seenAt(1), "", undefined, []], // prettier-ignore
] as const)("writes to %s", (_title, reports, seen, current, chosen, refused) => {
  const judged = judgeHosts(reports, seen, current);
  expect(nameOf(judged.chosen)).toBe(chosen);
  expect(judged.refused.map(nameOf)).toEqual(refused);
  expect(hostFaults(judged)).toHaveLength(refused.length > 0 ? 1 : 0);
});

test("names both hosts that accept writes, or the newer one that is missing", () => {
  const [one, two] = [report("one", 1), report("two", 2)];
  expect(hostFaults(judgeHosts([one, two], undefined))).toEqual([
    "Two hosts take changes: Followspot uses two:5432 (timeline 2) and refuses one:5432 (timeline 1). Stop PostgreSQL on one:5432, or make it a standby.",
  ]);
  expect(hostFaults(judgeHosts([one], seenAt(2)))).toEqual([
    "The database is refused: one:5432 (timeline 1) takes changes, but this installation has already used timeline 2 at two:5432. Start that host. If you restored or replaced the database on purpose, delete database-timeline.json in the data folder.",
  ]);
});

test("keeps the newest timeline in memory while it cannot be written, and writes it later", async () => {
  const dataDir = join(await folderUntil(onTestFinished), "missing");
  const memory = new TimelineMemory(dataDir);
  await memory.write(seenAt(2));
  expect(await memory.read()).toEqual(seenAt(2));
  await mkdir(dataDir);
  expect(await memory.read()).toEqual(seenAt(2));
  expect(await new TimelineMemory(dataDir).read()).toEqual(seenAt(2));
});

const database = openUntil(afterAll, await createTestDatabase());
const twoAddresses = async () => {
  const cables = [
    openUntil(onTestFinished, await openCable(database.url)),
    openUntil(onTestFinished, await openCable(database.url)),
  ] as const;
  const { username, password, pathname } = new URL(database.url);
  const hosts = cables.map(({ url }) => new URL(url).host).join();
  return { cables, url: `postgres://${username}:${password}@${hosts}${pathname}` };
};
const open = (url: string, dataDir: string) =>
  openUntil(onTestFinished, openDatabase(url, 1, dataDir), (sql) => sql.end({ timeout: 0 }));

test("uses the other address of a server without a warning when the first one is unreachable", async () => {
  const { cables, url } = await twoAddresses();
  cables[0].isUp = false;
  const sql = open(url, await folderUntil(onTestFinished));
  expect([...(await sql`select 1 as there`)]).toEqual([{ there: 1 }]);
  cables[0].isUp = true;
  await hostsOf(sql)!.compare();
  expect(hostsOf(sql)).toMatchObject({ refusedCount: 0, faults: [] });
});

test("refuses a database older than the timeline stored in the data folder, until that file is deleted", async () => {
  const { url } = await twoAddresses();
  const dataDir = await folderUntil(onTestFinished);
  await open(url, dataDir)`select 1`;
  const [{ system }] = await database.sql<[{ system: string }]>`
    select system_identifier::text as system from pg_control_system()`;
  await writeFile(join(dataDir, TIMELINE_FILE), JSON.stringify({ system, timeline: 99, host: "two:5432" }));
  const sql = open(url, dataDir);
  await expect(sql`select 1`).rejects.toThrow(/has already used timeline 99 at two:5432/);
  await rm(join(dataDir, TIMELINE_FILE));
  await expect.poll(() => sql`select 1 as there`.then(([row]) => row, () => undefined)).toEqual({ there: 1 }); // prettier-ignore
});
