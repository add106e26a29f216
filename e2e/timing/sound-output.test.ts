import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { synthesiseSong } from "../../apps/server/src/testing/synthetic-song.ts";
import { listenForArtNet } from "../testing/art-net-listener.ts";
import { plannedFrames, zeroOfLight } from "../testing/planned-light.ts";
import { processesOn, removeData, startProduct, until, type Product } from "../testing/product.ts";
import { isReady, lightPars, upload } from "../testing/songs.ts";
import { zeroOf, type HeardBlock } from "../testing/sound-tap.ts";

const SECONDS = 18;
const CROSS_FADE = 2;
const HEADER_BYTES = 44;
const FRAME_BYTES = 8;
const FRAMES_PER_MS = 44.1;

let product: Product;
let node: Awaited<ReturnType<typeof listenForArtNet>>;
let folder: string;
let file: string;
let playlist: string;
const songs: { id: string; wav: Buffer }[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "followspot-output-"));
  file = join(folder, "night.wav");
  [product, node] = await Promise.all([
    startProduct({ env: { FOLLOWSPOT_SOUND_OUTPUT: `file:${file}` } }),
    listenForArtNet(),
  ]);
  await lightPars(product, 4, node.port);
  for (const tempo of [100, 132]) {
    const wav = synthesiseSong(SECONDS, tempo);
    songs.push({ id: (await upload(product, `Test Artist - Song ${tempo}.wav`, wav)).body.song.id, wav });
  }
  for (const { id } of songs) await until(() => isReady(product, id), 90_000);
  playlist = (await music("CreatePlaylist", { name: "Friday night" })).playlist.id;
  for (const { id } of songs) await music("AddSongToPlaylist", { playlist_id: playlist, song_id: id });
});
afterAll(async () => {
  node?.close();
  await product?.stop();
  await removeData(product.dataDir);
  await rm(folder, { recursive: true, force: true });
});

const music = (method: string, body: object) => product.call(`music.v1.MusicService/${method}`, body);
const sound = async () => (await product.call("sound.v1.SoundService/GetSound", {})).sound;

/**
 * Estimates when the first frame of the file was played, ms since the epoch. The file grows in real time, and each
 * reading is late, never early.
 */
async function startOfFile(): Promise<number> {
  const seen: number[] = [];
  for (let i = 0; i < 200; i++) {
    const { size } = await stat(file);
    seen.push(Date.now() - (size - HEADER_BYTES) / FRAME_BYTES / FRAMES_PER_MS);
    await sleep(5);
  }
  return Math.min(...seen);
}

/** Returns both channels of the file as interleaved floats. */
async function samples(): Promise<Float32Array> {
  const bytes = await readFile(file);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset + HEADER_BYTES, bytes.byteOffset + bytes.length));
}

/** Returns the peak of the last tenth of a second. */
async function peakNow(): Promise<number> {
  return (await samples()).slice(-8820).reduce((most, each) => Math.max(most, Math.abs(each)), 0);
}

/** Returns the peak of each 128 frames, with its time in the file. */
function blocks(sound: Float32Array, fromMs: number, ms: number): HeardBlock[] {
  const first = Math.round(fromMs * FRAMES_PER_MS);
  return Array.from({ length: Math.floor((ms * FRAMES_PER_MS) / 128) }, (_, block) => {
    let peak = 0;
    for (let i = 0; i < 256; i++) peak = Math.max(peak, Math.abs(sound[2 * (first + 128 * block) + i] ?? 0));
    return { at: (first + 128 * block) / FRAMES_PER_MS, peak };
  });
}

/** Returns the root mean square of a channel over a time range. */
function loudness(side: (frame: number) => number, rate: number, from: number, seconds: number): number {
  let sum = 0;
  for (let i = 0; i < seconds * rate; i++) sum += side(Math.round(from * rate) + i) ** 2;
  return Math.sqrt(sum / (seconds * rate));
}

test("this machine plays a playlist into a file: each song on time and at its loudness, with the light in sync", async () => {
  await until(async () => (await sound()).heard?.isConnected === true);
  expect((await sound()).heard).toMatchObject({ name: "Sound file", isAllowed: true });
  const start = await startOfFile();
  await music("PlayPlaylist", { playlist_id: playlist, gap_seconds: -CROSS_FADE, fade_seconds: 0 });
  const zeros: number[] = [];
  const offsets: number[] = [];
  for (const { id, wav } of songs) {
    await until(async () => (await music("GetShowQueue", {})).queue.song?.id === id);
    const frames = await plannedFrames(product, id, SECONDS);
    // The first song has to be decoded; then queue and fixtures adopt the position of the sound.
    await until(async () => (await peakNow()) > 0.01);
    await sleep(CROSS_FADE * 1000 + 2500);
    node.packets.length = 0;
    const began = Date.now();
    await sleep(4000);
    const packets = node.packets.slice();
    const around = Date.parse((await music("GetShowQueue", {})).queue.startedAt) - start;
    const heard = blocks(await samples(), began - start, 4000);
    const { zero, fit } = zeroOf(heard, wav, around);
    const others = songs.filter((song) => song.wav !== wav).map((song) => zeroOf(heard, song.wav, around).fit);
    expect(fit, "what is heard is this song").toBeGreaterThan(Math.max(...others) + 0.1);
    zeros.push(zero);
    offsets.push(zeroOfLight(packets, frames, zero + start) - (zero + start));
  }
  const [one = 0, two = 0] = zeros;
  process.stderr.write(`light after sound: ${offsets.map((ms) => ms.toFixed(0)).join(", ")} ms; next song after ${(two - one).toFixed(1)} ms\n`); // prettier-ignore
  // Accuracy of the search, plus the silence that an encoder inserts before a song.
  expect(Math.abs(two - one - (SECONDS - CROSS_FADE) * 1000)).toBeLessThan(60);
  // A packet interval of 23 ms, on a busy machine.
  expect(Math.min(...offsets.map(Math.abs))).toBeLessThan(40);
  // The gain that the analysis requires for -16 LUFS.
  const headers = { authorization: `Bearer ${await product.token()}` };
  const { dynamics } = await (
    await fetch(`${product.url}/proxy/songs/${songs[0]!.id}/hybrid.json`, { headers })
  ).json();
  const heard = await samples();
  const wav = songs[0]!.wav;
  const played = loudness((frame) => heard[2 * frame]!, 44_100, one / 1000 + 4, 4);
  const given = loudness((frame) => wav.readInt16LE(HEADER_BYTES + 4 * frame) / 32_768, 44_100, 4, 4);
  expect(20 * Math.log10(played / given)).toBeCloseTo(Math.min(9, -16 - dynamics.loudness), 0);
});

test("the output pauses, follows the volume, and resumes at the song's position after its process was killed", async () => {
  await music("PlayPlaylist", { playlist_id: playlist, gap_seconds: 0 });
  await until(async () => (await peakNow()) > 0.01);
  await music("PauseMusic", {});
  await until(async () => (await peakNow()) === 0);
  await music("ResumeMusic", {});
  await until(async () => (await peakNow()) > 0.01);
  await product.call("sound.v1.SoundService/SetSound", { is_muted: true });
  await until(async () => (await peakNow()) < 0.001);
  await product.call("sound.v1.SoundService/SetSound", { is_muted: false });
  const [part] = await processesOn(product.dataDir, "main-sound");
  process.kill(part!, "SIGKILL");
  await until(async () => (await processesOn(product.dataDir, "main-sound")).some((pid) => pid !== part));
  await until(async () => (await peakNow()) > 0.01);
  await music("StopMusic", {});
  await until(async () => (await peakNow()) === 0);
});
