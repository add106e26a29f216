import { parentPort, workerData } from "node:worker_threads";
import type { Output } from "@followspot/contract";
import { COUNTER, FrameRing, MODE, monotonicMs, SLOTS, TICK_MS, type RingHandle } from "./frame-ring.ts";
import { SafeLook } from "./safe-look.ts";
import type { SacnSource } from "./sacn-packet.ts";
import { syncGroups, syncUniverseOf, WireOutput } from "./wire-output.ts";

/*
 * The output thread: sleeps to an absolute deadline, sends what was rendered for it, and does nothing else.
 * Late = skip; there is never a burst, and never more than 44 frames in any second.
 */

export interface OutputThreadOptions {
  readonly ring: RingHandle;
  readonly outputs: readonly Output[];
  readonly source: SacnSource;
}

const { ring: handle, outputs, source } = workerData as OutputThreadOptions; // only output-link.ts starts this file
const FRAMES_PER_SECOND = 44;
/** An idle thread looks this often whether it is wanted; a mode change wakes it at once. */
const IDLE_MS = 100;
const TERMINATED_PACKETS = 3;

const ring = new FrameRing(handle);
const wires = outputs.map(
  (output, i) =>
    new WireOutput(output, source, syncUniverseOf(outputs, output), () => {
      ring.errors[i] = ring.errors[i]! + 1;
    }),
);
const groups = syncGroups(wires, source);
const frame = new Uint8Array(outputs.length * SLOTS);
const slots = outputs.map((_, i) => frame.subarray(i * SLOTS, (i + 1) * SLOTS));
const didSend = new Set<WireOutput>();
const safeLook = new SafeLook(ring, frame);
const sentAt = new Float64Array(FRAMES_PER_SECOND).fill(Number.NEGATIVE_INFINITY);
let sentCount = 0;
let tick = 0;
let isStarting = true;

parentPort?.postMessage("ready");
turn();

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
  for (let i = 0; i < wires.length; i++) {
    if (!wires[i]!.offer(slots[i]!, woke)) continue;
    didSend.add(wires[i]!);
    ring.sent[i] = ring.sent[i]! + 1;
  }
  for (const group of groups) if (group.members.some((wire) => didSend.has(wire))) group.send();
  sentAt[sentCount++ % FRAMES_PER_SECOND] = woke;
  ring.counters[COUNTER.ticks] = ring.counters[COUNTER.ticks]! + 1;
}

/** Dark now, said three times; gateways that hold the last look for ever must not hold a lit one. */
function end(): void {
  for (let i = 0; i < wires.length; i++) {
    const dark = ring.dark.subarray(i * SLOTS, (i + 1) * SLOTS);
    wires[i]!.offer(dark, monotonicMs());
    for (let k = 0; k < TERMINATED_PACKETS; k++) wires[i]!.end(dark);
    wires[i]!.reset();
  }
  for (const group of groups) group.send();
}

function close(): void {
  ring.setMode(MODE.closed);
  for (const wire of wires) wire.close();
  parentPort?.postMessage("closed");
  parentPort?.close();
}
