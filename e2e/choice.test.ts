import { isDeepStrictEqual } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Cue, LightingPlan } from "@followspot/contract";
import { synthesiseSong } from "../apps/server/src/testing/synthetic-song.ts";
import { until } from "./testing/product.ts";
import { sharedBrowser, sharedProduct, type SharedProduct } from "./testing/shared-product.ts";
import { isReady, upload } from "./testing/songs.ts";

let product: SharedProduct;
let browser: Browser;
let page: Page;
let song: string;

beforeAll(async () => {
  product = await sharedProduct();
  const { body } = await upload(product, "Test Artist - Many Shows.wav", synthesiseSong(60, 124));
  song = body.song.id;
  await until(() => isReady(product, song), 120_000);
  browser = await sharedBrowser();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies([{ name: "followspot_session", value: await product.token(), url: product.url }]);
  page = await context.newPage();
  await page.goto(`${product.url}/admin/music/${song}/visualizer`);
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.getByText(/The best of \d shows/).waitFor();
});
afterAll(async () => {
  await browser?.close();
});

async function played(): Promise<LightingPlan> {
  const { lightingPlanJson } = await product.call("music.v1.MusicService/GetSongLighting", { song_id: song });
  return JSON.parse(lightingPlanJson) as LightingPlan;
}
const isReadyNow = () => isReady(product, song);
const newest = async () =>
  (await product.call("music.v1.MusicService/ListPlanRevisions", { song_id: song })).revisions[0];
/** Omits the brightness, which is distributed over the whole song. */
const shapes = (cues: readonly Cue[]) => cues.map(({ time, intent, palette }) => ({ time, intent, palette }));
/** Waits for a plan newer than the given one. */
async function nextPlan(after: number): Promise<LightingPlan> {
  await until(async () => (await newest()).number > after && (await isReadyNow()), 60_000);
  return played();
}
const cuesOf = ({ event_lanes }: LightingPlan, from: number, to: number): Cue[] =>
  Object.values(event_lanes).flatMap((cues) => cues.filter(({ time }) => time >= from && time < to));

test("a selected runner-up is another show, which the page plays once it is planned", async () => {
  const before = await played();
  const { number } = await newest();
  await page.getByRole("button", { name: /^Try: / }).first().click(); // prettier-ignore
  await page.getByText(/Planning…/).waitFor();
  const after = await nextPlan(number);
  expect(after.seed).toBe(before.choice!.runners_up[0]!.seed);
  expect(after.event_lanes).not.toEqual(before.event_lanes);
  await page.getByText(/chosen by hand/).waitFor();
  await page.getByRole("button", { name: `Undo: ${before.choice!.runners_up[0]!.differs.join("; ")}` }).waitFor();
});

// kept: Shows | A single section could not be rerolled, and no cue could be locked | failed with the fault put back
test("rerolling one section leaves the others unchanged", async () => {
  const before = await played();
  const sections = before.sections!;
  // The strongest section: quiet ones have fewer looks to choose from.
  const index = sections.findIndex(({ rank }) => rank === Math.max(...sections.map((section) => section.rank)));
  const { start, end } = sections[index]!;
  const slider = page.getByRole("slider", { name: "Song position" });
  for (let at = 0; at < start; at += 5) await slider.press("ArrowRight");
  const inside = (plan: LightingPlan) => shapes(cuesOf(plan, start, end));
  let after = before;
  for (let roll = 0; roll < 4 && isDeepStrictEqual(inside(after), inside(before)); roll++) {
    const { number } = await newest();
    await page.getByRole("button", { name: "Roll this section again" }).click();
    after = await nextPlan(number);
  }
  const { wishesJson } = await product.call("music.v1.MusicService/GetShowWishes", { song_id: song });
  expect(Object.keys(JSON.parse(wishesJson).section_seeds)).toEqual([String(index)]);
  expect(inside(after)).not.toEqual(inside(before));
  const elsewhere = (plan: LightingPlan) => shapes([...cuesOf(plan, 0, start - 5), ...cuesOf(plan, end, 1e9)]);
  expect(elsewhere(after)).toEqual(elsewhere(before));
});

// kept: Shows | A single section could not be rerolled, and no cue could be locked | also
test("a cue locked in the cue table stays when another show is selected", async () => {
  const { number } = await newest();
  await page.locator("summary", { hasText: "Cue table" }).click();
  await page.getByRole("button", { name: /^Choose the cue of Par/ }).first().click(); // prettier-ignore
  await page.getByRole("button", { name: "Lock", exact: true }).click();
  await page.getByText("Unsaved changes of cues").waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const locked = await nextPlan(number);
  const cue = locked.event_lanes["role:par"]!.find(({ kept }) => kept)!;
  await page.getByRole("button", { name: "Back to the best" }).click();
  const after = await nextPlan(number + 1);
  // The seed may be the same: with the lock and the reroll, the selected show can be the best one.
  const { wishesJson } = await product.call("music.v1.MusicService/GetShowWishes", { song_id: song });
  expect(JSON.parse(wishesJson).seed).toBe(0);
  expect(after.event_lanes["role:par"]).toContainEqual(cue);
});

test("undo restores the previous show exactly, without planning", async () => {
  const { number } = await newest();
  await page.getByRole("button", { name: "Undo: back to the best" }).click();
  await page.getByText(/chosen by hand/).waitFor();
  await until(async () => !(await newest()).isCurrent);
  expect((await newest()).number).toBe(number);
  expect((await played()).event_lanes["role:par"]!.some(({ kept }) => kept)).toBe(true);
});

test("the song's row shows the worst remark about its show, and no good ones", async () => {
  const { choice } = await played();
  await page.goto(`${product.url}/admin/music`);
  await page.getByRole("row").nth(1).waitFor();
  const [worst] = choice!.remarks.filter(({ isGood }) => !isGood);
  if (worst) await page.getByText(worst.text).first().waitFor(); // after the warnings of the analysis
  const good = choice!.remarks.find(({ isGood }) => isGood)!;
  expect(await page.getByText(good.text).count()).toBe(0);
});
