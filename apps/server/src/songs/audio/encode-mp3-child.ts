/**
 * A separate program, like ffmpeg: `encode-mp3-child.ts RATE` reads interleaved 32-bit floats, two channels, from stdin
 * and writes MP3 at 192 kbit/s to stdout. LAME is LGPL, so it runs in its own process.
 */
import { once } from "node:events";
import { createMp3Encoder } from "wasm-media-encoders";

const encoder = await createMp3Encoder();
encoder.configure({
  sampleRate: supportedRate(Number(process.argv[2])),
  channels: 2,
  bitrate: 192,
});

let rest = Buffer.alloc(0);
for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
  const bytes = Buffer.concat([rest, chunk]);
  const frames = Math.floor(bytes.length / 8);
  const left = new Float32Array(frames);
  const right = new Float32Array(frames);
  for (let i = 0; i < frames; i++) {
    left[i] = bytes.readFloatLE(i * 8);
    right[i] = bytes.readFloatLE(i * 8 + 4);
  }
  rest = bytes.subarray(frames * 8);
  if (frames > 0) await write(encoder.encode([left, right]));
}
await write(encoder.finalize());

/** Writes a copy of the bytes, because the encoder reuses its buffer. */
async function write(bytes: Uint8Array): Promise<void> {
  if (bytes.length > 0 && !process.stdout.write(bytes.slice())) await once(process.stdout, "drain");
}

function supportedRate(rate: number): 44_100 | 48_000 {
  if (rate !== 44_100 && rate !== 48_000) throw new RangeError(`sample rate ${rate} is not 44100 or 48000`);
  return rate;
}
