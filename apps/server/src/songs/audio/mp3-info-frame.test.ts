import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { encodeMp3 } from "./encode-mp3.ts";
import { addInfoFrame, infoFrameBytes } from "./mp3-info-frame.ts";
import { folderUntil } from "../../testing/open-until.ts";

const folder = await folderUntil(afterAll);

const RATE = 44_100;

async function twoSeconds(): Promise<Buffer> {
  const path = join(folder, "two.mp3");
  const silence = new Float32Array(2 * RATE);
  await encodeMp3({ left: silence, right: silence }, path, { sampleRate: RATE, attempt: "1" });
  return readFile(path);
}

/** Counts the frames of a file by their headers (ISO/IEC 11172-3 section 2.4.1.3). */
function countFrames(file: Buffer): number {
  let frames = 0;
  for (let at = 0; at + 4 <= file.length; frames++) {
    expect(file.readUInt16BE(at) & 0xffe0).toBe(0xffe0);
    const isPadded = (file[at + 2]! & 2) !== 0;
    at += Math.floor((144 * 192_000) / RATE) + (isPadded ? 1 : 0);
  }
  return frames;
}

// kept: Shows | Sound was 25 ms late in every player: files did not declare the encoder's padding before the song |
// failed on the old code
test("a file declares its padding before and after the song, so that players skip it", async () => {
  const file = await twoSeconds();
  const frames = countFrames(file) - 1;
  expect(file.toString("latin1", 36, 40)).toBe("Info");
  expect([file.readUInt32BE(44), file.readUInt32BE(48)]).toEqual([frames, file.length]);
  const delays = file.readUIntBE(36 + 37, 3);
  const [delay, padding] = [delays >> 12, delays & 0xfff];
  expect(delay).toBe(576);
  expect(delay + 2 * RATE + padding).toBe(frames * 1152);
});

test("an older file gets the frame once, and its audio stays the same to the byte", async () => {
  const path = join(folder, "old.mp3");
  const old = (await twoSeconds()).subarray(infoFrameBytes(RATE));
  await writeFile(path, old);
  expect(await addInfoFrame(path)).toBe(true);
  const mended = await readFile(path);
  expect(mended.toString("latin1", 36, 40)).toBe("Info");
  expect(mended.readUIntBE(36 + 37, 3) >> 12).toBe(576);
  expect(mended.subarray(infoFrameBytes(RATE)).equals(old)).toBe(true);
  expect(await addInfoFrame(path)).toBe(false);
});

test("files that are not ours stay unchanged", async () => {
  const path = join(folder, "other.mp3");
  for (const content of ["ID3 something else", "", "\u00ff\u00fb\u0000\u0000"]) {
    await writeFile(path, content, "latin1");
    expect(await addInfoFrame(path)).toBe(false);
    expect(await readFile(path, "latin1")).toBe(content);
  }
});
