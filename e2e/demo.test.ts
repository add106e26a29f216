import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeData, startProduct, until, type Product } from "./testing/product.ts";
import { sharedBrowser } from "./testing/shared-product.ts";

const LIT_MS = 120_000;

let product: Product;
let browser: Browser;
/** Page on which the owner is signed in. */
let owner: Page;
beforeAll(async () => {
  browser = await sharedBrowser();
  product = await startProduct({ words: ["--demo"] });
});
afterAll(async () => {
  await browser?.close();
  await product.stop();
  await removeData(product.dataDir);
  await removeData(product.dataDir.replace(/-demo$/, ""));
});

test.each([
  ["DATABASE_URL", "postgres://127.0.0.1:5432/followspot"],
  ["NATS_URL", "nats://127.0.0.1:4222"],
])("a demo refuses a %s, which may contain real data", async (name, url) => {
  await expect(startProduct({ words: ["--demo"], env: { [name]: url } })).rejects.toThrow(
    "Start it without DATABASE_URL and NATS_URL",
  );
});

test("a demo night has users, talks, fixtures in three universes and a chat, all labeled, in a separate folder", async () => {
  expect(product.dataDir).toMatch(/-demo$/);
  expect(product.output()).toContain(`delete ${product.dataDir} to begin it anew`);
  const [{ users }, { events }, { talks }, { lights }, { threads }] = await Promise.all([
    product.call("user.v1.UserService/ListUsers", { list: { query: "Demo:" } }),
    product.call("event.v1.EventService/ListEvents", {}),
    product.call("talk.v1.TalkService/ListTalks", {}),
    product.call("lights.v1.LightsService/ListLights", {}),
    product.call("chat.v1.ChatService/ListThreads", {}),
  ]);
  expect([users.length, events.length, talks.length, lights.length]).toEqual([8, 1, 3, 24]);
  expect(new Set(lights.map(({ universe }: { universe: number }) => universe))).toEqual(new Set([1, 2, 3]));
  for (const { title, label } of [...events, ...talks, ...lights, ...threads])
    expect(title ?? label).toMatch(/^Demo: /);
});

test("its three songs are in a playlist, analyzed and planned by the real pipeline", { timeout: LIT_MS }, async () => {
  const isLit = ({ song }: any) => song.lighting_status === "ready" || song.lightingStatus === "ready";
  await until(async () => {
    const { playlists } = await product.call("music.v1.MusicService/ListPlaylists", {});
    return playlists[0].songs.length === 3 && playlists[0].songs.every(isLit);
  }, LIT_MS);
});

/** Returns pairs of overlapping controls in the header, by their texts. */
const overlaps = (page: Page) =>
  page.evaluate(() => {
    const parts = [
      ...document.querySelectorAll("header h1, header select, header button, header a, header [role=group] > p"),
    ];
    const boxes = parts.map((part) => ({ part, box: part.getBoundingClientRect() })).filter(({ box }) => box.width > 0);
    return boxes.flatMap(({ part, box }, i) =>
      boxes
        .slice(i + 1)
        .filter(({ part: other }) => !part.contains(other) && !other.contains(part))
        .filter(({ box: b }) => box.left < b.right - 1 && b.left < box.right - 1)
        .filter(({ box: b }) => box.top < b.bottom - 1 && b.top < box.bottom - 1)
        .map(({ part: other }) => `${part.textContent} and ${other.textContent}`),
    );
  });

test("the header of a show does not overlap at any width, also with a long title", async () => {
  const page = (owner = await (await browser.newContext()).newPage());
  await page.goto(product.ownerLink!);
  await page.getByLabel("Name").fill("Ada");
  await page.getByLabel("Email").fill("ada@example.org");
  await page.getByRole("button", { name: "Become owner" }).click();
  await page.getByText("System overview and statistics").waitFor();
  const { songs } = await product.call("music.v1.MusicService/ListSongs", { list: { query: "Second-hand" } });
  await page.goto(`${product.url}/admin/music/${songs[0].id}/visualizer`);
  await page.getByRole("heading", { name: "Eight Second-hand Pars (demo)" }).waitFor();
  for (const width of [1920, 1440, 1401, 1280, 1024, 700, 641, 640, 481, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => page.evaluate(() => innerWidth)).toBe(width);
    await expect.poll(() => overlaps(page), { message: `at ${width}` }).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `at ${width}`).toBeLessThanOrEqual(width);
  }
});

test("its playlist lights the preview on Tonight, with the note that no fixture is lit", async () => {
  await owner.setViewportSize({ width: 1440, height: 900 });
  await owner.goto(`${product.url}/admin/tonight`);
  await owner.getByRole("button", { name: 'Play "Demo: Friday night"' }).click();
  const lit = () =>
    owner
      .locator("[data-lamp]")
      .evaluateAll((lamps) => lamps.filter((lamp) => lamp.getAttribute("color") !== "transparent").length);
  await expect.poll(lit).toBeGreaterThan(4);
  await owner.getByText("Preview only: no output is set up yet, so no lamp is lit.").waitFor();
  await product.call("music.v1.MusicService/StopMusic", {});
});

test("a restart shows the same night, without duplicates", async () => {
  const { dataDir } = product;
  await product.stop();
  product = await startProduct({ words: ["--demo"], dataDir: dataDir.replace(/-demo$/, "") });
  const { lights } = await product.call("lights.v1.LightsService/ListLights", {});
  expect(lights).toHaveLength(24);
});

test("one click on the dashboard removes it, and another creates it again", async () => {
  const count = async () => (await product.call("lights.v1.LightsService/ListLights", {})).lights?.length ?? 0;
  await owner.setViewportSize({ width: 1440, height: 900 });
  await owner.goto(`${product.url}/admin`);
  await owner.getByRole("button", { name: "Remove the demo night" }).click();
  await owner.getByRole("button", { name: "Show me a night" }).waitFor();
  expect(await count()).toBe(0);
  await owner.getByRole("button", { name: "Show me a night" }).click();
  await owner.getByText(/^Making the demo night/).waitFor();
  await expect.poll(count).toBe(24);
});
