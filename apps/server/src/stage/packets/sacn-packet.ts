import { UNIVERSE_SLOTS } from "@followspot/contract";
import { plainText } from "./plain-text.ts";

/** ANSI E1.31-2018 (streaming ACN) packets. */

const HEADER_BYTES = 126;
const SYNC_BYTES = 49;
const NAME_BYTES = 64;
const TERMINATED = 0x40;
/** Marks data of visualizers and blind mode, which receivers must not show. */
const PREVIEW = 0x80;
const VECTOR_DATA = 0x00000004;
const VECTOR_EXTENDED = 0x00000008;
/** Universe of the discovery packets, which list the universes of a source. */
export const DISCOVERY_UNIVERSE = 64_214;
const DISCOVERY_HEADER_BYTES = 120;
const UNIVERSES_PER_PAGE = 512;
export const DEFAULT_PRIORITY = 100;

export interface SacnSource {
  /** 16 octets, the same for every universe and every start of this installation. */
  readonly cid: Uint8Array;
  readonly name: string;
}

/** An E1.31 data packet whose slots, sequence and options are written in place. */
export class SacnDataPacket {
  readonly bytes: Buffer;
  readonly slots: Uint8Array;
  #sequence = 255;

  /** @param universe 1..63999 @param syncUniverse 0 = frames are shown on arrival */
  constructor(source: SacnSource, universe: number, syncUniverse = 0, slotCount = UNIVERSE_SLOTS) {
    if (!Number.isInteger(universe) || universe < 1 || universe > 63999) {
      throw new RangeError(`sACN universe ${universe} is not in 1..63999`);
    }
    const total = HEADER_BYTES + slotCount;
    const bytes = Buffer.alloc(total);
    writeRoot(bytes, source.cid, VECTOR_DATA);
    writeLength(bytes, 38);
    bytes.writeUInt32BE(0x00000002, 40);
    bytes.set(sourceName(source.name), 44);
    bytes[108] = DEFAULT_PRIORITY;
    bytes.writeUInt16BE(syncUniverse, 109);
    bytes.writeUInt16BE(universe, 113);
    writeLength(bytes, 115);
    bytes[117] = 0x02;
    bytes[118] = 0xa1;
    bytes.writeUInt16BE(0x0000, 119);
    bytes.writeUInt16BE(0x0001, 121);
    bytes.writeUInt16BE(slotCount + 1, 123);
    this.bytes = bytes;
    this.slots = bytes.subarray(HEADER_BYTES);
  }

  /** Sets the priority, 0..200; of two sources of a universe receivers show the higher one. */
  setPriority(priority: number): void {
    this.bytes[108] = priority;
  }

  setSyncUniverse(universe: number): void {
    this.bytes.writeUInt16BE(universe, 109);
  }

  next(): Buffer {
    this.#sequence = (this.#sequence + 1) & 255;
    this.bytes[111] = this.#sequence;
    return this.bytes;
  }

  /** Returns the packet with the flag that ends the stream; sent three times (E1.31 §6.2.6). */
  nextTerminated(): Buffer {
    this.bytes[112] = TERMINATED;
    return this.next();
  }
}

/** The synchronization packet: receivers show all universes that name its address. */
export class SacnSyncPacket {
  readonly bytes: Buffer;
  #sequence = 255;

  constructor(source: SacnSource, syncUniverse: number) {
    const bytes = Buffer.alloc(SYNC_BYTES);
    writeRoot(bytes, source.cid, VECTOR_EXTENDED);
    writeLength(bytes, 38);
    bytes.writeUInt32BE(0x00000001, 40);
    bytes.writeUInt16BE(syncUniverse, 45);
    this.bytes = bytes;
  }

  next(): Buffer {
    this.#sequence = (this.#sequence + 1) & 255;
    this.bytes[44] = this.#sequence;
    return this.bytes;
  }
}

/** Creates the universe discovery: pages that list all universes of a source (E1.31 §8). @param universes ascending */
export function sacnDiscoveryPackets(source: SacnSource, universes: readonly number[]): Buffer[] {
  const lastPage = Math.max(0, Math.ceil(universes.length / UNIVERSES_PER_PAGE) - 1);
  return Array.from({ length: lastPage + 1 }, (_, page) => {
    const listed = universes.slice(page * UNIVERSES_PER_PAGE, (page + 1) * UNIVERSES_PER_PAGE);
    const bytes = Buffer.alloc(DISCOVERY_HEADER_BYTES + 2 * listed.length);
    writeRoot(bytes, source.cid, VECTOR_EXTENDED);
    writeLength(bytes, 38);
    bytes.writeUInt32BE(0x00000002, 40);
    bytes.set(sourceName(source.name), 44);
    writeLength(bytes, 112);
    bytes.writeUInt32BE(0x00000001, 114);
    bytes[118] = page;
    bytes[119] = lastPage;
    for (const [i, universe] of listed.entries()) bytes.writeUInt16BE(universe, DISCOVERY_HEADER_BYTES + 2 * i);
    return bytes;
  });
}

/** Source of a received sACN packet. */
export interface HeardSacn {
  /** As hex. */
  readonly cid: string;
  readonly name: string;
  /** Universes it sends; for a data packet only its own. */
  readonly universes: readonly number[];
  /** Undefined for a discovery packet. */
  readonly priority: number | undefined;
  readonly isTerminated: boolean;
}

/** Parses any bytes; undefined for anything but dimmer data that receivers show, and universe discovery. */
export function readSacn(bytes: Buffer): HeardSacn | undefined {
  if (bytes.length < DISCOVERY_HEADER_BYTES || bytes.toString("latin1", 4, 16) !== "ASC-E1.17\0\0\0") return undefined;
  const source = { cid: bytes.toString("hex", 22, 38), name: nameIn(bytes.subarray(44, 44 + NAME_BYTES)) };
  const [root, framing] = [bytes.readUInt32BE(18), bytes.readUInt32BE(40)];
  if (root === VECTOR_DATA && framing === 2 && bytes.length >= HEADER_BYTES && bytes[125] === 0) {
    if ((bytes[112]! & PREVIEW) !== 0) return undefined;
    const isTerminated = (bytes[112]! & TERMINATED) !== 0;
    return { ...source, universes: [bytes.readUInt16BE(113)], priority: bytes[108]!, isTerminated };
  }
  if (root !== VECTOR_EXTENDED || framing !== 2) return undefined;
  const count = Math.min(UNIVERSES_PER_PAGE, Math.floor((bytes.length - DISCOVERY_HEADER_BYTES) / 2));
  const universes = Array.from({ length: count }, (_, i) => bytes.readUInt16BE(DISCOVERY_HEADER_BYTES + 2 * i));
  return { ...source, universes, priority: undefined, isTerminated: false };
}

/** Reads text up to the first zero, without control characters. */
function nameIn(field: Uint8Array): string {
  const end = field.indexOf(0);
  const text = new TextDecoder().decode(end < 0 ? field : field.subarray(0, end));
  return plainText(text);
}

/** Encodes a name as at most 63 UTF-8 octets and a zero, cut between characters. */
export function sourceName(name: string): Uint8Array {
  const field = new Uint8Array(NAME_BYTES);
  new TextEncoder().encodeInto(name, field.subarray(0, NAME_BYTES - 1));
  return field;
}

function writeRoot(bytes: Buffer, cid: Uint8Array, vector: number): void {
  if (cid.length !== 16) throw new RangeError(`sACN CID has ${cid.length} octets, not 16`);
  bytes.writeUInt16BE(0x0010, 0);
  bytes.writeUInt16BE(0x0000, 2);
  bytes.write("ASC-E1.17\0\0\0", 4, "latin1");
  writeLength(bytes, 16);
  bytes.writeUInt32BE(vector, 18);
  bytes.set(cid, 22);
}

/** Writes flags 0x7 and the length from here to the end of the packet. */
function writeLength(bytes: Buffer, at: number): void {
  bytes.writeUInt16BE(0x7000 | (bytes.length - at), at);
}
