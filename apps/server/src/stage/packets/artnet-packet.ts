/** Art-Net 4 packets. Layouts after "Art-Net 4 Protocol Release V1.4", Artistic Licence. */

const HEADER_BYTES = 18;
const PROTOCOL_VERSION = 14;
export const OP_DMX = 0x5000;
const OP_SYNC = 0x5200;

/** An ArtDmx packet whose slots and sequence are written in place, frame after frame. */
export class ArtDmxPacket {
  readonly bytes: Buffer;
  readonly slots: Uint8Array;
  #sequence = 0;

  /**
   * @param portAddress Net << 8 | Sub-Net << 4 | Universe, 0..32767
   * @param slotCount even, 2..512
   */
  constructor(portAddress: number, slotCount = 512) {
    if (!Number.isInteger(portAddress) || portAddress < 0 || portAddress > 32767) {
      throw new RangeError(`Art-Net port address ${portAddress} is not in 0..32767`);
    }
    this.bytes = Buffer.alloc(HEADER_BYTES + slotCount);
    writeHead(this.bytes, OP_DMX);
    this.bytes[14] = portAddress & 255;
    this.bytes[15] = portAddress >> 8;
    this.bytes.writeUInt16BE(slotCount, 16);
    this.slots = this.bytes.subarray(HEADER_BYTES);
  }

  /** Advances the sequence: 1..255; zero is skipped because it disables sequencing. */
  next(): Buffer {
    this.#sequence = this.#sequence >= 255 ? 1 : this.#sequence + 1;
    this.bytes[12] = this.#sequence;
    return this.bytes;
  }
}

/** Creates the packet that follows all ArtDmx of a tick, so that nodes show their universes together. */
export function artSyncPacket(): Buffer {
  const bytes = Buffer.alloc(14);
  writeHead(bytes, OP_SYNC);
  return bytes;
}

export function writeHead(bytes: Buffer, opCode: number): void {
  bytes.write("Art-Net\0", 0, "latin1");
  bytes.writeUInt16LE(opCode, 8);
  bytes.writeUInt16BE(PROTOCOL_VERSION, 10);
}
