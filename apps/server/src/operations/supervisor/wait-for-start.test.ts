import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { StartError } from "./processes.ts";
import { processorTicks } from "./processor-time.ts";
import { waitForStart, type StartWait } from "./wait-for-start.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

describe("a start", () => {
  let said: string[];
  beforeEach(() => {
    said = [];
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  });
  afterEach(() => void vi.useRealTimers());

  /** Waits for something that is loading until it is canceled. */
  function begin(more: Partial<StartWait> = {}) {
    const start = { state: "is loading" as true | string, failure: undefined as Error | undefined, outcome: "waiting" };
    const options = { name: "the API", look: async () => start.state, failure: () => start.failure, ...more };
    void waitForStart({ ...options, say: (line) => said.push(line) }).then(
      () => (start.outcome = "started"),
      (error: Error) => (start.outcome = error.message),
    );
    return start;
  }

  // kept: Live | On a slow machine the start gave up after 30 s and stopped everything without a reason | failed with the fault put back
  test.each([31 * SECOND, 10 * MINUTE])(
    "that takes %s ms is waited for, and reports progress every 10 s",
    async (ms) => {
      const start = begin();
      await vi.advanceTimersByTimeAsync(ms);
      expect(start.outcome).toBe("waiting");
      expect(said).toHaveLength(Math.floor(ms / (10 * SECOND)));
      expect(said.slice(0, 2)).toEqual([
        "Still starting: the API is loading (10 s).",
        "Still starting: the API is loading (20 s).",
      ]);
      start.state = "is waiting: The database does not answer.";
      await vi.advanceTimersByTimeAsync(10 * SECOND);
      expect(said.at(-1)).toContain("the API is waiting: The database does not answer. (");
      start.state = true;
      await vi.advanceTimersByTimeAsync(SECOND);
      expect(start.outcome).toBe("started");
    },
  );

  test("that is quick reports nothing", async () => {
    const start = begin();
    await vi.advanceTimersByTimeAsync(9 * SECOND);
    start.state = true;
    await vi.advanceTimersByTimeAsync(SECOND);
    expect([start.outcome, said]).toEqual(["started", []]);
  });

  test("ends at once when its process exits", async () => {
    const start = begin();
    await vi.advanceTimersByTimeAsync(5 * SECOND);
    start.failure = new StartError("The API stopped at the start.");
    await vi.advanceTimersByTimeAsync(SECOND);
    expect(start.outcome).toBe("The API stopped at the start.");
  });

  test("ends when it is canceled", async () => {
    const stop = new AbortController();
    const start = begin({ signal: stop.signal });
    stop.abort();
    await vi.advanceTimersByTimeAsync(SECOND);
    expect(start.outcome).toBe("the API was stopped while it started.");
  });

  test("ends when its process makes no progress for a minute", async () => {
    const start = begin({ progress: async () => 7 });
    await vi.advanceTimersByTimeAsync(59 * SECOND);
    expect(start.outcome).toBe("waiting");
    await vi.advanceTimersByTimeAsync(3 * SECOND);
    expect(start.outcome).toBe("The start hangs: the API is loading and made no progress for 60 s.");
  });

  test("whose process makes a little progress now and then is waited for", async () => {
    let ticks = 0;
    const start = begin({ progress: async () => Math.floor(ticks++ / 50) });
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    expect(start.outcome).toBe("waiting");
  });
});

test.runIf(process.platform === "linux")(
  "processor time grows while a process works, and not while it is stopped",
  async () => {
    const child = spawn(process.execPath, ["-e", "process.stdout.write('x'); for (;;);"]);
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child.stdout, "data");
    const before = await processorTicks(child.pid);
    await vi.waitFor(async () => expect(await processorTicks(child.pid)).toBeGreaterThan(before), { timeout: MINUTE });
    child.kill("SIGSTOP");
    // The signal has arrived once two readings are equal.
    await vi.waitFor(
      async () => {
        const ticks = await processorTicks(child.pid);
        await new Promise((resolve) => setTimeout(resolve, 100));
        expect(await processorTicks(child.pid)).toBe(ticks);
      },
      { timeout: MINUTE },
    );
  },
);
