import { Worker } from "node:worker_threads";
import type { Output } from "@followspot/contract";
import { COUNTER, FrameRing, MODE, monotonicMs } from "./frame-ring.ts";
import type { OutputThreadOptions } from "./output-thread.ts";
import type { SacnSource } from "./sacn-packet.ts";

export interface OutputHealth {
  readonly rate_hz: number;
  /** Lateness against the deadline over the last 2048 ticks, ms. */
  readonly jitter_ms: { readonly p50: number; readonly p95: number; readonly p99: number; readonly max: number };
  readonly ticks: number;
  readonly late_frames: number;
  /** Ticks sent as hold or house look because no frame was ready. */
  readonly fallback_frames: number;
  readonly outputs: readonly {
    readonly id: string;
    readonly protocol: string;
    readonly target: string;
    readonly packets: number;
    readonly send_errors: number;
  }[];
}

/** The stage's end of the output thread. */
export class OutputLink {
  readonly ring: FrameRing;
  readonly outputs: readonly Output[];
  readonly #worker: Worker;
  readonly #exited: Promise<void>;

  constructor(outputs: readonly Output[], source: SacnSource) {
    this.outputs = outputs.filter((output) => output.enabled);
    this.ring = new FrameRing(this.outputs.length);
    const options: OutputThreadOptions = { ring: this.ring.handle, outputs: this.outputs, source };
    this.#worker = new Worker(new URL("./output-thread.ts", import.meta.url), { workerData: options, stdin: false });
    this.#exited = new Promise((resolve) => this.#worker.once("exit", () => resolve()));
    this.#worker.on("error", (error) => console.error(`output thread: ${error.message}`));
  }

  /** Send frames from the ring from now on. */
  start(): void {
    if (this.ring.mode !== MODE.live) this.ring.setMode(MODE.live);
  }

  /** Dark, terminated, silent. */
  stop(): void {
    if (this.ring.mode === MODE.live) this.ring.setMode(MODE.ending);
  }

  /** Stop and end the thread. */
  async close(): Promise<void> {
    this.ring.setMode(this.ring.mode === MODE.silent ? MODE.closed : MODE.closing);
    const timer = setTimeout(() => void this.#worker.terminate(), 300);
    await this.#exited;
    clearTimeout(timer);
  }

  health(): OutputHealth {
    const { counters, lateness, sent, errors, mode } = this.ring;
    const samples = Math.min(counters[COUNTER.samples]!, lateness.length);
    const sorted = Float32Array.from(lateness.subarray(0, samples)).sort();
    const at = (share: number) =>
      Math.round((sorted[Math.min(samples - 1, Math.floor(share * samples))] ?? 0) * 1000) / 1000;
    const seconds = (monotonicMs() - this.ring.base[1]!) / 1000;
    const liveTicks = counters[COUNTER.liveTicks]!;
    const rate = mode === MODE.live && liveTicks > 0 ? liveTicks / seconds : 0;
    return {
      rate_hz: Math.round(rate * 100) / 100,
      jitter_ms: {
        p50: at(0.5),
        p95: at(0.95),
        p99: at(0.99),
        max: samples > 0 ? Math.round(sorted[samples - 1]! * 1000) / 1000 : 0,
      },
      ticks: counters[COUNTER.ticks]!,
      late_frames: counters[COUNTER.skipped]!,
      fallback_frames: counters[COUNTER.fallback]!,
      outputs: this.outputs.map((output, i) => ({
        id: output.id,
        protocol: output.protocol,
        target: `${output.host}/${output.portAddress}`,
        packets: sent[i]!,
        send_errors: errors[i]!,
      })),
    };
  }
}
