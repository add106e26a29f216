/** ANSI E1.31-2018 (streaming ACN) packets. */

const HEADER_BYTES = 126;
const SYNC_BYTES = 49;
const NAME_BYTES = 64;
const TERMINATED = 0x40;

export interface SacnSource {
  /** 16 octets, the same for every universe and every start of this installation. */
  readonly cid: Uint8Array;
  readonly name: string;
  /** 0..200; a hot standby sends with a lower one. */
  readonly priority?: number;
}

/** An E1.31 data packet whose slots, sequence and options are written in place. */
export class SacnDataPacket {
  readonly bytes: Buffer;
  readonly slots: Uint8Array;
  #sequence = 255;

  /** @param universe 1..63999 @param syncUniverse 0 = frames are shown on arrival */
  constructor(source: SacnSource, universe: number, syncUniverse = 0, slotCount = 512) {
    if (!Number.isInteger(universe) || universe < 1 || universe > 63999) {
      throw new RangeError(`sACN universe ${universe} is not in 1..63999`);
    }
    const total = HEADER_BYTES + slotCount;
    const bytes = Buffer.alloc(total);
    writeRoot(bytes, source.cid, 0x00000004);
    writeLength(bytes, 38);
    bytes.writeUInt32BE(0x00000002, 40);
    bytes.set(sourceName(source.name), 44);
    bytes[108] = source.priority ?? 100;
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

  setSyncUniverse(universe: number): void {
    this.bytes.writeUInt16BE(universe, 109);
  }

  next(): Buffer {
    this.#sequence = (this.#sequence + 1) & 255;
    this.bytes[111] = this.#sequence;
    return this.bytes;
  }

  /** The same packet saying that this stream ends; sent three times (E1.31 §6.2.6). */
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
    writeRoot(bytes, source.cid, 0x00000008);
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

/** At most 63 UTF-8 octets and a zero, cut between characters. */
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

/** Flags 0x7 and the length from here to the end of the packet. */
function writeLength(bytes: Buffer, at: number): void {
  bytes.writeUInt16BE(0x7000 | (bytes.length - at), at);
}
