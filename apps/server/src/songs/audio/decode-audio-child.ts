/**
 * A separate program, like ffmpeg: `decode-audio-child.ts FORMAT SECONDS FILE` writes the song as interleaved 32-bit
 * floats, 44.1 kHz, two channels, to stdout. A broken file only crashes this process.
 */
import { once } from "node:events";
import { CANNOT_DECODE, DECODED_RATE } from "./decoded-sound.ts";
import { decodeElsewhere, type Block } from "./gpl-decoders.ts";
import { openSound } from "./open-sound.ts";
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
  const { codec, source, droppedAt } = await openSound(format, path);
  let isBegun = false;
  for await (const { channelData, sampleRate } of blocksOf(codec, source)) {
    if (channelData.length === 0) continue;
    const lead = isBegun ? 0 : (droppedAt?.(sampleRate) ?? 0);
    isBegun = true;
    const [left, right] = toStereo(lead > 0 ? channelData.map((samples) => withSilence(lead, samples)) : channelData);
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

async function* blocksOf(codecName: string, source: AsyncIterable<Uint8Array>): AsyncIterable<Block> {
  const load = DECODERS[codecName];
  if (!load) return yield* decodeElsewhere(codecName, source);
  const codec = await (await load()).decoder();
  for await (const bytes of source) yield await codec.decode(plain(bytes));
  if (codec.flush) yield await codec.flush();
}

function withSilence(count: number, samples: Float32Array): Float32Array {
  const longer = new Float32Array(count + samples.length);
  longer.set(samples, count);
  return longer;
}

/** Returns a view that is no Buffer: decoders copy with `slice`, which copies nothing of a Buffer. */
function plain({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
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
