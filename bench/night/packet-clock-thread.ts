/** A thread that notes when the packets of one sender came: whatever else the program does delays it no more than a process of its own. */
import { createSocket } from "node:dgram";
import { parentPort } from "node:worker_threads";
import { monotonicMs } from "../../apps/server/src/stage/outputs/frame-ring.ts";

const ART_DMX = 0x5000;
const socket = createSocket({ type: "udp4", recvBufferSize: 8_388_608 });
let arrivals: number[] = [];
socket.on("message", (packet) => {
  if (packet.readUInt16LE(8) === ART_DMX) arrivals.push(monotonicMs());
});
socket.bind(0, "127.0.0.1", () => parentPort!.postMessage(socket.address().port));
// What came since it was asked last.
parentPort!.on("message", () => {
  parentPort!.postMessage(arrivals);
  arrivals = [];
});
