import { OP_DMX, writeHead } from "./artnet-packet.ts";
import { plainText } from "./plain-text.ts";

/*
 * Asking who is there: ArtPoll and ArtPollReply of "Art-Net 4 Protocol Release V1.4". Any machine may answer: every
 * reader here takes any bytes.
 */

const OP_POLL = 0x2000;
const OP_POLL_REPLY = 0x2100;
/** Up to and with the MAC address; older nodes send no more. */
const REPLY_BYTES = 207;
const MAX_PORTS = 4;

/** What a node says of up to four of its ports. */
export interface PollReply {
  readonly name: string;
  readonly longName: string;
  /** Six octets as hex; nodes with several replies send one for all of them. */
  readonly mac: string;
  /** Which reply of the node this is. */
  readonly bindIndex: number;
  /** Port-Addresses of ports that put out DMX. */
  readonly portAddresses: readonly number[];
  /** Those of them on which two sources are merged. */
  readonly merging: readonly number[];
}

/** Asks for a reply and nothing else: no diagnostics, no word on every change. */
export function artPollPacket(): Buffer {
  const bytes = Buffer.alloc(14);
  writeHead(bytes, OP_POLL);
  return bytes;
}

/** Undefined for anything that is no ArtPollReply. */
export function readPollReply(bytes: Buffer): PollReply | undefined {
  if (bytes.length < REPLY_BYTES || opCodeOf(bytes) !== OP_POLL_REPLY) return undefined;
  const net = (bytes[18]! & 0x7f) << 8;
  const subNet = (bytes[19]! & 0x0f) << 4;
  const portAddresses: number[] = [];
  const merging: number[] = [];
  const ports = Math.min(bytes.readUInt16BE(172), MAX_PORTS);
  for (let port = 0; port < ports; port++) {
    // Bit 7: it puts out what comes by Art-Net; protocol 0 is DMX512.
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

/** The Port-Address an ArtDmx packet is for; undefined for anything else. */
export function readArtDmx(bytes: Buffer): number | undefined {
  if (bytes.length < 20 || opCodeOf(bytes) !== OP_DMX) return undefined;
  return ((bytes[15]! & 0x7f) << 8) | bytes[14]!;
}

function opCodeOf(bytes: Buffer): number | undefined {
  return bytes.toString("latin1", 0, 8) === "Art-Net\0" ? bytes.readUInt16LE(8) : undefined;
}

/** Up to the first zero, without what no line of text holds. */
function textOf(bytes: Buffer, at: number, length: number): string {
  const [text = ""] = bytes.toString("latin1", at, at + length).split("\0", 1);
  return plainText(text);
}
