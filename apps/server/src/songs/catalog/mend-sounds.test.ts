import { readFile, writeFile } from "node:fs/promises";
import { afterAll, expect, test } from "vitest";
import { encodeMp3 } from "../audio/encode-mp3.ts";
import { infoFrameBytes } from "../audio/mp3-info-frame.ts";
import { newId } from "../../platform/database/ids.ts";
import { folderUntil } from "../../testing/open-until.ts";
import { mendSounds } from "./mend-sounds.ts";
import { SongFiles } from "./song-files.ts";

const RATE = 44_100;

test("an old song's sound and stems get the frame with the encoder delay, once", async () => {
  const files = new SongFiles(await folderUntil(afterAll));
  const id = newId();
  await files.makeFolder(id);
  const path = files.path(id, "audio.mp3");
  const silence = new Float32Array(RATE);
  await encodeMp3({ left: silence, right: silence }, path, { sampleRate: RATE, attempt: "1" });
  const old = (await readFile(path)).subarray(infoFrameBytes(RATE));
  const names = ["audio.mp3", "drums.mp3", "bass.mp3", "vocals.mp3", "other.mp3"];
  for (const name of names) await writeFile(files.path(id, name), old);
  expect(await mendSounds(files)).toBe(5);
  for (const name of names)
    expect([name, (await readFile(files.path(id, name))).toString("latin1", 36, 40)]).toEqual([name, "Info"]);
  expect(await mendSounds(files)).toBe(0);
});
