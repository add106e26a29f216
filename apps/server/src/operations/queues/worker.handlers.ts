import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { JOB_STEPS } from "@followspot/contract";
import { WorkerSchema, WorkerTaskSchema, type QueuesService, type Worker } from "@followspot/contract/queues";
import { hasOddText } from "../../songs/catalog/odd-text.ts";
import { requireCaller } from "../../platform/caller.ts";
import { change, done, type Entry } from "../../platform/database/change.ts";
import type { Sql, Tx } from "../../platform/database/database.ts";
import { alreadyExists, exhausted, invalid, notFound } from "../../platform/errors.ts";
import { newId } from "../../platform/database/ids.ts";
import { hashOfToken, newMachineToken } from "../../machines/machine-token.ts";
import { dateOf, timestampOf } from "../../platform/database/timestamps.ts";
import { VERSION } from "../../platform/process/version.ts";
import { describeWorker } from "../../machines/workers/describe-worker.ts";
import * as store from "../../machines/workers/workers.store.ts";
import type { Presence } from "./presence.ts";

const DAY_MS = 24 * 3600_000;
/** More machines are another product. */
const MOST_WORKERS = 200;

type Method = "listWorkers" | "addWorker" | "renameWorker" | "revokeWorker" | "letWorkerWork";

/** Who works on songs, and what people do to workers on other machines. Who did it is written down. */
export function workerHandlers(
  sql: Sql,
  presence: Pick<Presence, "list">,
): Pick<ServiceImpl<typeof QueuesService>, Method> {
  return {
    async listWorkers({ since: given }) {
      const since = given ? dateOf(given, "since") : new Date(Date.now() - DAY_MS);
      const [rows, tasks, songs] = await Promise.all([
        store.listWorkers(sql),
        store.listTasks(sql),
        store.songsDone(sql, since),
      ]);
      const workOf = (id: string) => ({
        tasks: tasks.filter(({ worker }) => worker === id).map((task) => create(WorkerTaskSchema, toTask(task))),
        songsDone: songs.get(id) ?? 0,
      });
      const own = presence.list("worker").map(({ id, cores = 0 }): Worker => {
        const work = workOf(id);
        const state = work.tasks.length > 0 ? "works" : "waits";
        const seenAt = timestampOf(new Date());
        return create(WorkerSchema, {
          ...{ id, isOwn: true, state, seenAt, version: VERSION, cores, steps: [...JOB_STEPS] },
          ...work,
        });
      });
      return { workers: [...own, ...rows.map((row) => toWorker(row, workOf(row.id)))] };
    },

    async addWorker({ name: given }, context) {
      const caller = requireCaller(context);
      const name = nameOf(given);
      const token = newMachineToken("fsw");
      return change(sql, caller, async (tx) => {
        if ((await store.listWorkers(tx)).length >= MOST_WORKERS)
          throw exhausted(`There are ${MOST_WORKERS} workers already. Revoke one first.`);
        const id = newId();
        const isMade = await store.insertWorker(tx, {
          id,
          name,
          tokenHash: hashOfToken(token),
          addedBy: caller.userId,
        });
        if (!isMade) throw taken(name);
        const row = await requireWorker(tx, id);
        return done({ worker: toWorker(row), token }, entryOf(row, "added", { after: { name } }));
      });
    },

    async renameWorker({ workerId, name: given }, context) {
      const name = nameOf(given);
      return change(sql, requireCaller(context), async (tx) => {
        const before = await requireWorker(tx, workerId);
        if (before.name === name) return done({ worker: toWorker(before) });
        if (!(await store.renameWorker(tx, workerId, name))) throw taken(name);
        const row = await requireWorker(tx, workerId);
        const names = { before: { name: before.name }, after: { name } };
        return done({ worker: toWorker(row) }, entryOf(row, "renamed", names));
      });
    },

    async revokeWorker({ workerId }, context) {
      return change(sql, requireCaller(context), async (tx) => {
        const row = await requireWorker(tx, workerId);
        await store.revokeWorker(tx, workerId);
        return done({}, entryOf(row, "revoked", { before: { name: row.name } }));
      });
    },

    async letWorkerWork({ workerId }, context) {
      return change(sql, requireCaller(context), async (tx) => {
        const before = await requireWorker(tx, workerId);
        await store.letWorkerWork(tx, workerId);
        const row = await requireWorker(tx, workerId);
        const answer = { worker: toWorker(row) };
        if (!before.set_aside_at) return done(answer);
        return done(answer, entryOf(row, "let_work", { before: { set_aside: before.fault } }));
      });
    },
  };
}

function nameOf(given: string): string {
  const name = given.trim();
  if (name === "") throw invalid("name: is required");
  if (hasOddText(name)) throw invalid("name: holds control characters. Take them out.");
  return name;
}

const taken = (name: string) => alreadyExists(`There is a worker called ${name} already. Choose another name.`);

/** @throws not_found for one that is not there, or was revoked */
async function requireWorker(tx: Tx, id: string): Promise<store.WorkerRow> {
  const row = await store.lockWorker(tx, id);
  if (!row) throw notFound("Worker", id);
  return row;
}

/** Told on no topic: the page Workers asks by itself. */
const entryOf = ({ id }: store.WorkerRow, verb: string, change: Pick<Entry, "before" | "after">): Entry => ({
  ...{ noun: "worker", id, verb, topics: [] },
  ...change,
});

function toWorker(row: store.WorkerRow, work: Partial<Pick<Worker, "tasks" | "songsDone">> = {}): Worker {
  const { state, says } = describeWorker(row, (work.tasks?.length ?? 0) > 0);
  const { id, name, version, cores } = row;
  return create(WorkerSchema, {
    ...{ id, name, state, version, says, cores, ...work },
    steps: [...row.steps],
    seenAt: timestampOf(row.seen_at),
    addedByName: row.added_by_name ?? "",
    addedAt: timestampOf(row.added_at),
  });
}

const toTask = ({ song_id, title, step, progress, note }: store.TaskRow) => ({
  songId: song_id,
  ...{ title, step, progress, note },
});
