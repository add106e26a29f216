import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFfmpeg, type ProgramReport } from "../../platform/process/programs.ts";
import type { Settings } from "../../platform/settings.ts";
import { askProgram } from "./ask-program.ts";
import { AudioError } from "./audio-error.ts";
import { ffmpegDecoder, listen, type Heard } from "./decode-programs.ts";
import { DECODED_RATE } from "./decoded-sound.ts";
import { encodeMp3 } from "./encode-mp3.ts";
import { wavFile } from "./wav.ts";

/** Length of the test sound, seconds. */
const TRIED_SECONDS = 0.5;
const TRY_MS = 5000;

/**
 * Tests ffmpeg on a short sound: it must start, decode all of it and write MP3.
 * @returns undefined if there is none and none is configured
 */
export async function tryFfmpeg(settings: Settings, { timeoutMs = TRY_MS } = {}): Promise<ProgramReport | undefined> {
  const path = await findFfmpeg(settings);
  if (path === undefined) return undefined;
  const asked = await askProgram(path, ["-version"], timeoutMs, {});
  const version = "text" in asked ? (/^ffmpeg version (\S+)/.exec(asked.text)?.[1] ?? "") : "";
  const fault = "fault" in asked ? asked.fault : await faultOnSound(path, settings.FOLLOWSPOT_DATA_DIR, timeoutMs);
  const remedy = settings.FOLLOWSPOT_FFMPEG ? "; correct FOLLOWSPOT_FFMPEG or take it away" : "";
  const why = fault ? `${fault}${remedy}; the built-in decoders and encoder are used instead` : "";
  return { name: "ffmpeg", path, version, works: fault === undefined, why };
}

/** @param dataDir where programs without our rights may be given a folder; it may not exist yet */
async function faultOnSound(ffmpeg: string, dataDir: string, timeoutMs: number): Promise<string | undefined> {
  const folder = await mkdtemp(join(dataDir, "try-")).catch(() => mkdtemp(join(tmpdir(), "followspot-try-")));
  try {
    const tone = Float32Array.from({ length: TRIED_SECONDS * DECODED_RATE }, (_, n) => 0.5 * Math.sin(n / 10));
    const source = join(folder, "tone.wav");
    await writeFile(source, wavFile(tone, tone, DECODED_RATE));
    const heard: Heard = { samples: 0, isSound: false };
    const decoder = ffmpegDecoder(ffmpeg, source, 2 * TRIED_SECONDS, {
      timeoutMs: 2 * timeoutMs,
      silenceMs: timeoutMs,
    });
    const failure = await listen(decoder, heard, () => undefined);
    if (failure) return failure.why;
    if (heard.samples < 0.9 * tone.length || !heard.isSound) return "it does not decode a short sound";
    const pcm = { left: tone, right: tone };
    const encoding = { sampleRate: DECODED_RATE, attempt: "try", ffmpeg, timeoutMs };
    await encodeMp3(pcm, join(folder, "tone.mp3"), encoding);
    return undefined;
  } catch (error) {
    if (!(error instanceof AudioError)) throw error;
    return error.code === "encoder_failed" ? "it cannot write MP3" : "it does not end with a short sound";
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
