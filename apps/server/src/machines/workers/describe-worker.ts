import { WORKER_PROTOCOL } from "@followspot/contract";
import { VERSION } from "../../platform/process/version.ts";
import { MOST_UNUSABLE, type WorkerRow } from "./workers.store.ts";

type WorkerState = "works" | "waits" | "aside" | "away" | "new";

/** Explains why a worker is granted no jobs; "" if it is. */
export function whyNoJobs({ protocol, set_aside_at, fault }: WorkerRow): string {
  if (protocol < WORKER_PROTOCOL)
    return `This worker is of an older Followspot than its server, ${VERSION}. Update it to that version.`;
  if (protocol > WORKER_PROTOCOL)
    return `This worker is of a newer Followspot than its server, ${VERSION}. Update the server, or take that version for the worker.`;
  if (set_aside_at)
    return `This worker is set aside: ${MOST_UNUSABLE} of its results in a row could not be used, the last one because ${fault}. An Admin can let it work again on the page Workers.`;
  return "";
}

/** Describes a worker for the screens. @param isAtWork whether it holds the lease of a job */
export function describeWorker(row: WorkerRow, isAtWork: boolean): { state: WorkerState; says: string } {
  if (!row.seen_at) return { state: "new", says: "" };
  const state = row.set_aside_at ? "aside" : !row.is_here ? "away" : isAtWork ? "works" : "waits";
  const isOther = row.version !== VERSION;
  const skew = isOther ? `It is of version ${row.version}, and this server of ${VERSION}. Update it when you can.` : "";
  return { state, says: whyNoJobs(row) || skew };
}
