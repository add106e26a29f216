/*
 * Records what the stage puts on the wire, beside a plain setInterval sender in the same run.
 *   node bench/dmx/recorder.ts [--seconds 20]
 * Prints one JSON line: rate, jitter of the spacing, keep-alive gaps, sequence faults, and the ratio of the two.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { createSocket } from "node:dgram";
import { parseArgs } from "node:util";
import { monotonicMs, TICK_MS } from "../../apps/server/src/stage/frame-ring.ts";

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "20" }, static: { type: "string", default: "5" } },
});
const seconds = Number(values.seconds);
const staticSeconds = Number(values.static);

interface Arrival {
  readonly ms: number;
  readonly sequence: number;
}

const moving = await record("stage", seconds);
const naive = await record("interval", seconds);
const still = await record("still", staticSeconds);
const stage = {
  ...spacing(moving, TICK_MS),
  sequence_faults: sequenceFaults(moving),
  most_in_a_second: mostInASecond(moving),
};
const interval = spacing(naive, 1000 / 44);
const gaps = still.slice(1).map((a, i) => a.ms - still[i]!.ms);
console.log(
  JSON.stringify({
    seconds,
    stage,
    set_interval: interval,
    keep_alive_gap_ms: { min: round(Math.min(...gaps)), max: round(Math.max(...gaps)), packets: still.length },
    p95_ratio: round(interval.jitter_ms.p95 / stage.jitter_ms.p95),
    p99_ratio: round(interval.jitter_ms.p99 / stage.jitter_ms.p99),
  }),
);

async function record(role: string, forSeconds: number): Promise<Arrival[]> {
  const socket = createSocket("udp4");
  const arrivals: Arrival[] = [];
  socket.on("message", (packet) => {
    if (packet.readUInt16LE(8) === 0x5000) arrivals.push({ ms: monotonicMs(), sequence: packet[12]! });
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  const child = spawn(
    process.execPath,
    [new URL("./sender.ts", import.meta.url).pathname, role, String(socket.address().port)],
    {
      stdio: ["ignore", "inherit", "inherit"],
    },
  );
  await firstOf(arrivals);
  await sleep(1000); // start-up is not what is measured
  arrivals.length = 0;
  await sleep(forSeconds * 1000);
  const recorded = arrivals.slice();
  await ended(child);
  socket.close();
  return recorded;
}

/** Each spacing against the nominal one; a tick skipped as unchanged counts as its multiple. */
function spacing(arrivals: readonly Arrival[], periodMs: number) {
  const errors = arrivals
    .slice(1)
    .map((a, i) => a.ms - arrivals[i]!.ms)
    .map((gap) => Math.abs(gap - Math.max(1, Math.round(gap / periodMs)) * periodMs))
    .sort((a, b) => a - b);
  const at = (share: number) => round(errors[Math.min(errors.length - 1, Math.floor(share * errors.length))] ?? 0);
  const span = (arrivals.at(-1)!.ms - arrivals[0]!.ms) / 1000;
  return {
    packets: arrivals.length,
    rate_hz: round((arrivals.length - 1) / span),
    jitter_ms: { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) },
  };
}

function sequenceFaults(arrivals: readonly Arrival[]): number {
  return arrivals.slice(1).filter((a, i) => a.sequence !== (arrivals[i]!.sequence % 255) + 1).length;
}

function mostInASecond(arrivals: readonly Arrival[]): number {
  let from = 0;
  let most = 0;
  for (const [i, { ms }] of arrivals.entries()) {
    while (arrivals[from]!.ms <= ms - 1000) from++;
    most = Math.max(most, i - from + 1);
  }
  return most;
}

async function firstOf(arrivals: readonly Arrival[]): Promise<void> {
  const giveUp = Date.now() + 15_000;
  while (arrivals.length === 0) {
    if (Date.now() > giveUp) throw new Error("no packet came within 15 s");
    await sleep(20);
  }
}

async function ended(child: ChildProcess): Promise<void> {
  child.kill("SIGTERM");
  await new Promise((resolve) => child.once("exit", resolve));
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function round(v: number): number {
  return Math.round(v * 1000) / 1000;
}
