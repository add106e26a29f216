import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { plainEnvironment } from "../../platform/process/programs.ts";
import { startProgram } from "./child-program.ts";
import { decodeAudio } from "./decode-audio.ts";
import { encodeMp3 } from "./encode-mp3.ts";
import { engineEnvironment } from "./engines/ask-engines.ts";
import { flac } from "../../testing/audio-files.ts";
import { folderUntil } from "../../testing/open-until.ts";

const RATE = 44_100;
const SECONDS = 6;
/** Rises over the song, so that every sample identifies its position. */
const ramp = Float32Array.from(
  { length: SECONDS * RATE },
  (_, n) => Math.round((n / (SECONDS * RATE)) * 30_000) / 32_767,
);

const folder = await folderUntil(afterAll);
const song = join(folder, "song.flac");
await writeFile(song, flac(ramp));

async function script(name: string, lines: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, lines, { mode: 0o755 });
  return path;
}

const shell = (name: string, lines: string) => script(name, `#!/bin/sh\n${lines}\n`);
const lacksLibrary = () =>
  shell(
    "lacks-library",
    'echo "$0: error while loading shared libraries: libavdevice.so.59: cannot open shared object file" >&2; exit 127',
  );

async function notExecutable(): Promise<string> {
  const path = await shell("not-executable", "exit 0");
  await chmod(path, 0o644);
  return path;
}

/** Creates a script that writes the first seconds of the ramp as ffmpeg would, then runs `ending`. */
const halfway = (name: string, ending: string) =>
  script(
    name,
    `#!${process.execPath}
const head = Buffer.alloc(24); head.write(".snd"); head.writeUInt32BE(24, 4); head.writeUInt32BE(1, 20);
const body = Buffer.alloc(4 * ${2 * RATE});
for (let n = 0; n < ${2 * RATE}; n++) body.writeFloatBE(Math.round((n / ${SECONDS * RATE}) * 30000) / 32767, 4 * n);
process.stdout.write(Buffer.concat([head, body]), () => { ${ending} });
`,
  );

describe("a file is read completely if ffmpeg", () => {
  test.each<[does: string, make: () => Promise<string>]>([
    ["lacks a shared library", lacksLibrary],
    ["is not there", async () => join(folder, "nothing")],
    ["may not be executed", notExecutable],
    ["ends well without a byte", () => shell("mute", "exit 0")],
    ["prints text instead of sound", () => shell("chatty", "echo 'ffmpeg version 7.1 Copyright (c) the developers'")],
    ["fails with a code of its own", () => shell("fails", "exit 1")],
    ["hangs from the start", () => shell("hangs", "sleep 30")],
    ["crashes after two seconds of it", () => halfway("crashes", "process.kill(process.pid, 'SIGSEGV')")],
    ["hangs after two seconds of it", () => halfway("sticks", "setInterval(() => {}, 1000)")],
    ["fails after two seconds of it", () => halfway("stumbles", "process.exit(1)")],
  ])("%s", async (_does, make) => {
    const { left, seconds, warnings } = await decodeAudio(song, { ffmpeg: await make(), silenceMs: 1500 });
    expect(seconds).toBe(SECONDS);
    expect(warnings).toEqual([]);
    const off = left.findIndex((level, n) => Math.abs(level - ramp[n]!) > 1e-4);
    expect(off).toBe(-1);
  });
});

describe("a file that is not decoded", () => {
  const holding = async (name: string, start: string) => {
    const path = join(folder, name);
    await writeFile(path, Buffer.concat([Buffer.from(start, "latin1"), Buffer.alloc(9000, 0x55)]));
    return path;
  };
  /** A file that the built-in decoder reads to its end without a sample. */
  const hollow = () => holding("hollow.flac", "fLaC");
  /** A file that the built-in decoder cannot read. */
  const foreign = () => holding("foreign.webm", "\x1aE\xdf\xa3");

  test("names the broken program if the built-in decoder cannot read it either", async () => {
    const failure = decodeAudio(await foreign(), { ffmpeg: await lacksLibrary() });
    await expect(failure).rejects.toMatchObject({ code: "decoder_failed" });
    await expect(failure).rejects.toThrow(/ffmpeg does not work.*libavdevice\.so\.59 is missing.*repaired or removed/);
  });

  test("contains no audio if a working decoder has found none", async () => {
    await expect(decodeAudio(await hollow())).rejects.toMatchObject({ code: "unreadable" });
    const mute = await shell("mute-again", "exit 0");
    await expect(decodeAudio(await hollow(), { ffmpeg: mute })).rejects.toMatchObject({ code: "unreadable" });
  });
});

describe("a program started as a child process", () => {
  const SECRETS = {
    FOLLOWSPOT_SECRET: "canary-1",
    NATS_URL: "nats://canary-2",
    DATABASE_URL: "canary-3",
    MY_KEY: "canary-4",
  };
  const before = { ...process.env };
  beforeAll(() => void Object.assign(process.env, SECRETS));
  afterAll(() => {
    for (const name of Object.keys(SECRETS)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  });

  // kept: Doors | Decoders and encoders received our secrets in their environment | also
  test.each([
    ["as a helper", plainEnvironment],
    ["as an engine", engineEnvironment],
  ])("%s sees the PATH and no secret", async (_how, environment) => {
    const program = startProgram("/usr/bin/env", [], { timeoutMs: 5000, env: environment() });
    const seen = (await program.process.stdout.toArray()).join("");
    expect(seen).toContain(`PATH=${process.env.PATH}`);
    expect(seen).not.toContain("canary");
  });

  // kept: Doors | Decoders and encoders received our secrets in their environment | failed on the old code
  test("in place of ffmpeg sees no secret while it decodes and encodes", async () => {
    const ffmpeg = await shell("curious", `env >> ${folder}/seen; exit 1`);
    await decodeAudio(song, { ffmpeg });
    const encoded = encodeMp3({ left: ramp, right: ramp }, join(folder, "a.mp3"), {
      sampleRate: RATE,
      attempt: "1",
      ffmpeg,
    });
    await expect(encoded).rejects.toMatchObject({ code: "encoder_failed" });
    const seen = await readFile(join(folder, "seen"), "utf8");
    expect(seen.match(/^PATH=/gm)).toHaveLength(2);
    expect(seen).not.toContain("canary");
  });
});
