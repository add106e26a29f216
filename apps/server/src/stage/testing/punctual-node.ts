import { createSocket } from "node:dgram";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { monotonicMs } from "../outputs/frame-ring.ts";
import type { DmxNode, Packet } from "./dmx-node.ts";

/*
 * A node like the one in `dmx-node.ts`, in a separate thread, so that work of the test and the stage does not make
 * packets seem late.
 */
if (!isMainThread && parentPort) {
  const port = parentPort;
  const socket = createSocket("udp4");
  socket.on("message", (bytes) => {
    if (bytes.length > 49) port.postMessage({ ms: monotonicMs(), bytes: new Uint8Array(bytes) });
  });
  socket.bind(0, "127.0.0.1", () => port.postMessage(socket.address().port));
}

export async function listenPunctually(): Promise<DmxNode> {
  const worker = new Worker(new URL(import.meta.url), { stdin: false });
  const packets: Packet[] = [];
  const port = await new Promise<number>((resolve) => worker.once("message", resolve));
  worker.on("message", ({ ms, bytes }: { ms: number; bytes: Uint8Array }) =>
    packets.push({ ms, bytes: Buffer.from(bytes) }),
  );
  return { port, packets, close: async () => void (await worker.terminate()) };
}
