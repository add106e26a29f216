import { fork, type ChildProcess } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { STAGE_HEADERS } from "@followspot/contract";
import { monotonicMs } from "../../apps/server/src/stage/outputs/frame-ring.ts";
import { until, type Packet } from "../../apps/server/src/stage/testing/dmx-node.ts";
import { listenPunctually } from "../../apps/server/src/stage/testing/punctual-node.ts";
import { SoundConnection } from "../../apps/server/src/stage/testing/sound-connection.ts";
import { TEST_RATE } from "../../apps/server/src/stage/testing/sounds.ts";
import { STAGE_SECRET } from "../../apps/server/src/stage/testing/stage-api-server.ts";

/** Light that steps goes round so many lamps. */
export const STEP_LAMPS = 4;
/** The first plan and the first rig are not what is measured. */
const SETTLE_SECONDS = 2;

export interface Played {
  /** When sample 0 sounded, in monotonicMs. */
  readonly started: number;
  /** All packets of universe 1. */
  readonly packets: readonly Packet[];
  /** How late each block of sound went out: what the machine, not the stage, adds. */
  readonly lateMs: readonly number[];
  /** What the stage took of one core, all its threads together. */
  readonly cores: number;
}

export interface StageOptions {
  readonly plan: "chase" | "snap" | "planned";
  readonly universes: number;
  /** In each. */
  readonly lamps: number;
}

/** Plays sound into a stage of its own, in real time. */
export async function play(y: Float32Array, { plan, universes, lamps }: StageOptions): Promise<Played> {
  const node = await listenPunctually();
  const others = createSocket({ type: "udp4", recvBufferSize: 8_388_608 });
  await new Promise<void>((resolve) => others.bind(0, "127.0.0.1", resolve));
  const ports = [node.port, others.address().port];
  const program = new URL("./live-stage.ts", import.meta.url).pathname;
  const stage = fork(program, [plan, universes, lamps, ...ports].map(String));
  const [port] = (await once(stage, "message")) as [number]; // our own program
  const headers = { [STAGE_HEADERS.secret]: STAGE_SECRET, [STAGE_HEADERS.user]: "bench" };
  const connection = await new SoundConnection(`ws://127.0.0.1:${port}/lights/sound`, { headers }).opened();
  connection.start(TEST_RATE);
  await until(() => connection.state!.you_lead && node.packets.length > 0, 30_000);
  const settled = new Promise((resolve) => setTimeout(resolve, 1000 * SETTLE_SECONDS)).then(() => coresOf(stage));
  const started = await connection.play(y, TEST_RATE);
  const [before, after] = [await settled, await coresOf(stage)];
  connection.close();
  const exited = once(stage, "exit");
  stage.kill("SIGTERM");
  await exited;
  await node.close();
  others.close();
  const cores = (after.cpuMs - before.cpuMs) / (after.ms - before.ms);
  return { started, packets: node.packets, lateMs: connection.lateMs, cores };
}

async function coresOf(stage: ChildProcess): Promise<{ readonly cpuMs: number; readonly ms: number }> {
  stage.send("cpu");
  const [cpuMs] = (await once(stage, "message")) as [number]; // our own program
  return { cpuMs, ms: monotonicMs() };
}

/** Red, green and blue of a lamp together, 0..765. */
export function lightOf({ bytes }: Packet, lamp: number): number {
  const at = 18 + 4 * lamp;
  return bytes[at]! + bytes[at + 1]! + bytes[at + 2]!;
}

/** When another lamp became the brightest. */
export function stepsOf(packets: readonly Packet[]): number[] {
  const lamps = Array.from({ length: STEP_LAMPS }, (_, lamp) => lamp);
  const brightest = packets.map((packet) =>
    lamps.reduce((best, lamp) => (lightOf(packet, lamp) > lightOf(packet, best) ? lamp : best)),
  );
  return packets.flatMap(({ ms }, i) => (i > 0 && brightest[i] !== brightest[i - 1] ? [ms] : []));
}
