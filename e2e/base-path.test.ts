import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { strings } from "../apps/console/src/lib/strings.ts";
import { removeData, ROOT, startProduct, until, type Product } from "./testing/product.ts";
import { sharedBrowser } from "./testing/shared-product.ts";

/** It is also the beginning of the product's own paths, such as /lights/desk. */
const BASE_PATH = "/lights";

let product: Product;
let browser: Browser;
let context: BrowserContext;
/** Paths of all requests and sockets of all pages. */
const asked = new Set<string>();

beforeAll(async () => {
  product = await startProduct({ env: { FOLLOWSPOT_BASE_PATH: BASE_PATH } });
  browser = await sharedBrowser();
  context = await browser.newContext();
  const note = (url: string) => /^(http|ws)/.test(url) && asked.add(new URL(url).pathname);
  context.on("request", (request) => note(request.url()));
  context.on("page", (page) => page.on("websocket", (socket) => note(socket.url())));
});
afterAll(async () => {
  await context?.close();
  await product?.stop();
  await removeData(product?.dataDir);
});

test("below a base path, no screen requests anything outside it", async () => {
  const page = await context.newPage();
  expect(new URL(product.ownerLink!).pathname).toBe(`${BASE_PATH}/admin`);
  await page.goto(product.ownerLink!);
  await page.getByLabel("Name").fill("Ada");
  await page.getByLabel("Email").fill("ada@example.org");
  await page.getByRole("button", { name: "Become owner" }).click();
  await page.getByRole("link", { name: "Music", exact: true }).click();
  await page.waitForURL(`**${BASE_PATH}/admin/music`);

  for (const path of await screens()) {
    await page.goto(`${product.url}${BASE_PATH}/admin${path}`);
    const title = await page.getByRole("heading", { level: 1 }).first().textContent();
    expect([strings.notFound, strings.screenFailed], path).not.toContain(title);
  }
  await page.goto(`${product.url}${BASE_PATH}/me`);
  await page.locator('a[href="#me"]').waitFor();
  await page.evaluate(() => navigator.serviceWorker.ready.then(({ scope }) => scope));
  for (const linked of ["stage/default", "player"]) await page.goto(`${product.url}${BASE_PATH}/${linked}`);

  await page.goto(`${product.url}${BASE_PATH}/admin/desk`);
  for (const socket of ["/ws/events", "/lights/desk"]) await until(() => asked.has(BASE_PATH + socket));
  expect([...asked].filter((path) => !path.startsWith(`${BASE_PATH}/`))).toEqual([]);
  // The product's own paths that begin like the base path are not requested without it either.
  expect([...asked].filter((path) => /^\/lights\/(desk|lamps|playback|sound)/.test(path))).toEqual([]);
});

/** Paths below /admin of the screens that need no row. The visualizer without a song has no title. */
async function screens(): Promise<readonly string[]> {
  const text = await readFile(join(ROOT, "apps/console/dist/screens.json"), "utf8");
  const built = JSON.parse(text) as readonly { readonly path: string }[]; // written by the build
  return built.map(({ path }) => path).filter((path) => !path.includes("$") && path !== "/music/visualizer");
}
