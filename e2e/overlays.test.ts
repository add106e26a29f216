import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { COLOURS, faultsOf } from "./testing/accessibility.ts";
import { listenForArtNet } from "./testing/art-net-listener.ts";
import { openBrowser } from "./testing/browser.ts";
import { showNight, type Shown } from "./testing/demo-night.ts";
import { OPENED_SCREENS, type OpenedScreen, type Overlay } from "./testing/overlays.ts";
import { removeData, startProduct, type Product } from "./testing/product.ts";

const OVERLAY = "[role=dialog], [role=alertdialog], [role=menu]";

let product: Product;
let node: Awaited<ReturnType<typeof listenForArtNet>>;
let browser: Browser;
let page: Page;
let shown: Shown;
const complaints: string[] = [];

beforeAll(async () => {
  [product, node, browser] = await Promise.all([startProduct(), listenForArtNet(), openBrowser()]);
  shown = await showNight(product, node);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies([{ name: "followspot_session", value: await product.token(), url: product.url }]);
  page = await context.newPage();
  page.on("pageerror", ({ message }) => complaints.push(message));
}, 240_000);
afterAll(async () => {
  await browser?.close();
  node?.close();
  await product?.stop();
  await removeData(product.dataDir);
});

test.each(OPENED_SCREENS)("nothing that opens on $name has a fault that axe finds, in either theme", async (screen) => {
  const faults: string[] = [];
  for (const overlay of screen.opens) {
    await open(screen, overlay);
    for (const [theme, rules] of [["dark"], ["light", COLOURS]] as const) {
      await page.evaluate((chosen) => (document.documentElement.dataset["theme"] = chosen), theme);
      faults.push(...(await faultsOf(page, rules)).map((fault) => `${theme} ${overlay.name}: ${fault}`));
    }
  }
  expect([...faults, ...complaints.splice(0)]).toEqual([]);
});

async function open({ path }: OpenedScreen, { search, press, is }: Overlay): Promise<void> {
  await page.goto(`${product.url}${path(shown)}${search?.(shown) ?? ""}`);
  if (press) {
    // Keys are heard once the screen is there, or what the address has opened over it.
    await page.getByRole("heading").first().waitFor();
    await press(page);
  }
  await (is?.(page) ?? page.locator(OVERLAY).last()).waitFor();
  await page.waitForFunction(
    () => ![...document.querySelectorAll("[role=status]")].some(({ textContent }) => textContent === "Loading..."),
  );
}
