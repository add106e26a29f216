import { Worker } from "node:worker_threads";
import type { StepResult } from "@followspot/contract";
import { engineEnvironment } from "../audio/engines/ask-engines.ts";
import { StepError } from "./step-error.ts";
import type { StepTask, ThreadMessage } from "./step-thread.ts";
import type { RunStep } from "./song-worker.ts";

/** A thread that was asked to stop has this long to close its files and children. */
const STOP_MS = 2000;
/** An idle thread is kept so long: its memory is wanted elsewhere. */
const IDLE_MS = 20_000;
/** What a thread has taken for long songs it gives back with its end. */
const MOST_TASKS = 25;

interface StepThread {
  readonly worker: Worker;
  tasks: number;
  /** Ends it after some time without a task. */
  idle?: NodeJS.Timeout;
}

/**
 * Threads for the work of steps, each for one task at a time. They see no secret of ours. One that is done waits for the
 * next task: by then its code has been made fast, which for a song of a minute is half of the work.
 */
export class StepThreads {
  readonly #free = new Set<StepThread>();

  /** Runs a task; an abort asks its thread to stop, then ends it. */
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
    worker.on("error", () => undefined); // told to the caller that waits for its task
    worker.on("exit", () => this.#free.delete(thread));
    return thread;
  }

  #giveBack(thread: StepThread): void {
    const { worker } = thread;
    thread.tasks++;
    if (thread.tasks >= MOST_TASKS) return void worker.terminate();
    // It keeps no process alive that has nothing else to do.
    worker.unref();
    thread.idle = setTimeout(() => {
      this.#free.delete(thread);
      void worker.terminate();
    }, IDLE_MS).unref();
    this.#free.add(thread);
  }
}
