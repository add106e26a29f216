/**
 * A node of lamps on a host of its own: `lamps.ts ADDRESS`. It notes when each packet of Art-Net came, and whether it was dark,
 * and tells what it has noted since it was asked last.
 */
import { createSocket } from "node:dgram";
import { ART_NET_PORT, type SeenPacket } from "./asks.ts";

const SLOTS_FROM = 18;

const [address = "127.0.0.1"] = process.argv.slice(2);
let seen: SeenPacket[] = [];
const socket = createSocket("udp4");
socket.on("message", (packet) => {
  // OpDmx 0x5000, little-endian, behind "Art-Net\0" (Art-Net 4, table of ArtDmx).
  if (packet.length <= SLOTS_FROM || packet.readUInt16LE(8) !== 0x5000) return;
  seen.push([performance.timeOrigin + performance.now(), packet.subarray(SLOTS_FROM).every((level) => level === 0)]);
});
socket.bind(ART_NET_PORT, address);
process.on("message", () => {
  process.send?.(seen);
  seen = [];
});
process.on("disconnect", () => process.exit(0));
