/*
 * Open Sound Control 1.0: messages and bundles of them. Numbers are big-endian; every part is padded to four bytes.
 * Supported argument types: i, f and s of the standard, and d, h, r, S, c, T, F, N and I of its extensions, which Max, Pure
 * Data, TouchOSC and Python libraries send. Blobs, times and MIDI messages are no values of a desk.
 */

export type OscValue = number | string | boolean;

export interface OscMessage {
  readonly address: string;
  /** Numbers of any width; a color as `#rrggbb`, without its opacity; nothing for nil. */
  readonly values: readonly OscValue[];
}

const MAX_BYTES = 4096;
/** Nesting depth of bundles; no sender needs more. */
const MAX_DEPTH = 4;
const MAX_MESSAGES = 64;
const BUNDLE = "#bundle";
const BUNDLE_HEADER = 16;

/** Parses the messages of a packet; undefined if any part is incomplete or invalid. */
export function readOsc(packet: Uint8Array): readonly OscMessage[] | undefined {
  if (packet.length === 0 || packet.length > MAX_BYTES || packet.length % 4 !== 0) return undefined;
  const messages: OscMessage[] = [];
  return readElement(packet, MAX_DEPTH, messages) ? messages : undefined;
}

/** Returns false if any part is invalid: half a bundle is never pressed. */
function readElement(bytes: Uint8Array, depth: number, into: OscMessage[]): boolean {
  const head = readString(bytes, 0);
  if (!head) return false;
  if (head.text !== BUNDLE) {
    const message = readMessage(bytes);
    if (!message || into.length === MAX_MESSAGES) return false;
    into.push(message);
    return true;
  }
  if (depth === 0 || bytes.length < BUNDLE_HEADER) return false;
  const view = viewOf(bytes);
  // The time tag of a bundle is ignored: a desk is played now.
  for (let at = BUNDLE_HEADER; at < bytes.length;) {
    if (at + 4 > bytes.length) return false;
    const size = view.getInt32(at);
    at += 4;
    if (size <= 0 || size % 4 !== 0 || at + size > bytes.length) return false;
    if (!readElement(bytes.subarray(at, at + size), depth - 1, into)) return false;
    at += size;
  }
  return true;
}

function readMessage(bytes: Uint8Array): OscMessage | undefined {
  const address = readString(bytes, 0);
  if (!address?.text.startsWith("/")) return undefined;
  // Old senders omit the types if there is no argument.
  if (address.next === bytes.length) return { address: address.text, values: [] };
  const types = readString(bytes, address.next);
  if (!types?.text.startsWith(",")) return undefined;
  const values: OscValue[] = [];
  let at = types.next;
  for (const type of types.text.slice(1)) {
    const value = readValue(type, bytes, at);
    if (!value) return undefined;
    if (value.is !== undefined) values.push(value.is);
    at = value.next;
  }
  return at === bytes.length ? { address: address.text, values } : undefined;
}

/** Bytes of each type of a fixed length. */
const WIDTHS: Readonly<Record<string, number>> = { i: 4, f: 4, r: 4, c: 4, d: 8, h: 8, T: 0, F: 0, I: 0, N: 0 };

/** Reads an argument; undefined if its type is not supported or the packet ends within it. */
function readValue(
  type: string,
  bytes: Uint8Array,
  at: number,
): { is: OscValue | undefined; next: number } | undefined {
  if (type === "s" || type === "S") {
    const text = readString(bytes, at);
    return text && { is: text.text, next: text.next };
  }
  const next = at + (WIDTHS[type] ?? Number.POSITIVE_INFINITY);
  return next <= bytes.length ? { is: fixedValue(type, viewOf(bytes), at), next } : undefined;
}

function fixedValue(type: string, view: DataView, at: number): OscValue | undefined {
  switch (type) {
    case "i":
      return view.getInt32(at);
    case "f":
      return view.getFloat32(at);
    case "d":
      return view.getFloat64(at);
    case "h":
      return Number(view.getBigInt64(at));
    case "c":
      return String.fromCharCode(view.getInt32(at));
    case "r":
      return `#${(view.getUint32(at) >>> 8).toString(16).padStart(6, "0")}`;
    case "N":
      return undefined;
    default:
      return type !== "F"; // T, F, and I: a button without a state
  }
}

/** Reads text up to its zero byte, and the position after its padding. */
function readString(bytes: Uint8Array, from: number): { text: string; next: number } | undefined {
  const end = bytes.indexOf(0, from);
  if (end < 0) return undefined;
  const next = from + Math.ceil((end - from + 1) / 4) * 4;
  if (next > bytes.length) return undefined;
  for (let i = from; i < end; i++) if (bytes[i]! < 0x20 || bytes[i]! > 0x7e) return undefined;
  return { text: String.fromCharCode(...bytes.subarray(from, end)), next };
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
