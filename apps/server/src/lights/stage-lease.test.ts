import { GENERIC_FIXTURES } from "@followspot/lighting";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { openFixtureLibrary } from "./fixture-library.ts";
import { readStageRig, rigRevision } from "./stage-rig.ts";
import { openUntil } from "../testing/open-until.ts";
import { openDatabase } from "../platform/database/database.ts";
import { machineId, StageLease, whyWithheld } from "./stage-lease.ts";
import { openCable } from "../platform/testing/cable.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";

const database = openUntil(afterAll, await createTestDatabase());
const { sql } = database;
const fixtures = await openFixtureLibrary(sql, GENERIC_FIXTURES);
await sql`
  insert into outputs (id, place, protocol, host, port, universe, port_address, offset_ms, enabled)
  values ('o1', 0, 'artnet', '10.0.0.7', 6454, 1, 0, 0, true)`;

let now = 0;
const clock = () => now;
beforeEach(async () => {
  now = 0;
  await sql`delete from stage_lease`;
});

function machine(name: string, more: Partial<ConstructorParameters<typeof StageLease>[0]> = {}) {
  const said: string[] = [];
  const lease = new StageLease({ sql, machine: name, name, clock, say: (line) => said.push(line), ...more });
  return { lease, said, name };
}
/** Returns the machines whose stages would send now. */
const senders = async (...names: string[]) => {
  const rigs = await Promise.all(names.map((name) => readStageRig(sql, fixtures, name)));
  return names.filter((_, at) => rigs[at]!.outputs.some(({ withheld }) => !withheld));
};

// kept: Stage and lamps | Two servers started on one database both drove the fixtures, and a blackout at one left them lit | also
test("of two machines on one database, only the first one sends, and the other one reports why", async () => {
  const [one, two] = [machine("one"), machine("two")];
  await one.lease.turn();
  await two.lease.turn();
  expect(await senders("one", "two")).toEqual(["one"]);
  expect([one.lease.isHeld, two.lease.isHeld]).toEqual([true, false]);
  expect(one.said).toEqual([]);
  expect(two.said).toEqual([
    expect.stringMatching(/^Followspot on one uses the same database and drives the fixtures\./),
  ]);
  expect((await readStageRig(sql, fixtures, "two")).withheldBecause).toBe(two.said[0]);
});

test("another machine takes over 5 s after the last renewal, its stage reloads, and the first machine stays silent when it returns", async () => {
  const [one, two] = [machine("one"), machine("two")];
  await one.lease.turn();
  const before = await rigRevision(sql);
  for (now = 0; now < 5000; now += 1000) await two.lease.turn();
  expect(await senders("one", "two")).toEqual(["one"]);
  await two.lease.turn();
  expect(await senders("one", "two")).toEqual(["two"]);
  expect(await rigRevision(sql)).toBe(before + 1);
  expect(two.said.at(-1)).toBe("This machine drives the fixtures now.");

  const returned = machine("one");
  await returned.lease.settle(() => two.lease.turn());
  expect(returned.lease.isHeld).toBe(false);
  for (let turn = 0; turn < 10; turn++) {
    now += 1000;
    await two.lease.turn();
    await returned.lease.turn();
  }
  expect(await senders("one", "two")).toEqual(["two"]);
});

test("a start on a database whose last machine is dead waits for the lease to lapse, then sends", async () => {
  await machine("dead").lease.turn();
  const { lease } = machine("next");
  let waited = 0;
  await lease.settle(async () => ((now += 1000), waited++));
  expect(waited).toBe(5);
  expect(await senders("dead", "next")).toEqual(["next"]);
});

test("a restarted machine keeps its own lease at once", async () => {
  await machine("one").lease.turn();
  const { lease } = machine("one");
  await lease.settle(() => Promise.reject(new Error("it waited")));
  expect(lease.isHeld).toBe(true);
});

test("a released lease is taken at once, by one of two machines", async () => {
  const [one, two, three] = [machine("one"), machine("two"), machine("three")];
  await one.lease.turn();
  await Promise.all([two.lease.turn(), three.lease.turn()]);
  await one.lease.release();
  expect(await senders("one", "two", "three")).toEqual([]);
  await Promise.all([two.lease.turn(), three.lease.turn()]);
  expect(await senders("one", "two", "three")).toHaveLength(1);
});

test("an outage of the database moves the lease to no other machine", async () => {
  const cable = openUntil(onTestFinished, await openCable(database.url));
  const beside = openUntil(onTestFinished, openDatabase(cable.url, 1), (pool) => pool.end({ timeout: 0 }));
  const [one, two] = [machine("one"), machine("two", { sql: beside })];
  await one.lease.turn();
  await two.lease.turn();
  cable.isUp = false;
  cable.cut("reset");
  await expect(two.lease.turn()).rejects.toThrow();
  // The holder could not renew the lease either; it keeps sending.
  now += 60_000;
  cable.isUp = true;
  await expect.poll(() => two.lease.turn().then(() => "answered", () => "failed")).toBe("answered"); // prettier-ignore
  expect(await senders("one", "two")).toEqual(["one"]);
  await one.lease.turn();
  now += 4000;
  await two.lease.turn();
  expect(await senders("one", "two")).toEqual(["one"]);
});

test("a machine whose stage stays away for 5 s loses the lease to another one, and gets it back when that one stops", async () => {
  let isStageUp = true;
  const [one, two] = [machine("one", { isStageUp: async () => isStageUp }), machine("two")];
  await one.lease.turn();
  isStageUp = false;
  for (let turn = 0; turn < 12; turn++) {
    now += 1000;
    await one.lease.turn();
    await two.lease.turn();
    if (turn === 3) expect(await senders("one", "two")).toEqual(["one"]);
  }
  expect(await senders("one", "two")).toEqual(["two"]);
  isStageUp = true;
  await one.lease.turn();
  expect(one.lease.isHeld).toBe(false);
  await two.lease.release();
  await one.lease.turn();
  expect(await senders("one", "two")).toEqual(["one"]);
});

test("a database without a lease, as before the first start, withholds nothing", async () => {
  expect(await whyWithheld(sql, "one")).toBeUndefined();
  expect(await senders("one")).toEqual(["one"]);
});

test("data folders and secrets are different machines", () => {
  const ids = [machineId("s", "/a"), machineId("s", "/b"), machineId("t", "/a"), machineId("s", "/a/.")];
  expect(new Set(ids).size).toBe(3);
  expect(ids[3]).toBe(ids[0]);
});
