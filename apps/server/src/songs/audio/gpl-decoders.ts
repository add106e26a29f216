import { spawn } from "node:child_process";
import { once } from "node:events";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";

/** Output block of a decoder: samples per channel, at the file's own rate. */
export interface Block {
  readonly channelData: Float32Array[];
  readonly sampleRate: number;
}

/** Sample rate, channels and frames, 32 bits each. */
const HEAD_BYTES = 12;

/**
 * Decodes with the program of `programs/gpl-decoders`: its decoders are under the GPL, so they run as a program and are
 * not linked. It belongs to our process group, ends with this process, and inherits our environment, which is a plain
 * one.
 *
 * @throws Error if it cannot decode the file; its error output is on stderr
 */
export async function* decodeElsewhere(format: string, source: AsyncIterable<Uint8Array>): AsyncGenerator<Block> {
  const program = fileURLToPath(import.meta.resolve("@followspot/gpl-decoders/decode.mjs"));
  const child = spawn(process.execPath, [program, format], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "close");
  // A program that ends early breaks the pipe; its exit code gives the reason.
  void pipeline(source, child.stdin).catch(() => undefined);
  try {
    yield* readBlocks(child.stdout);
    const [code] = await ended;
    if (code !== 0) throw new Error(`the decoder of ${format} ended with exit code ${code}`);
  } finally {
    child.kill("SIGKILL"); // a reader that stops early does not wait for the rest
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

/** Parses the block at the start; undefined until it is complete. */
function blockAt(bytes: Buffer): { readonly block: Block; readonly bytes: number } | undefined {
  if (bytes.length < HEAD_BYTES) return undefined;
  const [sampleRate, channels, frames] = [bytes.readUInt32LE(0), bytes.readUInt32LE(4), bytes.readUInt32LE(8)];
  const length = HEAD_BYTES + 4 * channels * frames;
  if (bytes.length < length) return undefined;
  // A copy, so that 32-bit floats are aligned.
  const samples = new Float32Array(new Uint8Array(bytes.subarray(HEAD_BYTES, length)).buffer);
  const channelData = Array.from({ length: channels }, (_, i) => samples.subarray(i * frames, (i + 1) * frames));
  return { block: { channelData, sampleRate }, bytes: length };
}
