/**
 * A separate program, like ffmpeg: `decode-audio-child.ts FORMAT SECONDS FILE` writes the song as interleaved 32-bit
 * floats, 44.1 kHz, two channels, to stdout. A broken file only crashes this process.
 */
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { CANNOT_DECODE, DECODED_RATE } from "./decoded-sound.ts";
import { decodeElsewhere, type Block } from "./gpl-decoders.ts";
import { indexFirst } from "./mp4-boxes.ts";
import { Resampler } from "./resample.ts";
import { toStereo } from "./to-stereo.ts";

interface Codec {
  readonly decode: (bytes: Uint8Array) => Block | Promise<Block>;
  readonly flush?: () => Block | Promise<Block>;
}

/** Decoders with licenses that allow linking; the other formats are decoded by a separate program. */
const DECODERS: Readonly<Record<string, () => Promise<{ decoder(): Codec | Promise<Codec> }>>> = {
  mp3: () => import("@audio/decode-mp3"),
  flac: () => import("@audio/decode-flac"),
  ogg: () => import("@audio/decode-vorbis"),
  opus: () => import("@audio/decode-opus"),
  wav: () => import("@audio/decode-wav"),
  aiff: () => import("@audio/decode-aiff"),
};
/** Bytes per call. 14 bytes of FLAC may contain 1.5 s: 64 kB of it would become gigabytes. */
const FLAC_BLOCK_BYTES = 4096;
const BLOCK_BYTES = 65_536;

const [format = "", seconds = "0", path = ""] = process.argv.slice(2);
const limit = Number(seconds) * DECODED_RATE;
let written = 0;
let resamplers: [Resampler, Resampler] | undefined;

try {
  await decodeFile();
} catch (error) {
  // The file's fault; the exit code distinguishes it from a failure of this program.
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = CANNOT_DECODE;
}

async function decodeFile(): Promise<void> {
  const highWaterMark = format === "flac" ? FLAC_BLOCK_BYTES : BLOCK_BYTES;
  const source = format === "m4a" ? indexFirst(path) : createReadStream(path, { highWaterMark });
  for await (const { channelData, sampleRate } of blocksOf(source)) {
    const [left, right] = toStereo(channelData);
    // A decoder may return the whole song at once: an hour must not be copied in one piece.
    for (let at = 0; at < left.length && written < limit; at += 262_144) {
      const l = left.subarray(at, at + 262_144);
      const r = right.subarray(at, at + 262_144);
      if (sampleRate === DECODED_RATE) await write(l, r);
      else {
        resamplers ??= [new Resampler(sampleRate, DECODED_RATE), new Resampler(sampleRate, DECODED_RATE)];
        await write(resamplers[0].push(l), resamplers[1].push(r));
      }
    }
    if (written >= limit) break;
  }
  if (resamplers && written < limit) await write(resamplers[0].finish(), resamplers[1].finish());
}

async function* blocksOf(source: AsyncIterable<Uint8Array>): AsyncIterable<Block> {
  const load = DECODERS[format];
  if (!load) return yield* decodeElsewhere(format, source);
  const codec = await (await load()).decoder();
  for await (const bytes of source) yield await codec.decode(bytes);
  if (codec.flush) yield await codec.flush();
}

async function write(left: Float32Array, right: Float32Array): Promise<void> {
  const count = Math.min(left.length, limit - written);
  const frames = new Float32Array(2 * count);
  for (let i = 0; i < count; i++) {
    frames[2 * i] = left[i]!;
    frames[2 * i + 1] = right[i]!;
  }
  written += count;
  if (!process.stdout.write(new Uint8Array(frames.buffer))) await once(process.stdout, "drain");
}
