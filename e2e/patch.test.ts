import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eyeOf, fieldOf, RIGGING } from "../apps/console/src/stage-3d/stage-views.ts";
import { PAR_NODE, pollReply } from "../apps/server/src/stage/testing/artnet-emulator.ts";
import { listenForArtNet } from "./testing/art-net-listener.ts";
import { openBrowser } from "./testing/browser.ts";
import { until } from "./testing/product.ts";
import { sharedBrowser, sharedProduct, type SharedProduct } from "./testing/shared-product.ts";

const MOST_CLICKS = 14;
/** Maximum of them until eight pars are patched and their universe has an output. */
const MOST_TO_PATCH = 9;
const PARS = 8;
const CHANNELS = 4;

let product: SharedProduct;
let browser: Browser;
let page: Page;
let node: Awaited<ReturnType<typeof listenForArtNet>>;
let clicks = 0;
const typed: string[] = [];

beforeAll(async () => {
  product = await sharedProduct();
  node = await listenForArtNet({ answers: pollReply(PAR_NODE), port: product.nodePort });
  browser = await sharedBrowser();
  page = await openPage(browser);
  // Records every field that the operator has to type into.
  await page.exposeFunction("typedInto", (label: string) => typed.push(label));
  await page.addInitScript(() => {
    const tell = (event: Event) =>
      event.isTrusted && (window as any).typedInto((event.target as HTMLInputElement).name);
    addEventListener("input", tell, true);
  });
  await page.goto(`${product.url}/admin`);
});
afterAll(async () => {
  await browser?.close();
  node?.close();
});

async function openPage(of: Browser): Promise<Page> {
  const context = await of.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies([{ name: "followspot_session", value: await product.token(), url: product.url }]);
  const opened = await context.newPage();
  return opened;
}

async function click(what: Locator): Promise<void> {
  clicks++;
  await what.click();
}
const tab = (name: string) => page.getByRole("navigation", { name: "Main" }).getByRole("link", { name });
const named = (name: string | RegExp) => page.getByRole("button", { name, exact: typeof name === "string" });
/** Returns each fixture's slots: dimmer, red, green, blue. */
const lamps = () =>
  Array.from({ length: PARS }, (_, i) => [
    ...(node.packets.at(-1)?.slots ?? []).slice(i * CHANNELS, (i + 1) * CHANNELS),
  ]);
const isWhite = (lamp: readonly number[]) => lamp.length === CHANNELS && lamp.every((byte) => byte === 255);
const isDark = (lamp: readonly number[]) => lamp[0] === 0;

// kept: Stage and lamps | No screen could set an output, and none was found automatically | also
test("from nothing to a song in light: find a node, patch eight pars, identify one, play the demo song", async () => {
  await click(tab("Lights"));
  await page.getByText("No lights found. Create your first light to get started.").waitFor();

  await click(named("Find outputs…"));
  await page.getByText("Par node", { exact: true }).first().waitFor();
  await click(named(/^Send universe 1 there: Par node.*Port address 0/));
  await page.getByRole("listitem").filter({ hasText: "127.0.0.1" }).getByText("Silent").first().waitFor();
  await click(named("Close"));

  await click(named("Add several…").first());
  await click(named("Add 8 lights"));
  await page.getByText("8 lights · 1 universe").waitFor();
  await page.getByText("32 of 512 in use · next free for 8 channels: 33").waitFor();
  const { groups } = await product.call("lights.v1.LightsService/ListGroups", {});
  expect(groups).toMatchObject([{ name: "Pars", fixtureIds: Array.from({ length: PARS }, (_, i) => i + 1) }]);

  expect(clicks).toBeLessThanOrEqual(MOST_TO_PATCH);
  // The stage loads the fixtures within half a second; no user is as fast.
  await until(async () => (await stageHealth()).universes?.includes(1) === true);
  await click(page.getByRole("row", { name: /Par 3/ }).getByRole("button", { name: "Identify" }));
  await until(() => isWhite(lamps()[2]!));
  expect(lamps().filter(isDark)).toHaveLength(PARS - 1);
  await until(() => lamps().every(isDark)); // it blinks
  await until(() => isWhite(lamps()[2]!));

  await click(tab("Music"));
  await click(named("Add the demo songs"));
  const song = page.getByRole("row", { name: /Harbour Lights/ });
  await song.getByText("Ready").waitFor({ timeout: 90_000 });
  node.packets.length = 0;
  await click(song.getByRole("link").first());
  await click(page.getByRole("button", { name: "Play", exact: true }));
  await until(() => lamps().filter((lamp) => !isDark(lamp)).length > 0);
  const looks = () => new Set(node.packets.map(({ slots }) => slots.join())).size;
  await until(() => looks() > 20);

  expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
  expect(typed).toEqual([]);
});

test("a fixture dragged in the 3D stage is stored where it is dropped", async () => {
  await browser.close();
  browser = await openBrowser(["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]);
  page = await openPage(browser);
  await page.goto(`${product.url}/admin/lights`);
  await named("More").first().click(); // each fixture has one, too
  await page.getByRole("menuitem", { name: "Stage plan" }).click();
  await named("In 3D").click();
  await page.getByRole("img", { name: "Stage preview in three dimensions" }).waitFor();
  const layer = page.getByRole("group", { name: "Lamps on the stage" });
  const lamp = page.getByRole("button", { name: "Par 3: no place yet" });
  await lamp.waitFor();
  const box = (await layer.boundingBox())!;
  // Eight pars hang in a row 8.4 m wide; the third is dragged in the plane at its height to a corner of the grid.
  const from = spotOf([-1.8, 2.5, 4.5], box);
  const to = spotOf([-1, 4.25, 4.5], box);
  const middle = (await lamp.boundingBox())!;
  expect(Math.hypot(middle.x + middle.width / 2 - from.x, middle.y + middle.height / 2 - from.y)).toBeLessThan(2);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 3 });
  await page.mouse.up();
  await named("Save places").click();
  await page.getByText("1 lamp has a new place").waitFor();
  const { lights } = await product.call("lights.v1.LightsService/ListLights", {});
  expect(lights.map(({ pose }: { pose?: object }) => pose).filter(Boolean)).toEqual([{ x: -1, y: 4.25 }]);
});

/**
 * Projects a point of the stage to the page with the view's pinhole camera; meters to the right, to the hall and up.
 */
function spotOf(point: Point, box: { x: number; y: number; width: number; height: number }): { x: number; y: number } {
  const eye = eyeOf(RIGGING);
  const ahead = unit(minus(RIGGING.at, eye));
  // The axes of the stage are left-handed: to the right, to the hall, up.
  const right = unit(cross([0, 0, 1], ahead));
  const up = cross(ahead, right);
  const way = minus(point, eye);
  const depth = dot(way, ahead);
  const half = box.height / 2 / Math.tan((fieldOf(box.width / box.height) * Math.PI) / 360);
  return {
    x: box.x + box.width / 2 + (dot(way, right) / depth) * half,
    y: box.y + box.height / 2 - (dot(way, up) / depth) * half,
  };
}

type Point = readonly [x: number, y: number, z: number];
const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const unit = (a: Point): Point => {
  const length = Math.hypot(...a);
  return [a[0] / length, a[1] / length, a[2] / length];
};

async function stageHealth(): Promise<{ universes?: readonly number[] }> {
  const headers = { authorization: `Bearer ${await product.token()}` };
  return (await fetch(`${product.url}/api/stage/health`, { headers })).json() as Promise<object>;
}
