import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { parseSettings } from "../../platform/settings.ts";
import { nameOfOutput, readOutput } from "./output-kind.ts";
import { findOutputProgram } from "./output-program.ts";
import { openProgramSink, type SoundSink } from "./sound-sink.ts";
import { openWavSink } from "./wav-sink.ts";
import { folderUntil } from "../../testing/open-until.ts";

const RATE = 44_100;
/** 10 ms. */
const BLOCK = new Uint8Array(3528).fill(7);
let sink: SoundSink | undefined;

const folder = await folderUntil(afterAll);
afterEach(() => {
  sink?.close();
  sink = undefined;
  vi.unstubAllEnvs();
});

/** Creates a program as a shell script: no test reaches a sound card. */
async function program(name: string, script: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

test("a setting names the sound output, and an invalid one is refused with the allowed values", () => {
  const of = (FOLLOWSPOT_SOUND_OUTPUT: string) => parseSettings({ FOLLOWSPOT_SOUND_OUTPUT }).FOLLOWSPOT_SOUND_OUTPUT;
  for (const text of ["pulse", "pulse:hall", "pipewire", "alsa:hw:0", "alsa:plughw:1,0", "file:/tmp/night.wav"])
    expect(of(text)).toBe(text);
  for (const text of ["alsa", "alsa:", "loud", "pulse:-x", "alsa:-y", "file:night.wav", "file:/etc/passwd"])
    expect(() => of(text), text).toThrow("must be pulse, pulse:sink, pipewire");
  expect(readOutput("alsa:plughw:1,0")).toEqual({ kind: "alsa", device: "plughw:1,0" });
  expect(nameOfOutput(readOutput("alsa:hw:0"))).toBe("This machine (alsa hw:0)");
  expect(nameOfOutput(readOutput("pulse"))).toBe("This machine (pulse)");
});

test("ffmpeg plays if it supports the output, otherwise the sound system's program, otherwise the error names what to install", async () => {
  const ffmpeg = await program(
    "ffmpeg",
    'echo " DE alsa            ALSA audio output"; echo "  E sdl,sdl2  SDL"; echo " D  pulse  Pulse input"',
  );
  const alsa = await findOutputProgram(readOutput("alsa:hw:0"), RATE, ffmpeg);
  expect(alsa).toMatchObject({
    path: ffmpeg,
    args: expect.arrayContaining(["f32le", "44100", "-ar", "48000", "-f", "alsa", "hw:0"]),
  });
  vi.stubEnv("PATH", folder);
  // This ffmpeg supports pulse only as an input.
  expect(await findOutputProgram(readOutput("pulse"), RATE, ffmpeg)).toBe(
    "Sound cannot leave this machine: pacat is not on it, and no ffmpeg with an output for pulse. Install pulseaudio-utils or ffmpeg.",
  );
  const pacat = await program("pacat", "cat > /dev/null");
  expect(await findOutputProgram(readOutput("pulse:hall"), RATE, ffmpeg)).toMatchObject({
    path: pacat,
    args: expect.arrayContaining(["-d", "hall", "--rate=44100"]),
  });
  expect(await findOutputProgram(readOutput("pipewire"), RATE, undefined)).toContain("pw-cat is not on it");
});

test("a program receives sound as fast as it reads it, and a sixth of a second is buffered", async () => {
  const heard = join(folder, "heard.raw");
  const path = await program("slow", `sleep 0.3; head -c 35280 > ${heard}; sleep 30`);
  sink = await openProgramSink({ path, args: [] }, () => undefined);
  let taken = 0;
  const take = () => {
    while (sink!.write(BLOCK)) taken++;
  };
  take();
  expect(taken).toBeGreaterThan(10);
  expect(taken).toBeLessThan(20);
  const before = taken;
  // It reads a tenth of a second, which frees as much space.
  await expect.poll(() => (take(), taken)).toBeGreaterThan(before + 5);
  await expect.poll(async () => (await stat(heard)).size).toBe(35_280);
  expect((await readFile(heard)).every((byte) => byte === 7)).toBe(true);
});

test("a program that cannot open its device is reported with its last error message, at the start and later", async () => {
  const path = await program("broken", 'echo "cannot open audio device hw:9 (No such device)" >&2; exit 1');
  const ended: string[] = [];
  // A shell opens the pipe before the program begins: it may end before or after the first block.
  const opened = await openProgramSink({ path, args: [] }, (why) => ended.push(why)).catch((error: Error) => error);
  if (opened instanceof Error) ended.push(opened.message);
  else sink = opened;
  await expect.poll(() => ended).toEqual(["cannot open audio device hw:9 (No such device)"]);
  const unplugged = await program("unplugged", "head -c 8000 > /dev/null; echo unplugged >&2; exit 3");
  const later: string[] = [];
  sink = await openProgramSink({ path: unplugged, args: [] }, (why) => later.push(why));
  await expect.poll(() => (sink!.write(BLOCK), later)).toEqual(["unplugged"]);
  expect(sink.write(BLOCK)).toBe(false);
});

test("a file is written at playback speed, and its header contains its length", async () => {
  const path = join(folder, "night.wav");
  let now = 1000;
  const file = openWavSink(
    path,
    RATE,
    () => undefined,
    () => now,
  );
  const take = () => {
    let taken = 0;
    while (file.write(BLOCK)) taken++;
    return taken;
  };
  expect(take()).toBe(1);
  now += 500;
  expect(take()).toBe(50);
  file.close();
  const bytes = await readFile(path);
  expect(bytes.length).toBe(44 + 51 * 3528);
  expect([bytes.readUInt32LE(24), bytes.readUInt16LE(20), bytes.readUInt32LE(40)]).toEqual([RATE, 3, 51 * 3528]);
  expect(() => openWavSink(join(folder, "none", "night.wav"), RATE, () => undefined)).toThrow("no such file");
});

test("a file that cannot be written any more reports the reason, and does not throw into its caller", () => {
  const ended: string[] = [];
  expect(() => openWavSink("/dev/full", RATE, (why) => ended.push(why))).toThrow("ENOSPC");
  const file = openWavSink(join(folder, "closed.wav"), RATE, (why) => ended.push(why));
  file.close();
  expect(file.write(BLOCK)).toBe(false);
  expect(ended).toEqual([expect.stringContaining("EBADF")]);
});
