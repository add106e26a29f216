import { createSocket } from "node:dgram";

/** Received ArtDmx packet. */
export interface ArtDmx {
  /** performance.now() in ms */
  readonly at: number;
  readonly sequence: number;
  /** UDP port of the sender. */
  readonly from: number;
  readonly slots: Uint8Array;
}

/**
 * Starts an Art-Net node on loopback that records what it receives.
 *
 * @param answers its ArtPollReply; by default it does not respond to polls
 * @param port a free one by default
 */
export async function listenForArtNet({
  answers,
  port = 0,
}: { readonly answers?: Uint8Array; readonly port?: number } = {}): Promise<{
  port: number;
  packets: ArtDmx[];
  close(): void;
}> {
  const socket = createSocket("udp4");
  const packets: ArtDmx[] = [];
  socket.on("message", (message, from) => {
    const isPoll = message.toString("latin1", 0, 8) === "Art-Net\0" && message.readUInt16LE(8) === 0x2000;
    if (isPoll && answers) socket.send(answers, from.port, from.address);
    // OpDmx 0x5000, little-endian, after "Art-Net\0" (Art-Net 4, table of ArtDmx).
    if (message.toString("latin1", 0, 8) !== "Art-Net\0" || message.readUInt16LE(8) !== 0x5000) return;
    const slots = new Uint8Array(message.subarray(18));
    packets.push({ at: performance.now(), sequence: message[12]!, from: from.port, slots });
  });
  await new Promise<void>((ready) => socket.bind(port, "127.0.0.1", ready));
  return { port: socket.address().port, packets, close: () => socket.close() };
}
