import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { decodeAudio } from "./decode-audio.ts";
import { WAV_HEADER_BYTES, wavFile, wavHeader } from "./wav.ts";

test("a written WAV decodes to its levels; levels beyond full scale are clipped, NaN is silent", async () => {
  const folder = await mkdtemp(join(tmpdir(), "followspot-wav-"));
  const left = new Float32Array(2 * 44_100).fill(0.25);
  const right = left.map((level) => -2 * level);
  left.set([7, -7, Number.NaN, Number.POSITIVE_INFINITY]);
  await writeFile(join(folder, "a.wav"), wavFile(left, right, 44_100));
  const decoded = await decodeAudio(join(folder, "a.wav")).finally(() => rm(folder, { recursive: true }));
  expect(decoded.seconds).toBe(2);
  expect([...decoded.left.subarray(0, 5)].map((level) => Math.round(level * 1000) / 1000)).toEqual([1, -1, 0, 0, 0.25]);
  expect(decoded.right[100]).toBeCloseTo(-0.5, 4);
});

test("the header of a WAV file of 1,000 frames is correct byte by byte", () => {
  const golden =
    "52494646 c40f0000 57415645 666d7420 10000000 0100 0200 44ac0000 10b10200 0400 1000 64617461 a00f0000".replaceAll(
      " ",
      "",
    );
  expect(wavHeader(1000, 44_100).toString("hex")).toBe(golden);
  expect(golden).toHaveLength(2 * WAV_HEADER_BYTES);
});
