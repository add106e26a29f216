import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { openDatabase, type Sql, type Tx } from "./database.ts";
import { openCable, type Cable } from "../testing/cable.ts";
import { createTestDatabase } from "../testing/test-database.ts";
import { readOneMoment, transact } from "./transaction.ts";
import { openUntil } from "../../testing/open-until.ts";

const CONNECTIONS = 3;
let cable: Cable;
let sql: Sql;

const database = openUntil(afterAll, await createTestDatabase());
await database.sql`create table marks (id text primary key)`;
beforeEach(async () => {
  await database.sql`truncate marks`;
  cable = openUntil(onTestFinished, await openCable(database.url));
  sql = openUntil(onTestFinished, openDatabase(cable.url, CONNECTIONS), (sql) => sql.end({ timeout: 1 }));
});

const insert = (tx: Tx, id: string) => tx`insert into marks values (${id})`;
const marks = async () => (await database.sql<{ id: string }[]>`select id from marks order by id`).map(({ id }) => id);
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => "kept",
    () => "refused",
  );
/** Runs more transactions at once than there are connections, so that some wait. */
const serveAll = async (round: string) => {
  const ids = Array.from({ length: CONNECTIONS * 3 }, (_, i) => `${round} ${i}`);
  await Promise.all(ids.map((id) => transact(sql, (tx) => insert(tx, id))));
  await database.sql`delete from marks where id = any(${ids})`;
};

let marked = 0;
const next = () => `lost ${marked++}`;
/** What a transaction does around `cut`, which waits for the others and then for the cut. */
const CUTS: [where: string, work: (tx: Tx, cut: () => Promise<void>) => Promise<unknown>][] = [
  ["between two statements", async (tx, cut) => (await insert(tx, next()), await cut(), insert(tx, next()))],
  ["before its end", async (tx, cut) => (await insert(tx, next()), cut())],
  ["during a statement", async (tx, cut) => (await insert(tx, next()), void cut(), tx`select pg_sleep(1)`)],
  [
    "with many statements on their way",
    async (tx, cut) => {
      const sent = Array.from({ length: 6 }, () => insert(tx, next()));
      void cut();
      await Promise.all([...sent, tx`select pg_sleep(1)`]);
    },
  ],
];

test.each(CUTS.flatMap(([where, work]) => (["reset", "end"] as const).map((how) => [where, how, work] as const)))(
  "a connection lost %s by a %s ends its transaction, and the next ones get connections again",
  async (_where, how, work) => {
    await serveAll("before");
    for (let round = 0; round < 5; round++) {
      let arrived = 0;
      const isCut = Promise.withResolvers<void>();
      // One cut for all: the driver handles a connection that is lost while it is being opened.
      const cut = async () => {
        if (++arrived === CONNECTIONS) setTimeout(() => (cable.cut(how), isCut.resolve()), 10);
        await isCut.promise;
        await pause(20);
      };
      const lost = Array.from({ length: CONNECTIONS }, () => outcome(transact(sql, (tx) => work(tx, cut))));
      expect(await Promise.all(lost)).toEqual(Array(CONNECTIONS).fill("refused"));
      await serveAll(`round ${round}`);
    }
    expect(await marks()).toEqual([]);
  },
);

test("a read-only transaction that loses its connection is rejected, and the process survives", async () => {
  for (const how of ["reset", "end"] as const) {
    const reading = readOneMoment(sql, async (tx) => {
      await tx`select 1 as one`;
      setTimeout(() => cable.cut(how), 10);
      return tx`select pg_sleep(1)`;
    });
    expect(await outcome(reading)).toBe("refused");
    await pause(20); // A rollback on the closed connection would have ended the process by now.
    await serveAll(how);
  }
});

test("late writes of a lost transaction are never stored", async () => {
  let late: Promise<string> = Promise.resolve("");
  const lost = transact(sql, async (tx) => {
    await insert(tx, "first");
    cable.cut("end");
    late = pause(100).then(() => outcome((async () => insert(tx, "late"))()));
    await late;
  });
  expect(await outcome(lost)).toBe("refused");
  await serveAll("meanwhile");
  expect(await late).toBe("refused");
  expect(await marks()).toEqual([]);
});

test("a commit whose response is lost is an error and not retried", async () => {
  let tries = 0;
  cable.loseAnswer("COMMIT");
  const unsure = transact(sql, async (tx) => {
    tries++;
    await insert(tx, "kept");
  });
  expect([await outcome(unsure), tries, await marks()]).toEqual(["refused", 1, ["kept"]]);
});

test("every transaction is rejected while the database is unavailable, and every connection works again afterwards", async () => {
  await serveAll("before");
  cable.isUp = false;
  cable.cut("end");
  const refused = Array.from({ length: 30 }, (_, i) => outcome(transact(sql, (tx) => insert(tx, `away ${i}`))));
  expect(new Set(await Promise.all(refused))).toEqual(new Set(["refused"]));
  cable.isUp = true;
  for (let round = 0; round < 5; round++) await serveAll(`back ${round}`);
  expect(await marks()).toEqual([]);
});

test("a transaction can start after any number of pending statements", async () => {
  const crowded = openDatabase(database.url, 2);
  const ask = () => crowded`select 1 as one`.execute();
  const change = () => transact(crowded, async (tx) => (await tx`select 1 as one`).count);
  try {
    await Promise.all([ask(), ask()]); // both connections are open, and have prepared the statement
    for (let before = 190; before <= 210; before++) {
      const answers = await Promise.allSettled([...Array.from({ length: before }, ask), change(), change()]);
      expect([before, answers.filter(({ status }) => status === "rejected")]).toEqual([before, []]);
    }
  } finally {
    await crowded.end();
  }
});
