import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";

/*
 * The lamps that come with the product are two files: `lamps.br`, their files as they came in blocks of about 400 KB, each
 * compressed by itself, and `index.br`, what is known of each without reading its file. `npm run pack:lamps` makes both.
 */

/** A fixture in the index. */
export interface PackedLamp {
  readonly key: string;
  readonly name: string;
  readonly manufacturer: string;
  readonly model: string;
  readonly type: string;
  readonly modes: readonly { readonly name: string; readonly channels: number }[];
  /** Location of its file: path, block, and bytes in the block. */
  readonly file: string;
  readonly block: number;
  readonly from: number;
  readonly to: number;
}

export interface LampIndex {
  /** Byte ranges in `lamps.br`. */
  readonly blocks: readonly { readonly from: number; readonly to: number }[];
  readonly lamps: readonly PackedLamp[];
}

/** A fixture and its definition file. */
export interface LampFile extends Omit<PackedLamp, "block" | "from" | "to"> {
  readonly bytes: Uint8Array;
}

/** Approximate size of a block before compression, bytes; reading a fixture decompresses one block. */
const BLOCK_BYTES = 400_000;

/** Packs files deterministically. */
export function packLamps(files: readonly LampFile[]): { readonly lamps: Buffer; readonly index: Buffer } {
  const blocks: { readonly from: number; readonly to: number }[] = [];
  const packed: Buffer[] = [];
  const lamps: PackedLamp[] = [];
  let open: Uint8Array[] = [];
  let size = 0;
  const close = () => {
    if (size === 0) return;
    const bytes = compress(Buffer.concat(open));
    const from = blocks.at(-1)?.to ?? 0;
    packed.push(bytes);
    blocks.push({ from, to: from + bytes.length });
    [open, size] = [[], 0];
  };
  for (const { bytes, ...lamp } of files) {
    lamps.push({ ...lamp, block: blocks.length, from: size, to: size + bytes.length });
    open.push(bytes);
    size += bytes.length;
    if (size >= BLOCK_BYTES) close();
  }
  close();
  return { lamps: Buffer.concat(packed), index: compress(Buffer.from(JSON.stringify({ blocks, lamps }))) };
}

export const readIndex = (packed: Uint8Array): LampIndex =>
  JSON.parse(brotliDecompressSync(packed).toString()) as LampIndex; // written by packLamps

/** Returns the file of a fixture. @param block its block of `lamps.br` */
export const fileIn = (block: Uint8Array, { from, to }: PackedLamp): Uint8Array =>
  new Uint8Array(brotliDecompressSync(block).subarray(from, to));

const compress = (bytes: Buffer): Buffer =>
  brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
