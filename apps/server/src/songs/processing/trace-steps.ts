import { spanIdOf, traceIdOf, type SpanSink } from "../../platform/process/traces.ts";
import type { RunStep } from "./song-worker.ts";

/** Returns the span ID of an attempt; both server and worker know its lease. */
export const attemptSpanOf = (leaseToken: string): string => spanIdOf(leaseToken);

/** Strips percentages: "fetching the downloader 40 %" and "… 41 %" are one phase. */
const partOf = (note: string): string => note.replace(/\s*\d+(?:\.\d+)? ?%.*$/, "");

/** Records the steps of a worker as spans, one per phase. The notes of the progress reports name the phases. */
export function traceSteps(run: RunStep, spans: SpanSink): RunStep {
  return async (job, report) => {
    if (job.first_job_id === undefined) return run(job, report); // the job was granted by an older server
    const traceId = traceIdOf(job.first_job_id);
    const parentId = attemptSpanOf(job.lease_token);
    const attributes = { "song.id": job.song_id, "song.step": job.step, "song.attempt": job.attempt };
    let part = { name: "getting ready", startMs: Date.now() };
    let count = 0;
    const end = (error = "") => {
      const id = spanIdOf(job.lease_token, String(count++));
      spans.add({ traceId, id, parentId, ...part, endMs: Date.now(), attributes, error });
    };
    const onProgress = (share: number, note: string) => {
      const name = partOf(note);
      if (name !== "" && name !== part.name) {
        end();
        part = { name, startMs: Date.now() };
      }
      report.onProgress(share, note);
    };
    try {
      const result = await run(job, { ...report, onProgress });
      end();
      return result;
    } catch (error) {
      end((error as Error).message);
      throw error;
    }
  };
}
