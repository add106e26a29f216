/*
 * Records what the stage puts on the wire.
 *   npm run bench:dmx -- [--seconds 20] [--universes 1] [--lamps 8]
 * Lateness is measured against the tick grid, as only changes are sent, beside a noise stream in the same seconds: a process
 * that sleeps to the same grid and sends one small packet, so what it is late by is the machine's doing. Prints one JSON
 * line: both, the keep-alive gaps of a still look, sequence faults, and the share of a core the stage took.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { parseArgs } from "node:util";
import { monotonicMs, TICK_MS } from "../../apps/server/src/stage/outputs/frame-ring.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "20" },
    static: { type: "string", default: "5" },
    universes: { type: "string", default: "1" },
    /** In each universe, 1..128. */
    lamps: { type: "string", default: "8" },
  },
});
const seconds = Number(values.seconds);
const universes = Number(values.universes);

/** Start-up is not what is measured. */
const SETTLE_MS = 2000;

/** Most packets of a sender that keeps the time lie this close together, ms. */
const ON_TIME_MS = 1;

interface Arrival {
  readonly ms: number;
  readonly universe: number;
  readonly sequence: number;
}

interface Recording {
  readonly arrivals: readonly Arrival[];
  /** Share of one core the sender took. */
  readonly cores: number;
}

const [moving, noise] = await Promise.all([record("stage", seconds), record("noise", seconds)]);
const still = (await record("still", Number(values.static))).arrivals.filter(({ universe }) => universe === 0);
const gaps = still.slice(1).map((a, i) => a.ms - still[i]!.ms);
const stageLate = lateness(moving.arrivals);
const noiseLate = lateness(noise.arrivals);
console.log(
  JSON.stringify({
    seconds,
    universes,
    lamps: Number(values.lamps),
    stage: {
      packets: moving.arrivals.length,
      late_ms: stageLate,
      sequence_faults: sequenceFaults(moving.arrivals),
      most_in_a_second: mostInASecond(moving.arrivals),
      cores: round(moving.cores),
    },
    noise: { packets: noise.arrivals.length, late_ms: noiseLate },
    p95_ratio: round(stageLate.p95 / noiseLate.p95),
    p99_ratio: round(stageLate.p99 / noiseLate.p99),
    keep_alive_gap_ms: { min: round(Math.min(...gaps)), max: round(Math.max(...gaps)), packets: still.length },
  }),
);

async function record(role: string, forSeconds: number): Promise<Recording> {
  const socket = createSocket({ type: "udp4", recvBufferSize: 8_388_608 });
  const arrivals: Arrival[] = [];
  socket.on("message", (packet) => {
    if (packet.readUInt16LE(8) !== 0x5000) return;
    arrivals.push({ ms: monotonicMs(), universe: packet.readUInt16LE(14), sequence: packet[12]! });
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  const sender = new URL("./sender.ts", import.meta.url).pathname;
  const child = spawn(
    process.execPath,
    [sender, role, String(socket.address().port), String(universes), values.lamps],
    {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    },
  );
  await firstOf(arrivals);
  await sleep(SETTLE_MS);
  arrivals.length = 0;
  const before = await coresOf(child);
  await sleep(forSeconds * 1000);
  const after = await coresOf(child);
  const recorded = arrivals.slice();
  await ended(child);
  socket.close();
  return { arrivals: recorded, cores: (after.cpuMs - before.cpuMs) / (after.ms - before.ms) };
}

/** CPU time the sender has taken, all its threads together. */
async function coresOf(child: ChildProcess): Promise<{ readonly cpuMs: number; readonly ms: number }> {
  child.send("cpu");
  const [cpuMs] = (await once(child, "message")) as [number]; // our own program
  return { cpuMs, ms: monotonicMs() };
}

/**
 * How far behind its tick each packet came, of the first universe that is there. The grid is placed where most packets
 * begin: a sender that is late for most of them would say so by the width of what is left.
 */
function lateness(arrivals: readonly Arrival[]) {
  const first = Math.min(...arrivals.map(({ universe }) => universe));
  const times = arrivals.filter(({ universe }) => universe === first).map(({ ms }) => ms);
  const anchor = times[0]!;
  const offsets = times.map((ms) => (((ms - anchor) % TICK_MS) + TICK_MS) % TICK_MS);
  const behind = (offset: number, start: number) => (offset - start + TICK_MS) % TICK_MS;
  const crowd = (start: number) => offsets.filter((offset) => behind(offset, start) < ON_TIME_MS).length;
  const onTime = offsets.reduce((best, start) => (crowd(start) > crowd(best) ? start : best));
  const late = offsets
    .map((offset) => behind(offset, onTime))
    .map((ms) => (ms > TICK_MS - ON_TIME_MS ? 0 : ms)) // a hair early
    .sort((a, b) => a - b);
  const at = (share: number) => round(late[Math.min(late.length - 1, Math.floor(share * late.length))] ?? 0);
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}

function sequenceFaults(arrivals: readonly Arrival[]): number {
  const byUniverse = Map.groupBy(arrivals, ({ universe }) => universe);
  const faults = [...byUniverse.values()].map(
    (own) => own.slice(1).filter((a, i) => a.sequence !== (own[i]!.sequence % 255) + 1).length,
  );
  return faults.reduce((sum, n) => sum + n, 0);
}

function mostInASecond(arrivals: readonly Arrival[]): number {
  const own = arrivals.filter(({ universe }) => universe === 0);
  let from = 0;
  let most = 0;
  for (const [i, { ms }] of own.entries()) {
    while (own[from]!.ms <= ms - 1000) from++;
    most = Math.max(most, i - from + 1);
  }
  return most;
}

async function firstOf(arrivals: readonly Arrival[]): Promise<void> {
  const giveUp = Date.now() + 60_000;
  while (arrivals.length === 0) {
    if (Date.now() > giveUp) throw new Error("no packet came within a minute");
    await sleep(20);
  }
}

async function ended(child: ChildProcess): Promise<void> {
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  await gone;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function round(v: number): number {
  return Math.round(v * 1000) / 1000;
}
