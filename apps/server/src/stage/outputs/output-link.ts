import { Worker } from "node:worker_threads";
import { targetOf, type Output } from "@followspot/contract";
import { COUNTER, FrameRing, MODE, monotonicMs, SLOTS } from "./frame-ring.ts";
import { OutputConditions, type OutputCondition } from "./output-conditions.ts";
import type { OutputsOrder, OutputReport, OutputThreadOptions, TapOrder, ThreadReady } from "./output-thread.ts";
import type { SacnSource } from "../packets/sacn-packet.ts";
import type { SentTick } from "./sent-tap.ts";

/** Delay before a dead output thread is replaced, ms. */
const RESTART_MS = 1000;
const CLOSE_MS = 300;

const THREAD_ENDED = "The output thread ended and is being started again";

export interface OutputHealth {
  readonly rate_hz: number;
  /** Delay relative to the deadline over the last 2048 ticks, ms. */
  readonly jitter_ms: { readonly p50: number; readonly p95: number; readonly p99: number; readonly max: number };
  readonly ticks: number;
  readonly late_frames: number;
  /** Ticks for which no frame was ready, so the hold or default look was sent. */
  readonly fallback_frames: number;
  /** Number of times a dead output thread was replaced. */
  readonly thread_restarts: number;
  readonly outputs: readonly (OutputCondition & {
    readonly id: string;
    readonly protocol: string;
    readonly target: string;
    readonly packets: number;
    readonly send_errors: number;
  })[];
}

export interface OutputLinkOptions {
  /** Shorter in tests. */
  readonly restartMs?: number;
  readonly openThread?: (options: OutputThreadOptions) => Worker;
  /** Logs faults of the thread. */
  readonly warn?: (line: string) => void;
}

/** One row of the ring: an output, or a previewed universe with an empty ID. */
export type RingRow = Pick<Output, "id" | "universe" | "offsetMs">;

/** The main thread's end of the output thread. A thread that dies is replaced and continues with the same ring. */
export class OutputLink {
  #ring = new FrameRing(0);
  #outputs: readonly Output[] = [];
  #previewed: readonly number[] = [];
  #rows: readonly RingRow[] = [];
  readonly #source: SacnSource;
  readonly #restartMs: number;
  readonly #openThread: (options: OutputThreadOptions) => Worker;
  readonly #warn: (line: string) => void;
  readonly #conditions = new OutputConditions();
  readonly #ready = Promise.withResolvers<void>();
  #worker: Worker;
  #restarts = 0;
  #restart: NodeJS.Timeout | undefined;
  #isClosing = false;
  readonly #taps = new Set<(sent: SentTick) => void>();
  #exited: () => void = () => {};

  constructor(source: SacnSource, options: OutputLinkOptions = {}) {
    const { restartMs = RESTART_MS, openThread = newThread, warn = console.error } = options;
    this.#source = source;
    this.#warn = warn;
    this.#restartMs = restartMs;
    this.#openThread = openThread;
    this.#worker = this.#startThread();
  }

  /** Ring that the thread sends from; replaced by {@link setOutputs}. */
  get ring(): FrameRing {
    return this.#ring;
  }

  /** Resolves when the thread runs; earlier frames are not sent. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** The enabled outputs. */
  get outputs(): readonly Output[] {
    return this.#outputs;
  }

  /** Content of each row of the ring. */
  get rows(): readonly RingRow[] {
    return this.#rows;
  }

  /**
   * True if there is no output, not even a disabled one, so nothing is sent. {@link tap} reports what would be sent.
   */
  get isPreview(): boolean {
    return this.#previewed.length > 0;
  }

  /** Number of enabled outputs that are not down. */
  get workingOutputs(): number {
    return this.#outputs.filter(({ id }) => this.#conditions.of(id).state !== "down").length;
  }

  /**
   * Sets the outputs. Unchanged outputs continue without a gap, new ones are opened, and removed ones go dark at once.
   * @param universes universes to preview if there is no output at all
   * @param draw fills the new ring, whose rows are dark, before the thread sends from it
   */
  setOutputs(outputs: readonly Output[], universes: readonly number[], draw: () => void): void {
    const enabled = outputs.filter((output) => output.enabled);
    const previewed = outputs.length === 0 ? universes : [];
    if (JSON.stringify([enabled, previewed]) === JSON.stringify([this.#outputs, this.#previewed])) return draw();
    const old = this.#ring;
    this.#ring = new FrameRing(enabled.length + previewed.length);
    this.#ring.follow(old);
    this.#outputs = enabled;
    this.#previewed = previewed;
    this.#rows = [...enabled, ...previewed.map((universe) => ({ id: "", universe, offsetMs: 0 }))];
    this.#conditions.setOutputs(enabled);
    draw();
    const order: OutputsOrder = { ring: this.#ring.handle, outputs: enabled, previewed };
    this.#worker.postMessage(order);
    old.wake();
  }

  /** Returns the slots of a universe at the tick sent last; undefined if no output has it. */
  sentOf(universe: number): Uint8Array | undefined {
    const i = this.#outputs.findIndex((output) => output.universe === universe);
    const rows = new Uint8Array(this.#rows.length * SLOTS);
    return i >= 0 && this.#ring.read(this.#ring.tick, rows) ? rows.subarray(i * SLOTS, (i + 1) * SLOTS) : undefined;
  }

  /**
   * Reports every sent tick from now on: whole universes first, to all subscribers at that time, then the changes.
   * @returns function that ends the subscription
   */
  tap(onSent: (sent: SentTick) => void): () => void {
    this.#taps.add(onSent);
    this.#orderTap(true);
    return () => {
      if (this.#taps.delete(onSent) && this.#taps.size === 0) this.#orderTap(false);
    };
  }

  /** Starts sending frames from the ring. */
  start(): void {
    if (this.#ring.mode === MODE.live) return;
    this.#ring.setMode(MODE.live);
    this.#conditions.setSending(true);
  }

  /** Sends the dark look, terminates the streams and stops sending. */
  stop(): void {
    if (this.#ring.mode !== MODE.live) return;
    this.#ring.setMode(MODE.ending);
    this.#conditions.setSending(false);
  }

  /** Stops sending and ends the thread. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#restart);
    if (this.#worker.threadId < 0) return; // it is dead already
    const exited = new Promise<void>((resolve) => (this.#exited = resolve));
    this.#ring.setMode(this.#ring.mode === MODE.silent ? MODE.closed : MODE.closing);
    const timer = setTimeout(() => void this.#worker.terminate(), CLOSE_MS);
    await exited;
    clearTimeout(timer);
  }

  health(): OutputHealth {
    const { counters, lateness, sent, errors, mode, base } = this.#ring;
    const samples = Math.min(counters[COUNTER.samples]!, lateness.length);
    const sorted = Float32Array.from(lateness.subarray(0, samples)).sort();
    const at = (share: number) =>
      Math.round((sorted[Math.min(samples - 1, Math.floor(share * samples))] ?? 0) * 1000) / 1000;
    const seconds = (monotonicMs() - base[1]!) / 1000;
    const liveTicks = counters[COUNTER.liveTicks]!;
    const rate = mode === MODE.live && liveTicks > 0 ? liveTicks / seconds : 0;
    return {
      rate_hz: Math.round(rate * 100) / 100,
      jitter_ms: { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) },
      ticks: counters[COUNTER.ticks]!,
      late_frames: counters[COUNTER.skipped]!,
      fallback_frames: counters[COUNTER.fallback]!,
      thread_restarts: this.#restarts,
      outputs: this.#outputs.map((output, i) => ({
        id: output.id,
        protocol: output.protocol,
        target: targetOf(output),
        packets: sent[i]!,
        send_errors: errors[i]!,
        ...this.#conditions.of(output.id),
      })),
    };
  }

  #orderTap(taps: boolean): void {
    this.#worker.postMessage({ taps } satisfies TapOrder);
  }

  #startThread(): Worker {
    const worker = this.#openThread({
      ring: this.#ring.handle,
      outputs: this.#outputs,
      previewed: this.#previewed,
      source: this.#source,
      taps: this.#taps.size > 0,
    });
    worker.on("message", (told: OutputReport | SentTick | ThreadReady) => {
      if ("ready" in told) this.#ready.resolve();
      else if ("universes" in told) for (const tell of this.#taps) tell(told);
      else this.#conditions.report(told.id, told.failure);
    });
    worker.on("error", (error) => this.#warn(`output thread: ${error.message}`));
    worker.once("exit", () => this.#replaceThread());
    return worker;
  }

  #replaceThread(): void {
    if (this.#isClosing) return this.#exited();
    for (const { id } of this.#outputs) this.#conditions.report(id, THREAD_ENDED);
    this.#restart = setTimeout(() => {
      this.#restarts++;
      this.#worker = this.#startThread();
    }, this.#restartMs);
  }
}

function newThread(options: OutputThreadOptions): Worker {
  return new Worker(new URL("./output-thread.ts", import.meta.url), { workerData: options, stdin: false });
}
