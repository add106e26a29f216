import { createSocket } from "node:dgram";
import { setTimeout as sleep } from "node:timers/promises";
import { monotonicMs } from "../outputs/frame-ring.ts";

export interface Packet {
  readonly ms: number;
  readonly bytes: Buffer;
}

export interface DmxNode {
  readonly port: number;
  /** Received data packets in order, without sync packets. */
  readonly packets: Packet[];
  close(): Promise<void>;
}

/**
 * Starts a node on loopback that records its packets; on any free port by default. @param host address in 127.0.0.0/8
 */
export async function listenForDmx(port = 0, host = "127.0.0.1"): Promise<DmxNode> {
  const socket = createSocket("udp4");
  const packets: Packet[] = [];
  socket.on("message", (bytes) => {
    if (bytes.length > 49) packets.push({ ms: monotonicMs(), bytes }); // ArtSync and sACN sync are shorter
  });
  await new Promise<void>((resolve) => socket.bind(port, host, resolve));
  const close = () => new Promise<void>((resolve) => socket.close(() => resolve()));
  return { port: socket.address().port, packets, close };
}

/** Returns a free UDP port on loopback. */
export async function freeUdpPort(): Promise<number> {
  const node = await listenForDmx();
  await node.close();
  return node.port;
}

/** Longest interval between repeats of an unchanged look, ms (Art-Net 4, E1.31 §6.6.1). */
const LONGEST_PAUSE_MS = 1000;

/** Waits until the sender has ended its stream: not even the repeats of an unchanged look arrive. */
export async function untilSilent({ packets }: DmxNode): Promise<void> {
  let count = -1;
  let sinceMs = 0;
  await until(() => {
    if (packets.length !== count) [count, sinceMs] = [packets.length, monotonicMs()];
    return monotonicMs() - sinceMs > LONGEST_PAUSE_MS;
  });
}

/** Default timeout, ms: under load a stage may start slowly. */
const PATIENCE_MS = 30_000;

/** Waits for a condition. @throws Error if it does not become true within `ms` */
export async function until(isTrue: () => boolean | Promise<boolean>, ms = PATIENCE_MS): Promise<void> {
  for (const giveUp = Date.now() + ms; !(await isTrue()); await sleep(5)) {
    if (Date.now() > giveUp) throw new Error(`this did not happen within ${ms} ms: ${isTrue.toString()}`);
  }
}
