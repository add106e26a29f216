import { createSocket } from "node:dgram";

/** Identity of an emulated node. */
export interface EmulatedNode {
  readonly name: string;
  /** Six octets as hex. */
  readonly mac: string;
  /** Net, sub-net and up to four universes that output DMX. */
  readonly net: number;
  readonly subNet: number;
  readonly universes: readonly number[];
  /** Indexes of the ports that merge two sources. */
  readonly merging?: readonly number[];
}

export const PAR_NODE: EmulatedNode = { name: "Par node", mac: "0a0b0c0d0e0f", net: 0, subNet: 0, universes: [0, 1] };

/** Encodes an ArtPollReply of a current node, 239 octets. */
export function pollReply({ name, mac, net, subNet, universes, merging = [] }: EmulatedNode): Buffer {
  const bytes = Buffer.alloc(239);
  bytes.write("Art-Net\0", 0, "latin1");
  bytes.writeUInt16LE(0x2100, 8);
  bytes.set([127, 0, 0, 1], 10);
  bytes.writeUInt16LE(6454, 14);
  bytes[18] = net;
  bytes[19] = subNet;
  bytes.write(name, 26, 17, "latin1");
  bytes.write(`${name}, long`, 44, 63, "latin1");
  bytes.writeUInt16BE(universes.length, 172);
  for (const [i, universe] of universes.entries()) {
    bytes[174 + i] = 0x80;
    bytes[182 + i] = 0x80 | (merging.includes(i) ? 0x08 : 0);
    bytes[190 + i] = universe;
  }
  bytes.write(mac, 201, "hex");
  bytes[211] = 1;
  return bytes;
}

export interface NodeEmulator {
  readonly port: number;
  /** Received ArtDmx packets, in order. */
  readonly frames: Buffer[];
  readonly polls: number[];
  /** Its replies to a poll; empty for a node that is off. */
  replies: Buffer[];
  close(): Promise<void>;
}

/** Starts an Art-Net node on loopback that answers ArtPoll to the sender's port. */
export async function emulateNode(nodes: readonly EmulatedNode[] = [PAR_NODE], port = 0): Promise<NodeEmulator> {
  const socket = createSocket("udp4");
  const emulator: NodeEmulator = {
    port: 0,
    frames: [],
    polls: [],
    replies: nodes.map(pollReply),
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
  socket.on("message", (bytes, from) => {
    const opCode = bytes.readUInt16LE(8);
    if (opCode === 0x5000) emulator.frames.push(bytes);
    if (opCode !== 0x2000) return;
    emulator.polls.push(performance.now());
    for (const reply of emulator.replies) socket.send(reply, from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(port, "127.0.0.1", resolve));
  return Object.assign(emulator, { port: socket.address().port });
}
