import { Worker } from "node:worker_threads";
import type { StepResult } from "@followspot/contract";
import { engineEnvironment } from "../audio/engines/ask-engines.ts";
import { StepError } from "./step-error.ts";
import type { StepTask, ThreadMessage } from "./step-thread.ts";
import type { RunStep } from "./song-worker.ts";

/** Time for a thread to close its files and child processes after an abort, ms. */
const STOP_MS = 2000;
/** Idle time after which a thread ends to free its memory, ms. */
const IDLE_MS = 20_000;
/** Number of tasks after which a thread ends, which frees the memory it took for long songs. */
const MOST_TASKS = 25;

interface StepThread {
  readonly worker: Worker;
  tasks: number;
  /** Timer that ends an idle thread. */
  idle?: NodeJS.Timeout;
}

/**
 * Threads for the work of steps, each for one task at a time. They see no secrets. A thread that is done is reused,
 * because its code is already optimized: for a song of one minute that saves half of the time.
 */
export class StepThreads {
  readonly #free = new Set<StepThread>();

  /** Runs a task. An abort asks its thread to stop, then terminates it. */
  run(task: StepTask, { signal, onProgress }: Parameters<RunStep>[1]): Promise<StepResult> {
    const thread = this.#take();
    const { worker } = thread;
    const onAbort = () => {
      worker.postMessage("abort");
      setTimeout(() => void worker.terminate(), STOP_MS).unref();
    };
    const { promise, resolve, reject } = Promise.withResolvers<StepResult>();
    const onMessage = (message: ThreadMessage) => {
      if (message.kind === "progress") onProgress(message.share, message.note);
      else if (message.kind === "done") resolve(message.result);
      else reject(new StepError(message.reason));
      if (message.kind !== "progress" && !signal.aborted) this.#giveBack(thread);
    };
    const onExit = () =>
      reject(signal.aborted ? (signal.reason as Error) : new Error("the thread ended without a result"));
    worker.on("message", onMessage).on("error", reject).on("exit", onExit);
    signal.addEventListener("abort", onAbort);
    if (signal.aborted) onAbort();
    worker.postMessage(task);
    return promise.finally(() => {
      signal.removeEventListener("abort", onAbort);
      worker.off("message", onMessage).off("error", reject).off("exit", onExit);
    });
  }

  #take(): StepThread {
    for (const thread of this.#free) {
      this.#free.delete(thread);
      clearTimeout(thread.idle);
      thread.worker.ref();
      return thread;
    }
    const worker = new Worker(new URL("./step-thread.ts", import.meta.url), { env: engineEnvironment() });
    const thread: StepThread = { worker, tasks: 0 };
    worker.on("error", () => undefined); // reported to the caller of the task
    worker.on("exit", () => this.#free.delete(thread));
    return thread;
  }

  #giveBack(thread: StepThread): void {
    const { worker } = thread;
    thread.tasks++;
    if (thread.tasks >= MOST_TASKS) return void worker.terminate();
    // An idle thread does not keep the process alive.
    worker.unref();
    thread.idle = setTimeout(() => {
      this.#free.delete(thread);
      void worker.terminate();
    }, IDLE_MS).unref();
    this.#free.add(thread);
  }
}
