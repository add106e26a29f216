import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { watchMachine } from "../apps/server/src/stage/testing/machine-lag.ts";
import { synthesiseSong } from "../apps/server/src/testing/synthetic-song.ts";
import { listenForArtNet } from "./testing/art-net-listener.ts";
import { dragByKeyboard } from "./testing/keyboard-drag.ts";
import { until } from "./testing/product.ts";
import { sharedBrowser, sharedProduct, type SharedProduct } from "./testing/shared-product.ts";
import { isReady, lightPars, upload } from "./testing/songs.ts";

const SECONDS = 6;
const TEMPI = [100, 110, 120, 140];
let product: SharedProduct;
let browser: Browser;
let node: Awaited<ReturnType<typeof listenForArtNet>>;
const songs: { id: string; title: string }[] = [];

beforeAll(async () => {
  [product, node] = await Promise.all([sharedProduct(), listenForArtNet()]);
  await lightPars(product, 4, node.port);
  for (const tempo of TEMPI) {
    const { body } = await upload(product, `Test Artist - Song ${tempo}.wav`, synthesiseSong(SECONDS, tempo));
    songs.push({ id: body.song.id, title: `Song ${tempo}` });
  }
  for (const { id } of songs) await until(() => isReady(product, id), 90_000);
});
afterAll(async () => {
  await browser?.close();
  node?.close();
});

const call = (method: string, body: object) => product.call(`music.v1.MusicService/${method}`, body);
const playing = async (): Promise<string> => {
  const { queue } = await call("GetShowQueue", {});
  return queue.mode === "playing" ? queue.song.title : queue.mode;
};
const isDark = () => node.packets.at(-1)?.slots.every((level) => level === 0) === true;

async function signedIn(): Promise<Page> {
  browser = await sharedBrowser();
  const context = await browser.newContext();
  await context.addCookies([{ name: "followspot_session", value: await product.token(), url: product.url }]);
  return context.newPage();
}

test("a playlist made in the console plays to its end with the browser closed, in the order of votes", async () => {
  const page = await signedIn();
  await page.goto(`${product.url}/admin/music`);
  await page.getByRole("link", { name: "Playlists" }).click();
  await page.getByText("No playlists found.").waitFor();
  await page.getByRole("button", { name: "New Playlist" }).click();
  await page.getByLabel("Name*").fill("Friday night");
  await page.getByRole("button", { name: "Create Playlist" }).click();
  // Adds all songs at once.
  for (const { title } of songs) await page.getByRole("button", { name: `Add: ${title}` }).click();
  await until(async () => (await call("ListPlaylists", {})).playlists[0].songs?.length === songs.length);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Vote for \"Song 140\"" }).click(); // prettier-ignore
  await until(async () => (await page.locator("ol > li").first().textContent())?.includes("Song 140") === true);
  const { playlists } = await call("ListPlaylists", {});
  await call("PlayPlaylist", { playlist_id: playlists[0].id, gap_seconds: 0.5, fade_seconds: 0.5 });
  await page.getByRole("button", { name: "Skip" }).waitFor();
  await page.getByText('From "Friday night"').waitFor();
  await page.locator("ol > li").first().getByText("Playing now").waitFor();
  await browser.close();

  const heard: string[] = [];
  await until(async () => {
    const title = await playing();
    if (title !== heard.at(-1)) heard.push(title);
    return title === "stopped";
  });
  expect(heard).toEqual(["Song 140", "Song 100", "Song 110", "Song 120", "stopped"]);
  // The default look is lit between the songs and after the last one, so it is never dark.
  const from = node.packets.findIndex(({ slots }) => slots.some((level) => level > 0));
  const dark = node.packets.slice(from).filter(({ slots }) => slots.every((level) => level === 0));
  expect(dark.length / node.packets.length).toBeLessThan(0.2);
  expect(isDark()).toBe(false);
});

// kept: Console | A playlist could be sorted by votes only | also
test("songs can be sorted with the keyboard, and Undo restores the order", async () => {
  const page = await signedIn();
  await page.goto(`${product.url}/admin/music/playlists`);
  const titles = async () =>
    (await call("ListPlaylists", {})).playlists[0].songs.map(({ song }: { song: { title: string } }) => song.title);
  const before = await titles();
  const rows = page.getByRole("region", { name: "Friday night" }).getByRole("listitem");
  const handle = page.getByRole("button", { name: `Move ${before[1]}`, exact: true });
  await dragByKeyboard(handle, rows.filter({ has: handle }), -3);
  const [first, second, ...others] = before;
  await until(async () => (await titles()).join() === [second, first, ...others].join());
  await page.getByRole("button", { name: "Order: by hand" }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await until(async () => (await titles()).join() === before.join());
  await page.getByRole("button", { name: "Order: by votes" }).waitFor();
  await browser.close();
});

test("skip and stop reach the wire before a listener could notice", async () => {
  const { playlists } = await call("ListPlaylists", {});
  await call("PlayPlaylist", { playlist_id: playlists[0].id, fade_seconds: 0 });
  await new Promise((later) => setTimeout(later, 1500));
  const waits: number[] = [];
  const machine = watchMachine();
  for (let n = 0; n < 3; n++) {
    const pressed = performance.now();
    await call("SkipSong", {});
    // Song time 0 again, so the frame differs from the one before the call.
    await until(() => node.packets.at(-1)!.at > pressed + 30);
    const before = node.packets.findLast(({ at }) => at <= pressed)!;
    await until(() => node.packets.some(({ at, slots }) => at > pressed && differs(slots, before.slots)));
    waits.push(node.packets.find(({ at, slots }) => at > pressed && differs(slots, before.slots))!.at - pressed);
    await new Promise((later) => setTimeout(later, 700));
  }
  const pressed = performance.now();
  await call("StopMusic", {});
  await until(isDark);
  waits.push(node.packets.find(({ at, slots }) => at > pressed && slots.every((level) => level === 0))!.at - pressed);
  process.stderr.write(`skip, skip, skip, stop at the wire after ${waits.map(Math.round).join(", ")} ms\n`);
  // The promise is 100 ms; a machine that runs every test at once gets more.
  expect(Math.max(...waits)).toBeLessThan(300 + 2 * machine.worst());
});

/** Whether a slot differs by more than one frame of a moving light. */
function differs(slots: Uint8Array, before: Uint8Array): boolean {
  return slots.some((level, slot) => Math.abs(level - before[slot]!) > 24);
}
