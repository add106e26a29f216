import { Worker } from "node:worker_threads";
import type { HeardSound } from "@followspot/contract";
import type { LivePlan, LiveOptions } from "@followspot/lighting";
import type { EarNews, EarOrder } from "./ear-thread.ts";

export interface EarPorts {
  readonly onHeard: (heard: HeardSound) => void;
  readonly onPlan: (plan: LivePlan) => void;
  /** Called when the thread has ended; no more results follow. */
  readonly onEnd: (why: string) => void;
}

/** The thread that analyzes live sound, while there is any. */
export class Ear {
  readonly #worker: Worker;
  #opening = 0;
  #isClosed = false;

  constructor({ onHeard, onPlan, onEnd }: EarPorts) {
    this.#worker = new Worker(new URL("./ear-thread.ts", import.meta.url), { stdin: false });
    this.#worker.on("message", (news: EarNews) => {
      if (this.#isClosed) return;
      if (news.type === "planned") onPlan(news.plan);
      // Late results of the previous stream are dropped.
      else if (news.opening === this.#opening) onHeard(news.heard);
    });
    let why = "";
    this.#worker.on("error", (error) => (why = error.message));
    this.#worker.once("exit", () => this.#isClosed || onEnd(why));
  }

  /** Starts another stream. */
  open(sampleRate: number): void {
    this.#tell({ type: "open", opening: ++this.#opening, sampleRate });
  }

  hear(samples: Int16Array): void {
    this.#tell({ type: "sound", samples });
  }

  plan(options: LiveOptions): void {
    this.#tell({ type: "plan", options });
  }

  close(): void {
    this.#isClosed = true;
    void this.#worker.terminate();
  }

  #tell(order: EarOrder): void {
    this.#worker.postMessage(order);
  }
}
