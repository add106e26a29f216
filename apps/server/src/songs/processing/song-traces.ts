import type { JobOutcome } from "@followspot/contract";
import type { Sql } from "../../platform/database/database.ts";
import { spanIdOf, traceIdOf, type Span, type SpanSink } from "../../platform/process/traces.ts";
import { attemptSpanOf } from "./trace-steps.ts";
import * as store from "./song-jobs.store.ts";

/** Span names of the steps. */
const NAMES = { download: "download", analysis: "analysis", lighting: "plan", stems: "stems" } as const;

/**
 * Exports traces of songs. A trace covers the work on a song from the step that a user requested to its plan. Its IDs
 * are derived from job IDs. Times are database times, read from committed rows, so no step waits for tracing.
 */
export class SongTraces {
  readonly #sql: Sql;
  readonly #spans: SpanSink;

  constructor(sql: Sql, spans: SpanSink) {
    this.#sql = sql;
    this.#spans = spans;
  }

  /** Records an import whose rows are committed. */
  imported(songId: string): void {
    void this.#imported(songId).catch(() => undefined); // a failed trace is not worth another log line while the log already reports the outage
  }

  /** Records an attempt of a step from its reported outcome. */
  settled(report: JobOutcome): void {
    void this.#settled(report).catch(() => undefined); // as above
  }

  async #imported(songId: string): Promise<void> {
    const job = await store.jobOfImport(this.#sql, songId);
    if (!job) return;
    const { id, created_at, now } = job;
    this.#spans.add({
      traceId: traceIdOf(id),
      id: spanIdOf(id, "import"),
      parentId: spanIdOf(id),
      name: "import",
      startMs: created_at.getTime(),
      endMs: now.getTime(),
      attributes: { "song.id": songId },
    });
  }

  async #settled({ job_id, lease_token, outcome }: JobOutcome): Promise<void> {
    const job = await store.tracedJob(this.#sql, job_id);
    if (!job?.started_at) return;
    const endMs = (job.ended_at ?? job.now).getTime();
    const startMs = job.started_at.getTime();
    const error = "reason" in outcome ? outcome.reason : "";
    const wholeId = spanIdOf(job.first_job_id);
    const add = (span: Omit<Span, "traceId" | "attributes">) =>
      this.#spans.add({
        traceId: traceIdOf(job.first_job_id),
        ...span,
        attributes: { "song.id": job.song_id, "song.step": job.step, "song.attempt": job.attempt, worker: job.worker },
      });
    if (job.attempt === 1) {
      const waitingMs = job.created_at.getTime();
      const id = spanIdOf(job.id, "waiting");
      add({ id, parentId: wholeId, name: "waiting for a worker", startMs: waitingMs, endMs: startMs });
    }
    add({ id: attemptSpanOf(lease_token), parentId: wholeId, name: NAMES[job.step], startMs, endMs, error });
    const isOver = job.state === "failed" || (job.step === "lighting" && job.state === "done");
    if (isOver && job.step !== "stems")
      add({ id: wholeId, name: "song", startMs: job.first_job_at.getTime(), endMs, error });
  }
}
