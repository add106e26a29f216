// Copyright the Followspot authors. GNU General Public License, version 2 or later; see COPYING.
// A program of its own: decodes stdin and writes blocks of samples to stdout, as README.md says.
import { once } from "node:events";

const CANNOT_DECODE = 65;
const BLOCK_FRAMES = 65_536;
const LOADERS = {
  aac: () => import("@audio/decode-aac"),
  m4a: () => import("@audio/decode-mp4"),
  webm: () => import("@audio/decode-webm"),
};

try {
  await decodeAll(LOADERS[process.argv[2]]);
} catch (error) {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = CANNOT_DECODE;
}

async function decodeAll(load) {
  if (!load) throw new RangeError(`no decoder for ${process.argv[2]}`);
  const decoder = await (await load()).decoder();
  for await (const bytes of process.stdin) await write(await decoder.decode(bytes));
  await write(await decoder.flush());
}

/** Blocks of a bounded size: a decoder may hand over the whole song at once. */
async function write({ channelData, sampleRate }) {
  const frames = channelData[0]?.length ?? 0;
  for (let at = 0; at < frames; at += BLOCK_FRAMES) {
    const parts = channelData.map((samples) => samples.subarray(at, at + BLOCK_FRAMES));
    await send(Uint32Array.of(sampleRate, parts.length, parts[0].length));
    for (const part of parts) await send(part);
  }
}

async function send({ buffer, byteOffset, byteLength }) {
  // A copy: the decoder uses its memory again.
  const bytes = new Uint8Array(buffer, byteOffset, byteLength).slice();
  if (!process.stdout.write(bytes)) await once(process.stdout, "drain");
}
