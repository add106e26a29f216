import { spawn } from "node:child_process";
import { once } from "node:events";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";

/** What a decoder hands over at a time: samples by channel, at the file's own rate. */
export interface Block {
  readonly channelData: Float32Array[];
  readonly sampleRate: number;
}

/** Sample rate, channels and frames, each of 32 bits. */
const HEAD_BYTES = 12;

/**
 * Decodes by the program of `programs/gpl-decoders`: its decoders are under the GPL, so we start them and link none.
 * It is of our process group, ends with us, and sees our environment, which is a plain one.
 *
 * @throws Error when it cannot decode the file; its words are on stderr
 */
export async function* decodeElsewhere(format: string, source: AsyncIterable<Uint8Array>): AsyncGenerator<Block> {
  const program = fileURLToPath(import.meta.resolve("@followspot/gpl-decoders/decode.mjs"));
  const child = spawn(process.execPath, [program, format], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "close");
  // A program that ends early breaks the pipe; its exit code tells why.
  void pipeline(source, child.stdin).catch(() => undefined);
  try {
    yield* readBlocks(child.stdout);
    const [code] = await ended;
    if (code !== 0) throw new Error(`the decoder of ${format} ended with exit code ${code}`);
  } finally {
    child.kill("SIGKILL"); // who has heard enough does not wait for the rest
  }
}

async function* readBlocks(bytes: AsyncIterable<Buffer>): AsyncGenerator<Block> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    rest = Buffer.concat([rest, chunk]);
    for (let block = blockAt(rest); block; block = blockAt(rest)) {
      yield block.block;
      rest = rest.subarray(block.bytes);
    }
  }
}

/** The block at the start; undefined until all of it is there. */
function blockAt(bytes: Buffer): { readonly block: Block; readonly bytes: number } | undefined {
  if (bytes.length < HEAD_BYTES) return undefined;
  const [sampleRate, channels, frames] = [bytes.readUInt32LE(0), bytes.readUInt32LE(4), bytes.readUInt32LE(8)];
  const length = HEAD_BYTES + 4 * channels * frames;
  if (bytes.length < length) return undefined;
  // A copy lies where 32-bit floats may lie.
  const samples = new Float32Array(new Uint8Array(bytes.subarray(HEAD_BYTES, length)).buffer);
  const channelData = Array.from({ length: channels }, (_, i) => samples.subarray(i * frames, (i + 1) * frames));
  return { block: { channelData, sampleRate }, bytes: length };
}
