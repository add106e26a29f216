import { beforeAll, expect, test } from "vitest";
import { watchMachine } from "../apps/server/src/stage/testing/machine-lag.ts";
import { WebSocket } from "ws";
import { lightingPlanSchema, rigSchema } from "@followspot/contract";
import { compileShow, renderFrame } from "@followspot/lighting";
import { listenForArtNet } from "./testing/art-net-listener.ts";
import { songsWithFiles, until } from "./testing/product.ts";
import { sharedProduct, type SharedProduct } from "./testing/shared-product.ts";
import * as songs from "./testing/songs.ts";
import { synthesiseSong } from "../apps/server/src/testing/synthetic-song.ts";

let product: SharedProduct;

beforeAll(async () => {
  product = await sharedProduct();
});

const upload = (name: string, bytes: Uint8Array) => songs.upload(product, name, bytes);
const songOf = (id: string) => songs.songOf(product, id);
const isReady = (id: string) => songs.isReady(product, id);
const proxied = async (path: string, headers: Record<string, string> = {}) =>
  fetch(`${product.url}${path}`, { headers: { authorization: `Bearer ${await product.token()}`, ...headers } });

test("brings a file from upload to frames on the wire that equal the renderer's", async () => {
  const { status, body } = await upload("Test Artist - Straight Line.wav", synthesiseSong(24, 120));
  expect(status).toBe(201);
  const { id } = body.song;
  await until(() => isReady(id), 90_000);
  const song = await songOf(id);
  expect(song).toMatchObject({ title: "Straight Line", artist: "Test Artist", duration: 24 });
  expect(song.tempo).toBeCloseTo(120, 0);

  const node = await listenForArtNet();
  await songs.lightPars(product, 4, node.port);

  const plan = lightingPlanSchema.parse(await (await proxied(`/proxy/music/lighting/${id}/lighting.json`)).json());
  const rig = rigSchema.parse(await (await proxied("/api/lights/rig")).json());
  const socket = new WebSocket(`${product.url.replace("http", "ws")}/lights/playback/${id}`, {
    headers: { authorization: `Bearer ${await product.token()}` },
  });
  const states: any[] = [];
  socket.on("message", (data) => states.push(JSON.parse(String(data))));
  await new Promise((open, failed) => socket.once("open", open).once("error", failed));
  const say = (message: object) => socket.send(JSON.stringify(message));
  say({ type: "stop" });
  say({ type: "prepare_playback" });
  await until(() => states.some((state) => state.mode === "prepared" && state.owner));
  node.packets.length = 0;
  const from = 9;
  const machine = watchMachine();
  const playedAt = performance.now();
  say({ type: "play", position: from });
  await until(() => states.some(({ mode }) => mode === "playing"));
  const begunAt = performance.now();
  const playedPackets = () => node.packets.filter(({ at }) => at > begunAt + 500);
  await until(() => playedPackets().length >= 80);
  const played = playedPackets();
  // bench/dmx measures how steady the rate is. A busy machine may skip frames and deliver late, but never adds one.
  const secondsOfPackets = (performance.now() - playedAt + machine.worst()) / 1000;
  expect(node.packets.length).toBeLessThanOrEqual(45 * secondsOfPackets);
  say({ type: "stop" });
  const stoppedAt = performance.now();
  await until(() => node.packets.at(-1)!.slots.every((level) => level === 0));
  const dark = node.packets.findIndex(({ at, slots }) => at > stoppedAt && slots.every((level) => level === 0));
  expect(node.packets[dark]!.at - stoppedAt).toBeLessThan(500 + 2 * machine.worst());
  socket.close();
  node.close();

  // Every packet is what the renderer computes for one moment of the song, in the song's order and never early. On a busy
  // machine the song starts late and packets wait in the socket, so how late one may arrive is not limited.
  const show = compileShow(plan, rig);
  const STEP = 0.001;
  const EARLY = 0.08;
  const rendered = (at: number) => Array.from(renderFrame(show, at).get(1)!);
  let latest = Infinity;
  const lags = played.toReversed().map(({ at, slots }) => {
    const expected = from + (at - playedAt) / 1000;
    let position = Math.min(latest, expected + EARLY);
    for (let later = rendered(position); position >= from; position -= STEP) {
      // A chase changes over in 50 ms: within a millisecond a level moves by several steps, so it lies between two renders.
      const earlier = rendered(position - STEP);
      const isBetween = (level: number, slot: number) =>
        level >= Math.min(earlier[slot]!, later[slot]!) - 1 && level <= Math.max(earlier[slot]!, later[slot]!) + 1;
      if (slots.every(isBetween)) {
        latest = position;
        return expected - position;
      }
      later = earlier;
    }
    return Infinity;
  });
  expect(lags.filter((lag) => lag === Infinity).length / lags.length).toBeLessThan(0.02);
  // A song begins between the command and the stage's answer.
  expect(Math.min(...lags)).toBeLessThanOrEqual((begunAt - playedAt) / 1000 + EARLY);
});

test("serves the sound by ranges and refuses other folders", async () => {
  const [song] = (await product.call("music.v1.MusicService/ListSongs", {})).songs;
  const part = await proxied(song.audio, { range: "bytes=0-99" });
  expect([part.status, part.headers.get("content-length"), part.headers.get("content-type")]).toEqual([
    206,
    "100",
    "audio/mpeg",
  ]);
  for (const path of [
    "/proxy/songs/..%2f..%2fsecrets.json/audio.mp3",
    "/proxy/songs/%2e%2e/audio.mp3",
    `/proxy/songs/${song.id}/source.wav`,
  ]) {
    expect((await proxied(path)).status).toBe(404);
  }
  expect((await fetch(`${product.url}${song.audio}`)).status).toBe(401);
});

test("refuses a file without audio, and stores nothing of it", async () => {
  const before = await songsWithFiles(product);
  const text = await upload("song.mp3", Buffer.from("these are words, not sound\n".repeat(100)));
  const empty = await upload("empty.wav", new Uint8Array());
  expect([text.status, text.body.message]).toEqual([400, expect.stringContaining("no audio we can read")]);
  expect([empty.status, empty.body.message]).toEqual([400, expect.stringContaining("empty")]);
  expect(await songsWithFiles(product)).toEqual(before);
});

test("creates one song and one copy for five simultaneous uploads of a file", async () => {
  const before = await songsWithFiles(product);
  const names = ["one", "two", "three", "four", "five"];
  const answers = await Promise.all(names.map((name) => upload(`${name}.wav`, synthesiseSong(4, 150))));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201]);
  const { id, title } = answers.find(({ status }) => status === 201)!.body.song;
  expect(answers.map(({ body }) => body.song.id)).toEqual(names.map(() => id));
  expect(answers.map(({ body }) => body.song.title)).toEqual(names.map(() => title));
  expect(await songsWithFiles(product)).toEqual([...before, id].sort());
});

test("an unusual file becomes ready or fails with a reason", async () => {
  const silence = synthesiseSong(8, 120).fill(0, 44);
  const truncated = synthesiseSong(20, 120).subarray(0, 1_000_000);
  const short = synthesiseSong(3, 120);
  const header = synthesiseSong(1, 120).subarray(0, 44);
  const ids = [];
  for (const [name, bytes] of Object.entries({ silence, truncated, short, header }))
    ids.push((await upload(`${name}.wav`, bytes)).body.song?.id);
  const settled = async (id: string) => {
    const song = await songOf(id);
    return song.analysisStatus === "error" || (song.analysisStatus === "ready" && song.lightingStatus === "ready");
  };
  for (const id of ids) if (id) await until(() => settled(id), 60_000);
  const results = await Promise.all(ids.filter(Boolean).map(songOf));
  const byTitle = Object.fromEntries(results.map((song) => [song.title, song]));
  expect(byTitle["silence"]).toMatchObject({ analysisStatus: "ready", warnings: expect.arrayContaining(["silent"]) });
  expect(byTitle["truncated"]).toMatchObject({
    analysisStatus: "ready",
    warnings: expect.arrayContaining(["truncated"]),
  });
  expect(byTitle["short"]).toMatchObject({ analysisStatus: "ready" });
  if (byTitle["header"]) expect(byTitle["header"].errorMessage).not.toBe("");
});

test("refuses hostile links before anything runs", async () => {
  for (const url of [
    "http://169.254.169.254/youtube.com",
    "file:///etc/passwd",
    "https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ",
    "--exec=id",
  ]) {
    await expect(product.call("music.v1.MusicService/AddSongFromYoutube", { url })).rejects.toThrow(
      "Invalid YouTube URL",
    );
  }
});

test("answers a strange retry as the caller's mistake", async () => {
  const headers = { authorization: `Bearer ${await product.token()}` };
  const retry = async (path: string) =>
    (await fetch(`${product.url}/api/songs/${path}`, { method: "POST", headers })).status;
  expect(await retry("01ARZ3NDEKTSV4RRFFQ69G5FAV/retry?step=download")).toBe(404);
  expect(await retry("..%2f/retry?step=download")).toBe(404);
  expect(await retry("a%00b/retry?step=download")).toBe(404);
  for (const step of ["", "?step=", "?step=DOWNLOAD", "?step=download&step=analysis"]) {
    expect(await retry(`01ARZ3NDEKTSV4RRFFQ69G5FAV/retry${step}`)).toBe(400);
  }
});
