import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { widestColour } from "../apps/server/src/testing/pictures.ts";
import { synthesiseSong } from "../apps/server/src/testing/synthetic-song.ts";
import { until } from "./testing/product.ts";
import { sharedBrowser, sharedProduct, type SharedProduct } from "./testing/shared-product.ts";
import { lightPars, songOf, upload } from "./testing/songs.ts";

/** Colorfulness of a preview with lit fixtures, see {@link widestColour}. */
const COLOURED = 80;
const LINKS = ["away0000001", "away0000002", "away0000003"];

let product: SharedProduct;
let browser: Browser;
let page: Page;
let folder: string;
let clicks = 0;

beforeAll(async () => {
  [product, browser, folder] = await Promise.all([
    sharedProduct(),
    sharedBrowser(),
    mkdtemp(join(tmpdir(), "followspot-clicks-")),
  ]);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies([{ name: "followspot_session", value: await product.token(), url: product.url }]);
  page = await context.newPage();
});
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

async function click(what: Locator): Promise<void> {
  clicks++;
  await what.click();
}
const button = (name: string) => page.getByRole("button", { name, exact: true });
const tab = (name: string) => page.getByRole("navigation", { name: "Main" }).getByRole("link", { name });

/** Opens the dashboard, where a user starts, and resets the count. */
async function begin(): Promise<void> {
  await page.goto(`${product.url}/admin`);
  await page.getByText("System overview and statistics").waitFor();
  clicks = 0;
}

test("a file becomes a lit preview in four clicks", async () => {
  await lightPars(product, 8, 9);
  const file = join(folder, "House Band - Four Clicks.wav");
  await writeFile(file, synthesiseSong(8, 120));
  await begin();
  await click(tab("Music"));
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), click(button("Upload files"))]);
  await chooser.setFiles([file]);
  const song = page.getByRole("row", { name: /Four Clicks/ });
  await song.getByText("Ready").waitFor({ timeout: 60_000 });
  await click(song.getByRole("link").first());
  await click(page.getByRole("button", { name: "Play", exact: true }));
  const stage = page.getByRole("img", { name: /^Stage preview/ });
  await until(async () => (await widestColour(await stage.screenshot())) > COLOURED);
  expect(clicks).toBeLessThanOrEqual(4);
});

test("three songs that failed for one reason are retried in two clicks", async () => {
  const ids: string[] = [];
  for (const link of LINKS) {
    const { song } = await product.call("music.v1.MusicService/CreateSong", { url: `https://youtu.be/${link}` });
    ids.push(song.id);
  }
  const failed = async (id: string) => (await songOf(product, id)).errorMessage !== undefined;
  for (const id of ids) await until(() => failed(id));
  const tries = async (id: string) =>
    (await product.call("music.v1.MusicService/ListSongSteps", { song_id: id })).steps.length as number;
  expect(await Promise.all(ids.map(tries))).toEqual([1, 1, 1]);
  await begin();
  await click(page.getByRole("button", { name: /^Retry all/ }).first());
  await until(async () => (await Promise.all(ids.map(tries))).every((count) => count === 2));
  expect(clicks).toBeLessThanOrEqual(2);
});

test("a user becomes an Admin in four clicks", async () => {
  await begin();
  await click(tab("Users"));
  await click(button("New User"));
  await page.getByLabel(/^Name/).fill("Nadia");
  await page.getByLabel("Email").fill("nadia@example.org");
  await click(page.getByRole("checkbox", { name: "Admin" }));
  await click(button("Create User"));
  await page.getByRole("row").filter({ hasText: "nadia@example.org" }).waitFor();
  const { users } = await product.call("user.v1.UserService/ListUsers", { list: { query: "nadia" } });
  expect(users).toMatchObject([{ name: "Nadia", roles: ["Admin"] }]);
  expect(clicks).toBeLessThanOrEqual(4);
});

test("a playlist of ten songs is in order after fourteen clicks", async () => {
  // Their analyses are not needed.
  const inAnHour = new Date(Date.now() + 3600_000).toISOString();
  await product.call("queues.v1.QueuesService/PauseQueue", { queue: "SONGS", until: inAnHour });
  const titles = Array.from({ length: 10 }, (_, i) => `Tune ${String(i + 1).padStart(2, "0")}`);
  for (const [i, title] of titles.entries())
    await upload(product, `House Band - ${title}.wav`, synthesiseSong(4, 100 + i));
  await begin();
  await click(tab("Music"));
  await click(page.getByRole("link", { name: "Playlists" }));
  await click(button("New Playlist"));
  await page.getByLabel("Name").fill("Ten tunes");
  await click(button("Create Playlist"));
  for (const title of titles) await click(page.getByRole("button", { name: `Add: ${title}` }));
  const order = async () => {
    const { playlists } = await product.call("music.v1.MusicService/ListPlaylists", {});
    return playlists[0].songs?.map(({ song }: { song: { title: string } }) => song.title);
  };
  await until(async () => (await order())?.length === 10);
  expect(await order()).toEqual(titles);
  expect(clicks).toBeLessThanOrEqual(14);
});
