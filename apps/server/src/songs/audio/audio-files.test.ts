import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createOggEncoder } from "wasm-media-encoders";
import { songAnalysisSchema } from "@followspot/contract";
import { analyseFile } from "./analyse-file.ts";
import { AudioError } from "./audio-error.ts";
import { decodeAudio } from "./decode-audio.ts";
import { encodeMp3 } from "./encode-mp3.ts";
import { findOnPath } from "../../platform/process/programs.ts";
import { sniffAudio } from "./sniff-audio.ts";
import { flac, m4a, NAN_WAV, PNG } from "../../testing/audio-files.ts";
import { folderUntil } from "../../testing/open-until.ts";

const folder = await folderUntil(afterAll);

interface Wav {
  readonly rate: number;
  readonly channels: number;
  readonly bits: 16 | 24;
}

/** Creates a WAV file. @param level sample at (seconds, channel), -1..1 */
function wav({ rate, channels, bits }: Wav, seconds: number, level: (t: number, channel: number) => number): Buffer {
  const width = bits / 8;
  const frames = Math.round(seconds * rate);
  const bytes = Buffer.alloc(44 + frames * channels * width);
  bytes.write("RIFF", 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write("WAVEfmt ", 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(channels, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(rate * channels * width, 28);
  bytes.writeUInt16LE(channels * width, 32);
  bytes.writeUInt16LE(bits, 34);
  bytes.write("data", 36);
  bytes.writeUInt32LE(frames * channels * width, 40);
  for (let i = 0; i < frames * channels; i++) {
    const value = Math.round(level(Math.floor(i / channels) / rate, i % channels) * (2 ** (bits - 1) - 1));
    bytes.writeIntLE(value, 44 + i * width, width);
  }
  return bytes;
}

const CD: Wav = { rate: 44_100, channels: 2, bits: 16 };
const sine = (hz: number) => (t: number) => 0.5 * Math.sin(2 * Math.PI * hz * t);
const pulse = (t: number) => (t % 0.5 < 0.02 ? 0.6 * Math.sin(9000 * t) : 0);

async function save(name: string, bytes: Uint8Array | string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

describe("decoding", () => {
  test.each([
    { rate: 96_000, channels: 2, bits: 24 },
    { rate: 8_000, channels: 1, bits: 16 },
    { rate: 48_000, channels: 1, bits: 16 },
  ] as const)(
    "a WAV of $bits bits at $rate Hz becomes 44.1 kHz stereo of the same length and level",
    async (format) => {
      const { left, right, seconds } = await decodeAudio(await save("a.wav", wav(format, 2, sine(440))));
      expect(seconds).toBeCloseTo(2, 2);
      const middle = [...left.subarray(22_050, 66_150)];
      expect(Math.max(...middle)).toBeCloseTo(0.5, 2);
      expect(right[40_000]).toBeCloseTo(left[40_000]!, 5);
    },
  );

  test("text named .mp3 is refused with a message for users", async () => {
    const failure = await decodeAudio(await save("text.mp3", "This is no song.".repeat(500))).catch((e: unknown) => e);
    expect(failure).toBeInstanceOf(AudioError);
    expect(failure).toMatchObject({ code: "unreadable" });
    expect(String((failure as AudioError).message)).not.toContain(folder);
  });

  test("an empty file is refused as one without audio, and a missing one as missing", async () => {
    await expect(decodeAudio(await save("empty.wav", ""))).rejects.toMatchObject({ code: "unreadable" });
    await expect(decodeAudio(join(folder, "none.wav"))).rejects.toMatchObject({ code: "missing" });
  });

  test("half a file is read and reported as truncated", async () => {
    const whole = wav(CD, TONE_SECONDS, sine(200));
    const { seconds, warnings } = await decodeAudio(await save("half.wav", whole.subarray(0, whole.length / 2)));
    expect(seconds).toBeCloseTo(TONE_SECONDS / 2, 1);
    expect(warnings).toEqual(["truncated"]);
  });

  test("three seconds are accepted with a warning, half a second is refused", async () => {
    expect((await decodeAudio(await save("short.wav", wav(CD, 3, sine(200))))).warnings).toEqual(["short"]);
    await expect(decodeAudio(await save("tiny.wav", wav(CD, 0.5, sine(200))))).rejects.toMatchObject({
      code: "too_short",
    });
  });

  test("a file longer than allowed is refused", async () => {
    const path = await save("long.wav", wav(CD, 4, sine(200)));
    await expect(decodeAudio(path, { maxSeconds: 2 })).rejects.toMatchObject({ code: "too_long" });
  });

  test("a canceled decode ends as canceled", async () => {
    const path = await save("cancel.wav", wav(CD, 4, sine(200)));
    await expect(decodeAudio(path, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "cancelled",
    });
  });
});

/** Both decoders, if this machine has ffmpeg. */
const FFMPEG = await findOnPath("ffmpeg");
const DECODERS = [
  { by: "the built-in decoders", ffmpeg: undefined },
  ...(FFMPEG ? [{ by: "ffmpeg", ffmpeg: FFMPEG }] : []),
];

/** Length of the tone, s: its half is long enough to be played, its tenth is not. */
const TONE_SECONDS = 14;
const tone = Float32Array.from({ length: TONE_SECONDS * 44_100 }, (_, n) => sine(440)(n / 44_100));

/** Calls a function once and returns its result again. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** The tone in each format. */
const mp3 = once(async () => {
  const path = join(folder, "tone-of-all.mp3");
  await encodeMp3({ left: tone, right: tone }, path, { sampleRate: 44_100, attempt: "test-2" });
  return readFile(path);
});
const ogg = once(async () => {
  const encoder = await createOggEncoder();
  encoder.configure({ sampleRate: 44_100, channels: 1, vbrQuality: 1 });
  const pages: Uint8Array[] = [];
  for (let at = 0; at < tone.length; at += 44_100) pages.push(encoder.encode([tone.subarray(at, at + 44_100)]).slice());
  return Buffer.concat([...pages, encoder.finalize().slice()]);
});
const flacTone = once(() => flac(tone));
const wavTone = once(() => wav(CD, TONE_SECONDS, sine(440)));
const m4aFront = once(() => m4a(tone, "front"));
const m4aEnd = once(() => m4a(tone, "end"));

describe.each(DECODERS)("broken files, read by $by", ({ ffmpeg }) => {
  test.each([
    ["whole.mp3", mp3],
    ["whole.ogg", ogg],
    ["whole.flac", flacTone],
    ["whole.wav", wavTone],
    ["index-in-front.m4a", m4aFront],
    ["index-at-the-end.m4a", m4aEnd],
  ])("%s decodes completely; half of it is reported as truncated, a tenth of it is refused", async (name, make) => {
    const whole = await make();
    const { seconds, warnings, left } = await decodeAudio(await save(name, whole), { ffmpeg });
    expect(seconds).toBeCloseTo(TONE_SECONDS, 0);
    expect(warnings).toEqual([]);
    expect(Math.max(...left.subarray(441_000, 442_000))).toBeCloseTo(0.5, 1);

    const half = decodeAudio(await save(`half-${name}`, whole.subarray(0, whole.length / 2 + 5)), { ffmpeg });
    if (name === "index-at-the-end.m4a") await expect(half).rejects.toMatchObject({ code: "cut_short" });
    else {
      expect((await half).warnings).toEqual(["truncated"]);
      expect((await half).seconds).toBeGreaterThan(0.38 * TONE_SECONDS);
    }
    const tenth = decodeAudio(await save(`tenth-${name}`, whole.subarray(0, whole.length / 10 + 5)), { ffmpeg });
    await expect(tenth).rejects.toMatchObject({ code: "cut_short" });
  });

  test.each([
    ["a picture named .mp3", "picture.mp3", PNG],
    ["a WAV of nothing but NaN", "nan.wav", NAN_WAV],
    ["a WAV without samples", "none.wav", wav(CD, 0, sine(1))],
    ["text that calls itself MP4", "text.m4a", Buffer.from(`\0\0\0\x18ftypM4A ${"not a box ".repeat(50)}`)],
  ])("%s is unreadable", async (_, name, bytes) => {
    await expect(decodeAudio(await save(name, bytes), { ffmpeg })).rejects.toMatchObject({ code: "unreadable" });
  });

  test.each([
    [1, 0.4, 0.4],
    [2, 0.4, 0.2],
    [3, 0.45, 0.25],
    [6, 0.6, 0.4],
  ])("%i channels are mixed to two at the same levels by either decoder", async (channels, l, r) => {
    const level = (_: number, channel: number) => [0.4, 0.2][channel] ?? 0.1;
    const path = await save("channels.wav", wav({ ...CD, channels }, 2, level));
    const { left, right } = await decodeAudio(path, { ffmpeg });
    expect(left[44_100]).toBeCloseTo(l, 2);
    expect(right[44_100]).toBeCloseTo(r, 2);
  });

  // kept: Songs and jobs | A file of ten hours was decoded for minutes before it was refused as too long | failed on
  // the old code
  test.each<[name: string, make: () => Buffer | Promise<Buffer>]>([
    ["long.flac", flacTone],
    ["long.wav", wavTone],
    ["long-front.m4a", m4aFront],
    ["long-end.m4a", m4aEnd],
    ["long.mp3", async () => withXing(await mp3(), TONE_SECONDS)],
  ])("%s declares that it is too long, so none of it is decoded", async (name, make) => {
    let blocks = 0;
    const path = await save(name, await make());
    const reading = decodeAudio(path, { ffmpeg, maxSeconds: 10, onSamples: () => void blocks++ });
    await expect(reading).rejects.toMatchObject({ code: "too_long" });
    expect(blocks).toBe(0);
    expect((await decodeAudio(path, { ffmpeg })).seconds).toBeCloseTo(TONE_SECONDS, 0);
  });

  test("a WAV that declares hours is as long as its actual data", async () => {
    const claims = Buffer.from(wavTone());
    claims.writeUInt32LE(0x7fff_f000, 40);
    const { seconds, warnings } = await decodeAudio(await save("claims.wav", claims), { ffmpeg });
    expect(seconds).toBeCloseTo(TONE_SECONDS, 0);
    expect(warnings).toEqual(["truncated"]);
  });

  test("64 kB of FLAC with ten hours of undeclared length are too long, and stopped at the limit", async () => {
    const bomb = flac({ seconds: 36_000, rate: 8000 });
    expect(bomb.length).toBeLessThan(66_000);
    bomb.writeUInt32BE(0, 22);
    let decoded = 0;
    const reading = decodeAudio(await save("bomb.flac", bomb), {
      ffmpeg,
      maxSeconds: 60,
      onSamples: (left) => void (decoded += left.length / 44_100),
    });
    await expect(reading).rejects.toMatchObject({ code: "too_long" });
    expect(decoded).toBeLessThan(62);
  });
});

/** Prepends a frame that declares the length of an MP3. */
function withXing(sound: Buffer, seconds: number): Buffer {
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0x64]); // MPEG-1 layer III, 128 kbit/s, 44.1 kHz, two channels
  frame.write("Xing", 36);
  frame.writeUInt32BE(1, 40);
  frame.writeUInt32BE(Math.round((seconds * 44_100) / 1152), 44);
  return Buffer.concat([frame, sound]);
}

test("a song encoded as MP3 decodes to the same tone", async () => {
  const left = Float32Array.from({ length: 132_300 }, (_, n) => sine(500)(n / 44_100));
  const path = join(folder, "tone.mp3");
  await encodeMp3({ left, right: left }, path, { sampleRate: 44_100, attempt: "test-1" });
  const decoded = await decodeAudio(path);
  expect(sniffAudio(await readFile(path))).toBe("mp3");
  expect(decoded.seconds).toBeGreaterThan(2.9);
  expect(Math.max(...decoded.left.subarray(44_100, 88_200))).toBeCloseTo(0.5, 1);
  expect((await readdir(folder)).filter((name) => name.includes(".tmp-"))).toEqual([]);
});

describe("the analysis of a file", () => {
  test("writes hybrid.json and four complete stems to the folder", async () => {
    const outDir = join(folder, "song");
    const path = await save("song.wav", wav(CD, 8, pulse));
    await analyseFile({ path, outDir, songId: "s1", attempt: "job-1", stems: true });
    const names = (await readdir(outDir)).sort();
    expect(names).toEqual(["bass.mp3", "drums.mp3", "hybrid.json", "other.mp3", "vocals.mp3"]);
    const written = songAnalysisSchema.parse(JSON.parse(await readFile(join(outDir, "hybrid.json"), "utf8")));
    expect(written.song_id).toBe("s1");
    expect(Math.abs(written.tempo - 120)).toBeLessThan(1);
  });

  test("warns about a silent file", async () => {
    const path = await save(
      "silent.wav",
      wav(CD, 8, () => 0),
    );
    const { warnings } = await analyseFile({ path, songId: "s2", attempt: "job-2", stems: false });
    expect(warnings).toContain("silent");
  });

  test("leaves no files if the file cannot be read", async () => {
    const outDir = join(folder, "broken");
    const path = await save("broken.ogg", "nothing");
    await expect(analyseFile({ path, outDir, songId: "s3", attempt: "job-3", stems: true })).rejects.toBeInstanceOf(
      AudioError,
    );
    expect(await readdir(outDir)).toEqual([]);
  });
});
