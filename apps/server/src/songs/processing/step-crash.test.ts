import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { folderUntil } from "../../testing/open-until.ts";

const here = (file: string) => JSON.stringify(join(import.meta.dirname, file));

/** Ways to throw that no promise of the step can catch. */
const CRASHES: readonly [string, string][] = [
  ["a timer", `setTimeout(() => { throw new Error("boom"); }, 1)`],
  ["a resolver's callback", `lookup("127.0.0.1", () => { throw new Error("boom"); })`],
  ["a socket's event", `connect(1, "127.0.0.1").on("error", () => { throw new Error("boom"); })`],
  ["a tick", `process.nextTick(() => { throw new Error("boom"); })`],
  ["a promise without a handler", `void Promise.reject(new Error("boom"))`],
  ["a child's exit", `execFile("true", () => { throw new Error("boom"); })`],
];

/** Runs a worker with two steps in a separate process: one works until it is aborted, the other crashes. */
async function outcomesOf(crash: string): Promise<{ outcomes: Record<string, string>; exited: unknown }> {
  const file = join(await folderUntil(onTestFinished), "worker.ts");
  await writeFile(
    file,
    `import { execFile } from "node:child_process";
     import { lookup } from "node:dns";
     import { once } from "node:events";
     import { connect } from "node:net";
     import { SongWorker } from ${here("song-worker.ts")};
     import { attributeCrashes } from ${here("step-crash.ts")};
     const waiting = ["good", "bad"];
     const begun = Promise.withResolvers<void>();
     const jobs = {
       next: async (lane: string, stop: AbortSignal) => {
         const song_id = lane === "songs" ? waiting.shift() : undefined;
         if (song_id === undefined) await once(stop, "abort");
         return song_id === undefined ? undefined : { job: { song_id }, renew: async () => ({ kind: "kept" }), done: () => {} };
       },
       report: async ({ song_id }: { song_id: string }, { kind }: { kind: string }) => console.log(song_id + " " + kind),
     };
     const runStep = async ({ song_id }: { song_id: string }, { signal }: { signal: AbortSignal }) => {
       if (song_id === "good") begun.resolve();
       else await begun.promise.then(() => { ${crash}; });
       await once(signal, "abort");
       throw signal.reason;
     };
     const worker = new SongWorker(jobs as never, runStep as never, 2, () => {});
     attributeCrashes(() => void worker.close().then(() => process.exit(7)));
     worker.start();`,
  );
  const run = await promisify(execFile)(process.execPath, [file]).catch(
    (error: { code: unknown; stdout: string }) => error,
  );
  const lines = run.stdout.trim().split("\n");
  return {
    outcomes: Object.fromEntries(lines.map((line) => line.split(" ") as [string, string])),
    exited: "code" in run ? run.code : 0,
  };
}

// kept: Songs and jobs | A crash of one step was counted against every step that ran beside it | failed with the fault put back
test.each(CRASHES)("a step that throws in %s fails, and the step beside it is released", async (_, crash) => {
  expect(await outcomesOf(crash)).toEqual({ outcomes: { bad: "failed", good: "released" }, exited: 7 });
});
