import type { Browser } from "playwright-core";
import { afterAll, beforeAll, test } from "vitest";
import { synthesiseSong } from "../apps/server/src/testing/synthetic-song.ts";
import { listenForArtNet } from "./testing/art-net-listener.ts";
import { lightAfterSound } from "./testing/light-after-sound.ts";
import { until } from "./testing/product.ts";
import { sharedBrowser, sharedProduct, type SharedProduct } from "./testing/shared-product.ts";
import { isReady, lightPars, upload } from "./testing/songs.ts";
import { tapSound } from "./testing/sound-tap.ts";

/** Length of the song, s. */
const SECONDS = 45;
/** Light of the wrong beat would differ by more, ms; `timing/` measures the offset itself. */
const SAME_BEAT_MS = 250;

let product: SharedProduct;
let browser: Browser;
let node: Awaited<ReturnType<typeof listenForArtNet>>;

beforeAll(async () => {
  [product, browser, node] = await Promise.all([sharedProduct(), sharedBrowser(), listenForArtNet()]);
});
afterAll(async () => {
  await browser?.close();
  node?.close();
});

test("the fixtures play the beat of the audio player until the music stops", async () => {
  await lightPars(product, 4, node.port);
  const wav = synthesiseSong(SECONDS, 120);
  const { body } = await upload(product, "Test Artist - Together.wav", wav);
  await until(() => isReady(product, body.song.id), 90_000);
  const { linkPath } = (await product.call("sound.v1.SoundService/CreatePlayerLink", {})).sound;
  const player = await (await browser.newContext({ bypassCSP: true })).newPage();
  await player.addInitScript(tapSound);
  await player.goto(`${product.url}${linkPath}`);
  await player.getByText("Nothing plays").waitFor();

  await product.call("music.v1.MusicService/BroadcastSong", { song_id: body.song.id });
  await player.getByText("Together", { exact: true }).first().waitFor();
  await until(() => node.packets.at(-1)?.slots.some((level) => level > 0) === true);
  const song = { id: body.song.id, title: "Together", wav };
  // Without a sound card, sound on a busy machine stutters now and then, and catches up.
  const offset = async () => Math.abs((await lightAfterSound(product, player, node.packets, song, SECONDS, [])).ms);
  await until(async () => (await offset()) < SAME_BEAT_MS);

  await product.call("music.v1.MusicService/StopMusic", {});
  await until(() => node.packets.at(-1)!.slots.every((level) => level === 0));
});
