/*
 * Memory shared by the stage's main thread, which renders ahead, and its output thread, which only sends.
 * A slot is valid for one tick: its header holds the tick's number, and is invalid while the slot is written.
 */

export const SLOTS = 512;
/** Frames in the ring: 2.9 s, more than is ever rendered ahead. */
export const RING_TICKS = 128;
const LATENESS_SAMPLES = 2048;

/** Ticks per second. Slightly below 44: 44 ticks take 1004.6 ms, so a late frame never makes 45 in a second. */
export const TICK_HZ = 43.8;
export const TICK_MS = 1000 / TICK_HZ;

export const MODE = {
  /** Nothing is sent. */
  silent: 0,
  /** Frames of the ring are sent. */
  live: 1,
  /** Sends the dark look and terminates the streams, then is silent. */
  ending: 2,
  /** As `ending`, after which the thread exits. */
  closing: 3,
  closed: 4,
} as const;
export type Mode = (typeof MODE)[keyof typeof MODE];

export const COUNTER = { ticks: 0, skipped: 1, fallback: 2, samples: 3, liveTicks: 4 } as const;
const CONTROL = { mode: 0, tick: 1 } as const;

/** Parameters to open the {@link FrameRing} in another thread. */
export interface RingHandle {
  readonly memory: SharedArrayBuffer;
  readonly outputs: number;
}

export class FrameRing {
  readonly handle: RingHandle;
  readonly #control: Int32Array;
  readonly #headers: Int32Array;
  readonly #frames: Uint8Array;
  readonly #sentMs: Float64Array;
  readonly #outputs: number;
  /** In {@link monotonicMs}: tick 0, and the first tick sent since the output went live. */
  readonly base: Float64Array;
  readonly counters: Int32Array;
  readonly sent: Int32Array;
  readonly errors: Int32Array;
  readonly lateness: Float32Array;
  /** Per output: its dark look, its fallback look, and which slots are strobes. */
  readonly dark: Uint8Array;
  readonly house: Uint8Array;
  readonly strobes: Uint8Array;

  constructor(handle: RingHandle | number) {
    const outputs = typeof handle === "number" ? handle : handle.outputs;
    const layout = [
      ["base", 8, 2],
      ["sentMs", 8, RING_TICKS],
      ["control", 4, 8],
      ["headers", 4, RING_TICKS],
      ["counters", 4, 8],
      ["sent", 4, outputs],
      ["errors", 4, outputs],
      ["lateness", 4, LATENESS_SAMPLES],
      ["dark", 1, outputs * SLOTS],
      ["house", 1, outputs * SLOTS],
      ["strobes", 1, outputs * SLOTS],
      ["frames", 1, RING_TICKS * outputs * SLOTS],
    ] as const;
    const offsets = new Map<string, number>();
    let size = 0;
    for (const [name, bytes, count] of layout) {
      offsets.set(name, size);
      size += Math.ceil((bytes * count) / 8) * 8;
    }
    const memory = typeof handle === "number" ? new SharedArrayBuffer(size) : handle.memory;
    const at = (name: (typeof layout)[number][0]) => offsets.get(name) ?? 0;
    this.handle = { memory, outputs };
    this.#outputs = outputs;
    this.base = new Float64Array(memory, at("base"), 2);
    this.#sentMs = new Float64Array(memory, at("sentMs"), RING_TICKS);
    this.#control = new Int32Array(memory, at("control"), 8);
    this.#headers = new Int32Array(memory, at("headers"), RING_TICKS);
    this.counters = new Int32Array(memory, at("counters"), 8);
    this.sent = new Int32Array(memory, at("sent"), outputs);
    this.errors = new Int32Array(memory, at("errors"), outputs);
    this.lateness = new Float32Array(memory, at("lateness"), LATENESS_SAMPLES);
    this.dark = new Uint8Array(memory, at("dark"), outputs * SLOTS);
    this.house = new Uint8Array(memory, at("house"), outputs * SLOTS);
    this.strobes = new Uint8Array(memory, at("strobes"), outputs * SLOTS);
    this.#frames = new Uint8Array(memory, at("frames"), RING_TICKS * outputs * SLOTS);
    if (typeof handle === "number") {
      this.#headers.fill(-1);
      this.base[0] = monotonicMs();
    }
  }

  get mode(): Mode {
    return Atomics.load(this.#control, CONTROL.mode) as Mode; // only setMode writes it
  }

  setMode(mode: Mode): void {
    Atomics.store(this.#control, CONTROL.mode, mode);
    this.wake();
  }

  /** Ends the output thread's sleep. */
  wake(): void {
    Atomics.notify(this.#control, CONTROL.mode);
  }

  /** Copies tick count and mode of `other`, so that the output thread can switch rings between two ticks. */
  follow(other: FrameRing): void {
    this.base.set(other.base);
    this.counters.set(other.counters);
    this.lateness.set(other.lateness);
    this.setTick(other.tick);
    this.setMode(other.mode);
  }

  /** Changes the mode only if no other mode was requested since. */
  advanceMode(from: Mode, to: Mode): void {
    Atomics.compareExchange(this.#control, CONTROL.mode, from, to);
  }

  /** The tick sent last. */
  get tick(): number {
    return Atomics.load(this.#control, CONTROL.tick);
  }

  setTick(tick: number): void {
    Atomics.store(this.#control, CONTROL.tick, tick);
  }

  /** Returns when a tick is due, in {@link monotonicMs}. */
  timeOf(tick: number): number {
    return this.base[0]! + tick * TICK_MS;
  }

  tickAt(ms: number): number {
    return Math.floor((ms - this.base[0]!) / TICK_MS);
  }

  /** Records when packets of a tick were sent. */
  noteSent(tick: number, ms: number): void {
    this.#sentMs[tick % RING_TICKS] = ms;
  }

  /**
   * Returns the first tick from `tick` on of which packets were sent, and when, in {@link monotonicMs}; undefined while
   * there is none.
   */
  firstSent(tick: number): { readonly tick: number; readonly ms: number } | undefined {
    for (let at = tick; at <= this.tick && at < tick + RING_TICKS; at++) {
      const ms = this.#sentMs[at % RING_TICKS]!;
      if (ms > this.timeOf(at - 1)) return { tick: at, ms }; // otherwise from an earlier tick in this slot
    }
    return undefined;
  }

  /** Returns the first tick that has not been sent. */
  nextTick(): number {
    return Math.max(this.tick, this.tickAt(monotonicMs()) - 1) + 1;
  }

  /** Sleeps; wakes early if the mode changes. */
  sleep(ms: number, mode: Mode): void {
    if (ms > 0) Atomics.wait(this.#control, CONTROL.mode, mode, ms);
  }

  /** Writes one tick: `fill` receives each output's 512 slots. */
  write(tick: number, fill: (output: number, slots: Uint8Array) => void): void {
    const slot = tick % RING_TICKS;
    Atomics.store(this.#headers, slot, -1);
    for (let i = 0; i < this.#outputs; i++) {
      const at = (slot * this.#outputs + i) * SLOTS;
      fill(i, this.#frames.subarray(at, at + SLOTS));
    }
    Atomics.store(this.#headers, slot, tick);
  }

  /** Discards the rendering of a tick. */
  drop(tick: number): void {
    Atomics.compareExchange(this.#headers, tick % RING_TICKS, tick, -1);
  }

  /** Copies a tick's frame for all outputs. Returns false if it was not rendered or was overwritten during the read. */
  read(tick: number, into: Uint8Array): boolean {
    const slot = tick % RING_TICKS;
    if (Atomics.load(this.#headers, slot) !== tick) return false;
    const at = slot * this.#outputs * SLOTS;
    into.set(this.#frames.subarray(at, at + this.#outputs * SLOTS));
    return Atomics.load(this.#headers, slot) === tick;
  }

  addLateness(ms: number): void {
    const n = this.counters[COUNTER.samples]!;
    this.lateness[n % LATENESS_SAMPLES] = ms;
    this.counters[COUNTER.samples] = n + 1;
  }
}

/** Returns the machine's monotonic clock, ms; the same in every thread of the process. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}
