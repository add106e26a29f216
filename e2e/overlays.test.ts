import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AROUND, COLOURS, faultsOf, pointerOnly } from "./testing/accessibility.ts";
import { listenForArtNet } from "./testing/art-net-listener.ts";
import { showNight, type Shown } from "./testing/demo-night.ts";
import { OPENED_SCREENS, type OpenedScreen, type Overlay } from "./testing/overlays.ts";
import { sharedBrowser, sharedProduct, type SharedProduct } from "./testing/shared-product.ts";

/** Maximum time an overlay may take to close, ms. */
const CLOSING_MS = 1000;
/** Notices are dialogs as well, and stay beside the overlay. */
const OVERLAY = ":is([role=dialog], [role=alertdialog], [role=menu]):not([aria-label=Notices] *)";

let product: SharedProduct;
let node: Awaited<ReturnType<typeof listenForArtNet>>;
let browser: Browser;
let page: Page;
let shown: Shown;
const complaints: string[] = [];

beforeAll(async () => {
  [product, node, browser] = await Promise.all([sharedProduct(), listenForArtNet(), sharedBrowser()]);
  shown = await showNight(product, node);
  // A moving preview takes half of the processor and does not change any dialog.
  await product.call("music.v1.MusicService/PauseMusic", {});
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies([{ name: "followspot_session", value: await product.token(), url: product.url }]);
  page = await context.newPage();
  page.on("pageerror", ({ message }) => complaints.push(message));
});
afterAll(async () => {
  await browser?.close();
  node?.close();
});

test.each(OPENED_SCREENS)("every overlay on $name passes axe in both themes", async (screen) => {
  const faults: string[] = [];
  // One component opens every overlay of a role, so the page around it is checked once per screen and role.
  const roles = new Set<string | null>();
  for (const [i, overlay] of screen.opens.entries()) {
    await open(screen, overlay, i === 0);
    const look = async (theme: string, rules?: readonly string[], within?: string) => {
      await page.evaluate((chosen) => (document.documentElement.dataset["theme"] = chosen), theme);
      faults.push(...(await faultsOf(page, rules, within)).map((fault) => `${theme} ${overlay.name}: ${fault}`));
    };
    await look("dark", undefined, OVERLAY);
    faults.push(...(await pointerOnly(page)).map((fault) => `${overlay.name}: ${fault}`));
    const role = overlay.is ? null : await page.locator(OVERLAY).last().getAttribute("role");
    if (!roles.has(role)) await look("dark", AROUND);
    roles.add(role);
    await look("light", COLOURS, OVERLAY);
  }
  expect([...faults, ...complaints.splice(0)]).toEqual([]);
});

/** Opens an overlay on its screen, which is loaded for the first overlay only and navigated back for the others. */
async function open({ path }: OpenedScreen, { search, press, is }: Overlay, isFirst: boolean): Promise<void> {
  const bare = path(shown);
  const address = `${bare}${search?.(shown) ?? ""}`;
  if (isFirst) await page.goto(`${product.url}${address}`);
  else {
    await goTo(bare);
    await closeAll();
    if (address !== bare) await goTo(address);
  }
  if (press) {
    // Keys are handled once the screen, or the overlay of its address, is rendered.
    await page.getByRole("heading").first().waitFor();
    await press(page);
  }
  await (is?.(page) ?? page.locator(OVERLAY).last()).waitFor();
  await page.waitForFunction(
    () => ![...document.querySelectorAll("[role=status]")].some(({ textContent }) => textContent === "Loading..."),
  );
}

/** Presses Escape as long as that closes an overlay: one that shows a token once stays open. */
async function closeAll(): Promise<void> {
  const opened = page.locator(OVERLAY);
  let before = Infinity;
  for (let left = await opened.count(); left > 0 && left < before; left = await opened.count()) {
    before = left;
    await page.keyboard.press("Escape");
    await opened
      .nth(left - 1)
      .waitFor({ state: "detached", timeout: CLOSING_MS })
      .catch(() => {});
  }
}

/** Navigates like a link within the console. */
const goTo = (address: string) => page.evaluate((to) => history.pushState(null, "", to), address);
