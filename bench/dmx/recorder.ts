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
import { monotonicMs } from "../../apps/server/src/stage/outputs/frame-ring.ts";
import { lateness } from "./lateness.ts";

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
const stageLate = lateness(firstUniverse(moving.arrivals));
const noiseLate = lateness(firstUniverse(noise.arrivals));
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

/** When packets of the first universe that is there came. */
function firstUniverse(arrivals: readonly Arrival[]): readonly number[] {
  const first = Math.min(...arrivals.map(({ universe }) => universe));
  return arrivals.filter(({ universe }) => universe === first).map(({ ms }) => ms);
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
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await exited;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function round(v: number): number {
  return Math.round(v * 1000) / 1000;
}
