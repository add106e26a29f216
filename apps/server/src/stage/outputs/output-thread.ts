import { parentPort, workerData } from "node:worker_threads";
import type { Output } from "@followspot/contract";
import { COUNTER, FrameRing, MODE, monotonicMs, SLOTS, TICK_MS, type RingHandle } from "./frame-ring.ts";
import { SafeLook } from "./safe-look.ts";
import type { SacnSource } from "../packets/sacn-packet.ts";
import { SentTap, type SentTick } from "./sent-tap.ts";
import { syncGroups, syncUniverseOf, wireKey, WireOutput, type SyncGroup } from "./wire-output.ts";

/*
 * The output thread: sleeps to an absolute deadline, sends the frame rendered for it, and does nothing else.
 * A late frame is skipped: there is never a burst, and never more than 44 frames in any second.
 */

/** New outputs: output i shows row i of the ring. The rows after them are previewed but not sent. */
export interface OutputsOrder {
  readonly ring: RingHandle;
  readonly outputs: readonly Output[];
  /** Universes that are reported as if they were sent. */
  readonly previewed: readonly number[];
}

export interface OutputThreadOptions extends OutputsOrder {
  readonly source: SacnSource;
  /** Whether to report sent ticks ({@link SentTick}) from the start. */
  readonly taps?: boolean;
}

/** Reports that the thread runs and frames are sent from now on. */
export interface ThreadReady {
  readonly ready: true;
}

/** Starts or stops the reports of sent ticks. */
export interface TapOrder {
  readonly taps: boolean;
}

/** Reports that an output has failed, with a sentence why, or works again. */
export interface OutputReport {
  readonly id: string;
  readonly failure: string | undefined;
}

/** A wire and its current row of the ring. */
interface Sender {
  readonly wire: WireOutput;
  row: number;
}

const FRAMES_PER_SECOND = 44;
/** Interval at which an idle thread wakes, ms; a mode change wakes it at once. */
const IDLE_MS = 100;

const options = workerData as OutputThreadOptions; // only output-link.ts starts this file
const didSend = new Set<WireOutput>();
const sentAt = new Float64Array(FRAMES_PER_SECOND).fill(Number.NEGATIVE_INFINITY);
let ring = new FrameRing(options.ring);
let senders: Sender[] = [];
let groups: SyncGroup[] = [];
let frame = new Uint8Array(0);
let slots: Uint8Array[] = [];
let previewed: readonly number[] = [];
let safeLook = new SafeLook(ring, frame);
let sentCount = 0;
let tick = 0;
let isStarting = true;
let tap = options.taps ? new SentTap() : undefined;

arrange(options);
parentPort?.postMessage({ ready: true } satisfies ThreadReady);
parentPort?.on("message", (order: OutputsOrder | TapOrder) => {
  if ("taps" in order) tap = order.taps ? new SentTap() : undefined;
  else change(order);
});
turn();

/** Assigns every output its row. Unchanged wires are reused; the others are opened. */
function arrange({ outputs, previewed: universes }: OutputsOrder): void {
  const kept = new Map(senders.map((sender) => [wireKey(sender.wire.output), sender]));
  const lastFrame = frame;
  previewed = universes;
  frame = new Uint8Array((outputs.length + previewed.length) * SLOTS);
  slots = [...outputs, ...previewed].map((_, row) => frame.subarray(row * SLOTS, (row + 1) * SLOTS));
  senders = outputs.map((output, row) => {
    const sender = kept.get(wireKey(output)) ?? newSender(output);
    if (sender.row >= 0) slots[row]!.set(lastFrame.subarray(sender.row * SLOTS, (sender.row + 1) * SLOTS));
    sender.row = row;
    sender.wire.configure(output);
    sender.wire.setSyncUniverse(syncUniverseOf(outputs, output));
    return sender;
  });
  groups = syncGroups(
    senders.map(({ wire }) => wire),
    options.source,
  );
  safeLook = new SafeLook(ring, frame);
  safeLook.restart(monotonicMs());
}

function newSender(output: Output): Sender {
  const report = (failure: string | undefined) =>
    parentPort?.postMessage({ id: output.id, failure } satisfies OutputReport);
  const sender: Sender = {
    row: -1,
    wire: new WireOutput(output, options.source, {
      onError: () => {
        if (sender.row >= 0) ring.errors[sender.row] = ring.errors[sender.row]! + 1;
      },
      onChange: report,
    }),
  };
  return sender;
}

/** Switches to other outputs and their ring between two ticks. Removed outputs go dark. */
function change(order: OutputsOrder): void {
  const old = ring;
  if (old.mode === MODE.ending) end();
  const staying = new Set(order.outputs.map(wireKey));
  const leaving = senders.filter(({ wire }) => !staying.has(wireKey(wire.output)));
  const oldRows = new Map(senders.map((sender) => [sender, sender.row]));
  for (const sender of leaving) {
    if (old.mode === MODE.live) sender.wire.end(darkOf(sender.row), monotonicMs());
    sender.row = -1;
    void Promise.resolve(sender.wire.close()).catch(() => undefined); // the output has ended
  }
  ring = new FrameRing(order.ring);
  senders = senders.filter((sender) => !leaving.includes(sender));
  arrange(order);
  for (const sender of senders) {
    const row = oldRows.get(sender);
    if (row === undefined) continue;
    ring.sent[sender.row] = old.sent[row]!;
    ring.errors[sender.row] = old.errors[row]!;
  }
  ring.base[1] = old.base[1]!;
  ring.counters.set(old.counters);
  ring.setTick(tick);
  ring.advanceMode(MODE.ending, MODE.silent); // ended above
}

function turn(): void {
  const mode = ring.mode;
  switch (mode) {
    case MODE.silent:
      ring.sleep(IDLE_MS, MODE.silent);
      tick = ring.tickAt(monotonicMs());
      ring.setTick(tick);
      safeLook.restart(monotonicMs());
      isStarting = true;
      break;
    case MODE.live:
      sendTick();
      break;
    case MODE.ending:
    case MODE.closing:
      end();
      ring.advanceMode(MODE.ending, MODE.silent);
      if (mode === MODE.closing) return close();
      break;
    case MODE.closed:
      return close();
    default:
      mode satisfies never;
  }
  // The event loop must turn between ticks: it frees finished sends and reports refused ones.
  setImmediate(turn);
}

function sendTick(): void {
  const now = monotonicMs();
  tick = Math.max(tick + 1, ring.tickAt(now) + 1);
  const deadline = Math.max(ring.timeOf(tick), sentAt[sentCount % FRAMES_PER_SECOND]! + 1000);
  ring.sleep(deadline - now, MODE.live);
  if (ring.mode !== MODE.live) return;
  const woke = monotonicMs();
  if (isStarting) {
    isStarting = false;
    ring.base[1] = woke;
    ring.counters[COUNTER.liveTicks] = 0;
  } else ring.counters[COUNTER.liveTicks] = ring.counters[COUNTER.liveTicks]! + 1;
  ring.addLateness(woke - deadline);
  if (woke - deadline > TICK_MS) {
    ring.counters[COUNTER.skipped] = ring.counters[COUNTER.skipped]! + Math.floor((woke - deadline) / TICK_MS);
    tick = ring.tickAt(woke);
  }
  ring.setTick(tick);
  if (ring.read(tick, frame)) safeLook.restart(woke);
  else if (safeLook.apply(woke)) ring.counters[COUNTER.fallback] = ring.counters[COUNTER.fallback]! + 1;

  didSend.clear();
  for (const { wire, row } of senders) {
    if (!wire.offer(slots[row]!, woke)) continue;
    didSend.add(wire);
    ring.sent[row] = ring.sent[row]! + 1;
  }
  if (didSend.size > 0) ring.noteSent(tick, woke);
  for (const group of groups) if (group.members.some((wire) => didSend.has(wire))) group.send(woke);
  tellSent(woke, (row) => slots[row]!);
  sentAt[sentCount++ % FRAMES_PER_SECOND] = woke;
  ring.counters[COUNTER.ticks] = ring.counters[COUNTER.ticks]! + 1;
}

/** Sends the dark look, terminates the streams and stops, now. */
function end(): void {
  const now = monotonicMs();
  for (const sender of senders) sender.wire.end(darkOf(sender.row), now);
  for (const group of groups) if (group.members.some(({ output }) => !output.withheld)) group.send(now);
  tellSent(now, darkOf);
}

function tellSent(ms: number, slotsOf: (row: number) => Uint8Array): void {
  if (!tap) return;
  const sent = senders.map(({ wire, row }) => [wire.output.universe, slotsOf(row)] as const);
  const unsent = previewed.map((universe, i) => [universe, slotsOf(senders.length + i)] as const);
  const changed = tap.changesOf([...sent, ...unsent]);
  if (changed.length === 0) return;
  parentPort?.postMessage({ ms, isPreview: previewed.length > 0, universes: changed } satisfies SentTick);
}

function darkOf(row: number): Uint8Array {
  return ring.dark.subarray(row * SLOTS, (row + 1) * SLOTS);
}

/** Closes the outputs and waits for their last frame: programs of USB adapters end with this thread. */
function close(): void {
  ring.setMode(MODE.closed);
  const closing = senders.map(({ wire }) => wire.close());
  void Promise.allSettled(closing).then(() => parentPort?.close());
}
