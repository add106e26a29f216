import { OP_DMX, writeHead } from "./artnet-packet.ts";
import { plainText } from "./plain-text.ts";

/*
 * Node discovery: ArtPoll and ArtPollReply of "Art-Net 4 Protocol Release V1.4". Any machine may answer, so every
 * reader here accepts any bytes.
 */

const OP_POLL = 0x2000;
const OP_POLL_REPLY = 0x2100;
/** Length up to and including the MAC address; older nodes send no more. */
const REPLY_BYTES = 207;
const MAX_PORTS = 4;

/** Reply of a node for up to four of its ports. */
export interface PollReply {
  readonly name: string;
  readonly longName: string;
  /** Six octets as hex; the same in all replies of a node. */
  readonly mac: string;
  /** Index of this reply among those of the node. */
  readonly bindIndex: number;
  /** Port-Addresses of ports that output DMX. */
  readonly portAddresses: readonly number[];
  /** Those of `portAddresses` on which two sources are merged. */
  readonly merging: readonly number[];
}

/** Creates a packet that requests a reply only: no diagnostics, no notifications of changes. */
export function artPollPacket(): Buffer {
  const bytes = Buffer.alloc(14);
  writeHead(bytes, OP_POLL);
  return bytes;
}

/** Parses an ArtPollReply; undefined for anything else. */
export function readPollReply(bytes: Buffer): PollReply | undefined {
  if (bytes.length < REPLY_BYTES || opCodeOf(bytes) !== OP_POLL_REPLY) return undefined;
  const net = (bytes[18]! & 0x7f) << 8;
  const subNet = (bytes[19]! & 0x0f) << 4;
  const portAddresses: number[] = [];
  const merging: number[] = [];
  const ports = Math.min(bytes.readUInt16BE(172), MAX_PORTS);
  for (let port = 0; port < ports; port++) {
    // Bit 7: the port outputs Art-Net data; protocol 0 is DMX512.
    if ((bytes[174 + port]! & 0xbf) !== 0x80) continue;
    const address = net | subNet | (bytes[190 + port]! & 0x0f);
    if (!portAddresses.includes(address)) portAddresses.push(address);
    if (bytes[182 + port]! & 0x08 && !merging.includes(address)) merging.push(address);
  }
  return {
    name: textOf(bytes, 26, 18),
    longName: textOf(bytes, 44, 64),
    mac: bytes.toString("hex", 201, 207),
    bindIndex: bytes[211] ?? 0,
    portAddresses,
    merging,
  };
}

/** Returns the Port-Address of an ArtDmx packet; undefined for anything else. */
export function readArtDmx(bytes: Buffer): number | undefined {
  if (bytes.length < 20 || opCodeOf(bytes) !== OP_DMX) return undefined;
  return ((bytes[15]! & 0x7f) << 8) | bytes[14]!;
}

function opCodeOf(bytes: Buffer): number | undefined {
  return bytes.toString("latin1", 0, 8) === "Art-Net\0" ? bytes.readUInt16LE(8) : undefined;
}

/** Reads text up to the first zero, without control characters. */
function textOf(bytes: Buffer, at: number, length: number): string {
  const [text = ""] = bytes.toString("latin1", at, at + length).split("\0", 1);
  return plainText(text);
}
