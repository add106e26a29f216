import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { synthesiseSong } from "../apps/server/src/cli/synthetic-song.ts";
import { ConsoleSocket } from "../apps/server/src/stage/testing/console-socket.ts";
import { quarterFrames } from "../packages/lighting/src/testing/leaders.ts";
import { listenForArtNet } from "./testing/art-net-listener.ts";
import { openBrowser } from "./testing/browser.ts";
import { delayedMicrophone, fakeMidi, sayInTime } from "./testing/fake-inputs.ts";
import { removeData, startProduct, until, type Product } from "./testing/product.ts";
import { isReady, lightPars, upload } from "./testing/songs.ts";

/*
 * MIDI hardware and a microphone are not to be had in a test: Web MIDI is a fake put into the page, which sends what a
 * deck would with the time stamps a browser gives; the microphone is the page's own sound, some ms later.
 */
let product: Product;
let node: Awaited<ReturnType<typeof listenForArtNet>>;
let browser: Browser;
let page: Page;
let song: string;
const MIC_DELAY_MS = 150;

beforeAll(async () => {
  [product, node, browser] = await Promise.all([
    startProduct(),
    listenForArtNet(),
    openBrowser(["--use-fake-ui-for-media-stream"]),
  ]);
  await lightPars(product, 4, node.port);
  const { body } = await upload(product, "Test Artist - Deck.wav", synthesiseSong(30, 120));
  song = body.song.id;
  const context = await browser.newContext();
  await context.addCookies([{ name: "followspot_session", value: await product.token(), url: product.url }]);
  page = await context.newPage();
  page.setDefaultTimeout(10_000);
  await page.addInitScript(fakeMidi);
  await page.addInitScript(delayedMicrophone, MIC_DELAY_MS);
}, 60_000);
afterAll(async () => {
  await browser?.close();
  node?.close();
  await product?.stop();
  await removeData(product.dataDir);
});

/** When the lamps came on: ms since the epoch. */
const flashes = () =>
  node.packets
    .filter(({ slots }, i) => i > 0 && slots[0]! > 200 && node.packets[i - 1]!.slots[0] === 0)
    .map(({ at }) => performance.timeOrigin + at);

/** Where in its second the sound begins: ms since the epoch, a whole second off. */
const clicksAt = () =>
  page.evaluate(() => {
    const audio = document.querySelector("audio")!;
    return performance.timeOrigin + performance.now() - audio.currentTime * 1000;
  });

/** How long after the click light comes, ms; the median of the next flashes. */
async function lightAfterClick(): Promise<number> {
  node.packets.length = 0;
  await until(() => flashes().length >= 3, 8000);
  const zero = await clicksAt();
  const late = flashes().map((at) => ((((at - zero + 500) % 1000) + 1000) % 1000) - 500);
  return late.sort((a, b) => a - b)[late.length >> 1]!;
}

test("the lamps flash with the click, and a new offset moves the flash by as much within a second", async () => {
  await page.goto(`${product.url}/admin/lights`);
  await page.getByRole("button", { name: "Outputs" }).click();
  await page.getByRole("link", { name: "Set offsets" }).click();
  await page.getByLabel("Output").selectOption({ index: 1 });
  await page.getByRole("button", { name: "Flash and click" }).click();
  await page.getByText("Stage in sync").waitFor();
  const before = await lightAfterClick();
  await page.getByLabel("Exact value").fill("120");
  await page.getByText("Set on the output").waitFor();
  await page.waitForTimeout(800);
  const after = await lightAfterClick();
  process.stderr.write(`light after click: ${before.toFixed(1)} ms, with an offset of 120: ${after.toFixed(1)} ms\n`);
  expect(Math.abs(before)).toBeLessThan(60);
  // A flash begins with a frame: 23 ms apart.
  expect(Math.abs(after - before - 120)).toBeLessThan(30);
  await page.getByRole("button", { name: "Put back" }).click();
  await page.getByText("What was there before is back.").waitFor();
});

test("a microphone says how late the sound is, and what offset follows", async () => {
  await page.getByRole("button", { name: "Measure", exact: true }).click();
  const result = page.getByText(/Sound is -?\d+ ms late/);
  await result.waitFor({ timeout: 20_000 });
  const [, late] = /Sound is (-?\d+) ms/.exec((await result.textContent()) ?? "") ?? [];
  process.stderr.write(`${await result.textContent()} The microphone was ${MIC_DELAY_MS} ms late.\n`);
  expect(Number(late)).toBeGreaterThan(MIC_DELAY_MS - 40);
  expect(Number(late)).toBeLessThan(MIC_DELAY_MS + 120);
  await page.getByRole("button", { name: /^Use / }).click();
  await page.getByText("Set on the output").waitFor();
  const { outputs } = await product.call("lights.v1.LightsService/ListOutputs", {});
  expect(outputs[0].offsetMs).toBe(Number(late) - 34);
  // Whoever leaves without keeping it is asked, and what was there comes back.
  await page.getByRole("link", { name: "Music" }).click();
  await page.getByRole("button", { name: "Leave", exact: true }).click();
  await page.getByRole("heading", { name: "Music" }).waitFor();
  const back = await product.call("lights.v1.LightsService/ListOutputs", {});
  expect(back.outputs[0].offsetMs ?? 0).toBe(0);
  await until(() => node.packets.at(-1)!.slots.every((slot) => slot === 0), 3000);
});

test("a deck that sends MIDI time code leads the song on the stage", async () => {
  await until(() => isReady(product, song), 60_000);
  await page.goto(`${product.url}/admin/music/${song}/visualizer`);
  await page.getByLabel("Song starts at").waitFor({ state: "detached" });
  await page.getByLabel("Led by").selectOption({ label: "MIDI time code" });
  await page.getByLabel("Song starts at").fill("01:00:00:00");
  await page.getByLabel("Song starts at").press("Enter");
  await page.getByText("Waiting for time code").waitFor();
  const headers = { authorization: `Bearer ${await product.token()}` };
  const watcher = await new ConsoleSocket(`${product.url.replace("http", "ws")}/lights/playback/${song}`, {
    headers,
  }).opened();
  // A deck at +4 % from five seconds into the song on, each message up to 5 ms early or late.
  const startMs = (await page.evaluate(() => performance.now())) + 100;
  const said = quarterFrames({ rate: "25", frame: (3600 + 5) * 25 + 1, seconds: 5, speed: 1.04, startMs }).map(
    ({ bytes, atMs }) => ({ bytes: [...bytes], atMs: atMs + (Math.random() * 2 - 1) * 5 }),
  );
  const origin = await page.evaluate(() => performance.timeOrigin);
  await page.evaluate(sayInTime, said);
  await page.getByText("Locked").waitFor();
  await until(() => watcher.state?.mode === "playing", 3000);
  const off: number[] = [];
  await until(() => {
    const { state } = watcher;
    if (state?.mode !== "playing") return false;
    const truth = 5 + ((Date.now() - origin - startMs) / 1000) * 1.04 + 1 / 25;
    // Since the state was told song time went on by its own pace.
    off.push((watcher.clockOffset + performance.now() / 1000 - truth) * 1000);
    return off.length >= 3;
  }, 5000);
  await page.getByText("Lost: running on by itself").waitFor();
  await page.getByText("Holding").waitFor();
  await until(() => watcher.state?.mode === "paused", 2000);
  // Five seconds of the deck and two of its own.
  expect(watcher.state!.position).toBeGreaterThan(5 + 6.8 * 1.04);
  expect(watcher.state!.position).toBeLessThan(5 + 7.3 * 1.04);
  watcher.close();
});
