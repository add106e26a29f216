import type { GrantedJob, HeartbeatReply } from "@followspot/contract";
import { expect, onTestFinished, test, vi } from "vitest";
import { openUntil } from "../../testing/open-until.ts";
import { HeldLease, type Beat } from "./held-lease.ts";

const JOB = { job_id: "job", lease_token: "token", lease_seconds: 0.1 } as GrantedJob;
const hold = (beat: Beat, onDoubt: () => void, job = JOB) =>
  openUntil(onTestFinished, new HeldLease(job, beat, onDoubt), (lease) => lease.letGo());

// kept: Songs and jobs | A failed renewal of a lease ended the worker | failed on the old code
test.each<[what: string, beat: Beat]>([
  ["is rejected", () => Promise.reject(new Error("the connection is closed"))],
  ["has no reply", async () => undefined],
])(
  "a renewal that %s leaves the lease in doubt once it may have expired, and the job is not lost yet",
  async (_what, beat) => {
    const onDoubt = vi.fn();
    const lease = hold(beat, onDoubt);
    await expect.poll(() => onDoubt.mock.calls.length).toBeGreaterThan(0);
    expect(lease.isLost).toBe(false);
  },
);

test("a renewal after a rejected one keeps the lease", async () => {
  const onDoubt = vi.fn();
  let beats = 0;
  const beat = async (): Promise<HeartbeatReply> => {
    if (++beats === 1) throw new Error("the connection is closed");
    return { kind: "kept" };
  };
  hold(beat, onDoubt, { ...JOB, lease_seconds: 600 });
  await expect.poll(() => beats).toBeGreaterThanOrEqual(2);
  expect(onDoubt).not.toHaveBeenCalled();
});
