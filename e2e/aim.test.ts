import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { faultsOf } from "./testing/accessibility.ts";
import { listenForArtNet } from "./testing/art-net-listener.ts";
import { until } from "./testing/product.ts";
import { sharedBrowser, sharedProduct, type SharedProduct } from "./testing/shared-product.ts";

/** Folder for screenshots; none are taken without it. */
const SHOTS = process.env["AIM_SHOTS"];

let product: SharedProduct;
let browser: Browser;
let page: Page;
let node: Awaited<ReturnType<typeof listenForArtNet>>;

beforeAll(async () => {
  node = await listenForArtNet();
  product = await sharedProduct();
  await product.call("lights.v1.LightsService/SetOutputs", {
    outputs: [{ protocol: "artnet", host: "127.0.0.1", port: node.port, universe: 1, enabled: true }],
  });
  const head = { label: "Head", lightType: "generic_moving_wash", mode: "12 channels" };
  await product.call("lights.v1.LightsService/CreateLight", head);
  browser = await sharedBrowser();
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  await context.addCookies([{ name: "followspot_session", value: await product.token(), url: product.url }]);
  page = await context.newPage();
});
afterAll(async () => {
  await browser?.close();
  node?.close();
});

async function stageHealth(): Promise<{ universes?: readonly number[] }> {
  const headers = { authorization: `Bearer ${await product.token()}` };
  return (await fetch(`${product.url}/api/stage/health`, { headers })).json() as Promise<object>;
}
const slots = () => node.packets.at(-1)?.slots ?? [];
/** Returns pan and tilt of the head on the wire, 0..1 each. */
const aim = () => [(slots()[0]! * 256 + slots()[1]!) / 65535, (slots()[2]! * 256 + slots()[3]!) / 65535];
const isLit = () => slots()[5] === 255;
const looksAt = (pan: number, tilt: number) => Math.abs(aim()[0]! - pan) < 0.01 && Math.abs(aim()[1]! - tilt) < 0.01;

test("a head is aimed on a phone: it follows the finger on the wire, and the stored aim persists", async () => {
  await page.goto(`${product.url}/admin/lights`);
  // The stage loads the new fixture within half a second.
  const identify = page.getByRole("button", { name: "Identify" }).first();
  await identify.waitFor();
  await until(async () => (await stageHealth()).universes?.includes(1) === true);
  await identify.tap();
  const pad = page.getByRole("slider", { name: "Where the lamp looks" });
  await pad.waitFor();
  await until(() => isLit() && looksAt(0.5, 0.5));
  const box = (await pad.boundingBox())!;
  expect(box.width).toBeGreaterThan(250);
  await page.touchscreen.tap(box.x + box.width * 0.25, box.y + box.height * 0.25);
  await until(() => looksAt(0.25, 0.75));
  await pad.focus();
  await page.keyboard.press("ArrowRight");
  await until(() => looksAt(0.26, 0.75));
  expect(await faultsOf(page)).toEqual([]);
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/aim-1.png` });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);

  await page.getByRole("button", { name: "Store Home" }).tap();
  await page.getByText("26 % / 75 %").waitFor();
  await page.getByLabel("Invert pan").tap();
  await until(() => looksAt(0.74, 0.75));
  if (SHOTS) {
    await page.getByLabel("Tilt range").scrollIntoViewIfNeeded();
    await page.screenshot({ path: `${SHOTS}/aim-2.png` });
  }
  await page.getByRole("button", { name: "Done" }).tap();
  await until(() => !isLit());
  const { lights } = await product.call("lights.v1.LightsService/ListLights", {});
  expect(lights[0].aim).toMatchObject({ invertPan: true, home: { pan: 0.74, tilt: 0.75 } });
});
