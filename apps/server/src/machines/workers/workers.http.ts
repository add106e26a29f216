import { setTimeout as pause } from "node:timers/promises";
import {
  CLAIM_WAIT_MS,
  songAnalysisSchema,
  WORKER_HEADERS,
  WORKER_PATHS,
  workerClaimSchema,
  workerHeartbeatSchema,
  workerHelloSchema,
  workerOutcomeSchema,
  type HeartbeatReply,
  type JobOutcome,
  type WorkerClaimReply,
  type WorkerFiles,
  type WorkerOutcome,
  type WorkerOutcomeReply,
  type WorkerWelcome,
} from "@followspot/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { oneLine } from "../../songs/processing/downloader/site-faults.ts";
import { keptNumbers } from "../../songs/catalog/plan-revisions.store.ts";
import { findCorrections } from "../../songs/catalog/song-corrections.store.ts";
import { isSongId, type SongFiles } from "../../songs/catalog/song-files.ts";
import { claimAmong, keepLease, settleJob } from "../../songs/processing/song-jobs.ts";
import { findLeasedJob, type LeasedJob } from "../../songs/processing/song-jobs.store.ts";
import { unwantedPlans } from "../../songs/catalog/step-files.ts";
import type { Sql } from "../../platform/database/database.ts";
import { isDiskFull } from "../../platform/files/disk.ts";
import { invalid, missing, overtaken, unauthenticated } from "../../platform/errors.ts";
import type { HttpServer } from "../../platform/http/http-server.ts";
import { headerOf, instanceOf, parseBody, tokenOf } from "../machine-requests.ts";
import { hashOfToken, isMachineToken } from "../machine-token.ts";
import { VERSION } from "../../platform/process/version.ts";
import { checkResult, UnusableResult } from "./check-results.ts";
import { whyNoJobs } from "./describe-worker.ts";
import { dropLeft, leftFiles, neededFiles, publishLeft, putResult, readNeeded } from "./job-files.ts";
import { findByToken, findWorker, noteResult, storeHello, type WorkerRow } from "./workers.store.ts";

export interface WorkersHttpPorts {
  readonly sql: Sql;
  readonly files: SongFiles;
  /** Whether this server wants stems. */
  readonly stems: boolean;
  /** Hosts whose links are accepted in addition to the video site's. */
  readonly linkSites: readonly string[];
  /** Called with each applied outcome. */
  readonly onSettled?: (report: JobOutcome) => void;
}

/** Interval at which a waiting claim polls for a job, ms; a step that follows another is available immediately. */
const LOOK_MS = 1000;

type OfJob = { Params: { id: string; name: string } };

/**
 * Registers the endpoint for workers on other machines. Each request carries the token of an enrolled worker. Files are
 * read and written under the lease of a job, and only those that its step reads or produces.
 */
export function registerWorkersHttp({ app }: HttpServer, ports: WorkersHttpPorts): void {
  const { sql, files, stems, linkSites, onSettled = () => {} } = ports;
  void app.register(async (scope) => {
    const admitted = new WeakMap<FastifyRequest, WorkerRow>();
    const workerOf = (request: FastifyRequest) => admitted.get(request)!; // the hook below rejects all others
    scope.addHook("onRequest", async (request) => void admitted.set(request, await admit(sql, request)));

    scope.post(WORKER_PATHS.hello, async (request): Promise<WorkerWelcome> => {
      const worker = workerOf(request);
      const hello = parseBody(workerHelloSchema, request.body);
      const instance = instanceOf(request, WORKER_HEADERS.instance);
      // A starting process takes the token over; the previous one is rejected at its next request.
      if (!hello.is_start) requireInstance(worker, instance);
      await storeHello(sql, worker.id, instance, hello);
      const says = whyNoJobs({ ...worker, protocol: hello.protocol });
      return { name: worker.name, version: VERSION, steps: says ? [] : hello.steps, says, link_sites: linkSites };
    });

    scope.post(WORKER_PATHS.claim, async (request, reply): Promise<WorkerClaimReply> => {
      const { id } = workerOf(request);
      const { steps } = parseBody(workerClaimSchema, request.body);
      if (steps.includes("stems") && steps.length > 1) throw invalid("steps: stems are asked for alone");
      const hasLeft = leaving(reply);
      for (const until = performance.now() + CLAIM_WAIT_MS; performance.now() < until; await pause(LOOK_MS)) {
        const worker = requireInstance(
          (await findWorker(sql, id)) ?? refuseToken(),
          instanceOf(request, WORKER_HEADERS.instance),
        );
        const says = whyNoJobs(worker);
        if (says) return { kind: "refused", says };
        const claim = hasLeft() ? undefined : await claimAmong(sql, id, steps);
        if (claim?.kind === "granted") {
          const { job_id, lease_token } = claim.job;
          if (hasLeft()) await settle({ job_id, lease_token, outcome: { kind: "released" } });
          return claim;
        }
        if (hasLeft()) break;
      }
      return { kind: "nothing" };
    });

    scope.post(WORKER_PATHS.heartbeat, async (request): Promise<HeartbeatReply> => {
      requireInstance(workerOf(request), instanceOf(request, WORKER_HEADERS.instance));
      const beat = parseBody(workerHeartbeatSchema, request.body);
      return keepLease(sql, { ...beat, note: oneLine(beat.note) });
    });

    scope.post(WORKER_PATHS.outcome, async (request): Promise<WorkerOutcomeReply> => {
      const worker = requireInstance(workerOf(request), instanceOf(request, WORKER_HEADERS.instance));
      const { job_id, lease_token, outcome } = parseBody(workerOutcomeSchema, request.body);
      const job = await findLeasedJob(sql, { jobId: job_id, token: lease_token, worker: worker.id });
      if (!job) return { kind: "stale" };
      const told = "reason" in outcome ? { ...outcome, reason: oneLine(outcome.reason) } : outcome;
      const reply =
        told.kind === "done"
          ? await applyResult(worker, job, lease_token, told)
          : toReply(await settle({ job_id, lease_token, outcome: told }));
      // Not after an error: the worker reports the outcome again and needs its files then. If files cannot be removed
      // now, the next attempt or the cleanup of old files removes them.
      await dropLeft(files, job).catch(() => undefined);
      return reply;
    });

    scope.get<OfJob>(WORKER_PATHS.files, async (request): Promise<WorkerFiles> => {
      return { files: await neededFiles(files, await leasedJob(request)) };
    });

    scope.get<OfJob>(`${WORKER_PATHS.files}/:name`, async (request, reply) => {
      const { name } = request.params;
      const { size, sha256, content } = await readNeeded(files, await leasedJob(request), name);
      return (
        reply
          // JSON is compressed in transit; audio would not benefit.
          .header("content-type", name.endsWith(".json") ? "application/json" : "application/vnd.followspot.sound")
          .header("content-length", size)
          .header("cache-control", "no-store")
          .header(WORKER_HEADERS.sha256, sha256)
          .send(content)
      );
    });

    void scope.register(async (uploads) => {
      // The route reads uploads as a stream, whatever their content type.
      uploads.removeAllContentTypeParsers();
      uploads.addContentTypeParser("*", (_request, _payload, done) => done(null));
      uploads.put<OfJob>(`${WORKER_PATHS.files}/:name`, { bodyLimit: Number.MAX_SAFE_INTEGER }, putFile);
    });

    async function putFile(request: FastifyRequest<OfJob>, reply: FastifyReply) {
      const sha256 = headerOf(request, WORKER_HEADERS.sha256);
      const job = await leasedJob(request);
      try {
        await putResult(files, job, request.params.name, { content: request.raw, sha256 });
        return await reply.code(204).send();
      } catch (error) {
        if (isDiskFull(error)) return reply.code(507).send({ message: "There is no space left on the server's disk." });
        throw error;
      }
    }

    /** Returns the job whose files a request addresses. @throws not_found without its lease */
    async function leasedJob(request: FastifyRequest<OfJob>): Promise<LeasedJob> {
      const worker = requireInstance(workerOf(request), instanceOf(request, WORKER_HEADERS.instance));
      const { id } = request.params;
      const token = headerOf(request, WORKER_HEADERS.lease);
      const job = isSongId(id) ? await findLeasedJob(sql, { jobId: id, token, worker: worker.id }) : undefined;
      if (!job) throw missing("This worker does not hold the lease of the job");
      return job;
    }
  });

  /** Validates and applies a result. Rejects invalid results; suspends a worker after several in a row. */
  async function applyResult(
    worker: WorkerRow,
    job: LeasedJob,
    lease_token: string,
    { result: said }: Extract<WorkerOutcome, { kind: "done" }>,
  ): Promise<WorkerOutcomeReply> {
    // Validation may take a while.
    const kept = await keepLease(sql, { job_id: job.id, lease_token, progress: 1, note: "checking what was made" });
    if (kept.kind === "lost") return { kind: "stale" };
    const left = await leftFiles(files, job);
    try {
      const result = await checkResult(job, said, left.paths, {
        analysis: async () => songAnalysisSchema.safeParse(await files.readJson(job.song_id, "hybrid.json")).data,
        corrections: async () => (await findCorrections(sql, job.song_id))?.corrections ?? null,
        stems,
      });
      await publishLeft(files, job, left);
      if (job.step === "lighting") await removeOldPlans(job);
      const settled = await settle({ job_id: job.id, lease_token, outcome: { kind: "done", result } });
      // The outcome is settled: an error here would make the worker report it again, as a stale one.
      await noteResult(sql, worker.id, "").catch(() => undefined);
      return toReply(settled);
    } catch (error) {
      if (!(error instanceof UnusableResult)) throw error;
      const says = `What the worker “${worker.name}” made of this song cannot be used, because ${error.message}.`;
      const outcome = { kind: "failed", reason: `${says} Retry the song.`, retry: true } as const;
      // A duplicate of this outcome was already settled.
      if ((await settle({ job_id: job.id, lease_token, outcome })) === "stale") return { kind: "stale" };
      await noteResult(sql, worker.id, error.message).catch(() => undefined);
      return { kind: "refused", says };
    } finally {
      await left.close();
    }
  }

  async function settle(report: JobOutcome): Promise<"applied" | "stale"> {
    const settled = await settleJob(sql, report);
    if (settled === "applied") onSettled(report);
    return settled;
  }

  async function removeOldPlans({ song_id, plan_number }: LeasedJob): Promise<void> {
    const kept_numbers = await keptNumbers(sql, song_id);
    const names = (await files.list(song_id)).map(({ name }) => name);
    await files.removeFiles(song_id, unwantedPlans(names, { number: plan_number, kept_numbers }));
  }
}

const toReply = (settled: "applied" | "stale"): WorkerOutcomeReply => ({ kind: settled });

/** Returns the enrolled worker whose token a request carries. @throws unauthenticated */
async function admit(sql: Sql, request: FastifyRequest): Promise<WorkerRow> {
  const token = tokenOf(request);
  return (isMachineToken("fsw", token) && (await findByToken(sql, hashOfToken(token)))) || refuseToken();
}

function refuseToken(): never {
  throw unauthenticated("This worker's token is unknown or was revoked. Add the worker on the page Workers.");
}

/** @throws aborted for a process whose token another process has taken over */
function requireInstance(worker: WorkerRow, instance: string): WorkerRow {
  if (worker.instance !== instance) throw overtaken("Another worker started with this token");
  return worker;
}

/** Returns a function that reports whether the caller disconnected before the response. */
function leaving({ raw }: FastifyReply): () => boolean {
  let hasLeft = false;
  raw.on("close", () => (hasLeft = !raw.writableFinished));
  return () => hasLeft;
}
