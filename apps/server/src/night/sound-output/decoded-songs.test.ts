import { writeFile } from "node:fs/promises";
import type { PlayerSong } from "@followspot/contract";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { DECODED_RATE } from "../../songs/audio/decoded-sound.ts";
import { wavFile } from "../../songs/audio/wav.ts";
import { SongFiles } from "../../songs/catalog/song-files.ts";
import { newId } from "../../platform/database/ids.ts";
import { DecodedSongs } from "./decoded-songs.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";

let folder: string;
let files: SongFiles;
let songs: DecodedSongs;
let changes = 0;
beforeEach(async () => {
  folder = await folderUntil(onTestFinished);
  files = new SongFiles(folder);
  songs = openUntil(onTestFinished, new DecodedSongs({ files, ffmpeg: undefined, onChange: () => changes++ }));
});

/** @param told length by its metadata, seconds @param seconds length of its file */
async function song(told: number, seconds = 2): Promise<PlayerSong> {
  const id = newId();
  await files.makeFolder(id);
  const tone = Float32Array.from({ length: seconds * DECODED_RATE }, (_, i) => 0.5 * Math.sin(i / 20));
  await writeFile(files.path(id, "audio.mp3"), wavFile(tone, tone, DECODED_RATE));
  return { id, title: "", artist: "", cover: "", seconds: told, gain: 0 };
}
const untilReady = (one: PlayerSong) => expect.poll(() => songs.ready(one)).toBeDefined();

test("a song is decoded completely, even if longer than its metadata, with its peak level", async () => {
  const one = await song(1, 9);
  songs.want([one]);
  await untilReady(one);
  const { seconds, peak, left, right } = songs.ready(one)!;
  expect(seconds).toBeCloseTo(9, 2);
  expect([left.length, right.length]).toEqual([seconds * DECODED_RATE, seconds * DECODED_RATE]);
  expect(peak).toBeCloseTo(0.5, 2);
  expect(left[8 * DECODED_RATE]).toBeCloseTo(0.5 * Math.sin((8 * DECODED_RATE) / 20), 2);
});

test("the current song is always decoded, and the next ones within twenty minutes", async () => {
  const [mix, next, last] = [await song(3600), await song(300), await song(1000)];
  songs.want([mix, next]);
  await untilReady(mix);
  songs.want([next, mix]);
  await untilReady(next);
  expect(songs.ready(mix)).toBeUndefined();
  songs.want([next, next, last]);
  await expect.poll(() => changes).toBeGreaterThan(1);
  expect(songs.ready(last)).toBeUndefined();
});
