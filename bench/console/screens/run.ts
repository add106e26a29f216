/**
 * Takes pictures of every screen of the console, and holds each against the two faults a picture shows late: an error that the
 * page logged, and a page that scrolls sideways.
 *
 *   npm run screenshots                          every screen, both themes, all states, into screenshots/
 *   npm run screenshots -- --out DIR --only lights --states full,phone
 *   npm run screenshots -- --guide               those of the guides, into docs/guide/screens/
 *
 * States: empty (a new installation), full (the demo night, playing to a node on loopback), phone (the same at 360 px), loading
 * (calls are not answered), error (calls are answered by 503). Prints a line per picture; ends with 1 when one has a fault. All of
 * it takes about twenty minutes.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { loadSharp } from "../../../apps/server/src/songs/film/draw-pictures.ts";
import { listenForArtNet } from "../../../e2e/testing/art-net-listener.ts";
import { showNight, type Shown } from "../../../e2e/testing/demo-night.ts";
import { openBrowser } from "../../../e2e/testing/browser.ts";
import { removeData, ROOT, startProduct, type Product } from "../../../e2e/testing/product.ts";
import { beginNight, playAgain } from "./full-night.ts";
import { GUIDE, SCREENS, type Screen } from "./screens.ts";

const STATES = ["empty", "full", "phone", "loading", "error"] as const;
type State = (typeof STATES)[number];
const THEMES = ["dark", "light"] as const;

const SIZES = {
  wide: { width: 1440, height: 900 },
  guide: { width: 1280, height: 760 },
  phone: { width: 360, height: 780 },
};
/** Longest side of a picture in the guides, px, and how well it is kept, 0 to 100. */
const GUIDE_PICTURE = { width: 1000, quality: 78 };
/** A page is there once it has asked for nothing for so long and nothing in it loads; one that asks for ever is taken as it is. */
const QUIET_MS = 500;
const LONGEST_MS = 15_000;
/** A stage that is drawn by software takes longer, and a page whose calls are held up never has all. */
const STAGE_MS = 3500;
const HELD_MS = 1500;

const { values } = parseArgs({
  options: {
    out: { type: "string", default: "screenshots" },
    only: { type: "string", default: "" },
    states: { type: "string", default: STATES.join() },
    guide: { type: "boolean", default: false },
  },
});
const out = values.guide ? join(ROOT, "docs/guide/screens") : values.out;
const states = values.guide ? ["full"] : values.states.split(",");
const unknown = states.filter((state) => !STATES.includes(state as State));
if (unknown.length > 0) {
  process.stderr.write(`--states: ${unknown.join()} is not one of ${STATES.join()}\n`);
  process.exit(1);
}
const screens = SCREENS.filter(({ name }) => (values.guide ? GUIDE.includes(name) : name.includes(values.only)));

await mkdir(out, { recursive: true });
const [product, node] = await Promise.all([startProduct(), listenForArtNet()]);
let faults = 0;
try {
  if (states.includes("empty")) {
    const nothing: Shown = {
      eventId: "",
      songId: "",
      personId: "",
      playlistId: "",
      talkId: "",
      lightId: "",
      threadId: "",
      stagePath: "",
    };
    await takeAll(
      "empty",
      screens.filter(({ ofNight }) => !ofNight),
      nothing,
    );
  }
  if (states.some((state) => state !== "empty")) {
    const shown = await showNight(product, node);
    await beginNight(product, shown);
    for (const state of STATES.slice(1)) if (states.includes(state)) await takeAll(state, screens, shown);
  }
} finally {
  node.close();
  await product.stop();
  await removeData(product.dataDir);
}
process.exit(faults > 0 ? 1 : 0);

async function takeAll(state: State, which: readonly Screen[], shown: Shown): Promise<void> {
  for (const theme of values.guide ? (["dark"] as const) : THEMES) {
    if (shown.playlistId !== "") await playAgain(product, shown);
    // A browser of its own: the one of the npm package ends with its first context.
    const browser = await openBrowser();
    const context = await openAs(browser, product, theme, state);
    for (const screen of which) {
      const name = `${screen.name}-${theme}-${state}`;
      const found = await take(context, screen, shown, state, name);
      faults += found.length;
      process.stdout.write(`${name}${found.map((fault) => `\n  ${fault}`).join("")}\n`);
    }
    await browser.close();
  }
}

async function openAs(from: Browser, { url, token }: Product, theme: string, state: State): Promise<BrowserContext> {
  const size = state === "phone" ? "phone" : values.guide ? "guide" : "wide";
  const context = await from.newContext({ viewport: SIZES[size] });
  await context.addCookies([{ name: "followspot_session", value: await token(), url }]);
  const kept = { "followspot.theme": theme, ...(values.guide && { "followspot.stage": "3d" }) };
  await context.addInitScript((items) => {
    for (const [name, value] of Object.entries(items)) localStorage.setItem(name, value);
  }, kept);
  // The session is answered always: without it every screen is the sign-in.
  const isCall = ({ pathname }: URL) => /^\/(followspot\.|api\/)/.test(pathname) && !pathname.endsWith("/GetSession");
  if (state === "loading") await context.route(isCall, () => {});
  if (state === "error")
    await context.route(isCall, (route) =>
      route.fulfill({ status: 503, json: { code: "unavailable", message: "The database is not reachable." } }),
    );
  return context;
}

/** @returns the faults that were seen */
async function take(
  context: BrowserContext,
  screen: Screen,
  shown: Shown,
  state: State,
  name: string,
): Promise<readonly string[]> {
  const page = await context.newPage();
  const found: string[] = [];
  page.on("pageerror", ({ message }) => found.push(`error: ${message}`));
  page.on("console", (line) => {
    // A refused call is logged by the browser itself; that is what the state is.
    if (line.type() === "error" && !/Failed to load resource/.test(line.text())) found.push(`logged: ${line.text()}`);
  });
  const quiet = untilQuiet(page);
  await page.goto(`${product.url}${screen.path(shown)}`, { waitUntil: "load" });
  await (state === "loading" ? page.waitForTimeout(HELD_MS) : quiet());
  // On a busy machine a page may rest for long between its file and its first call.
  if (state !== "loading") await page.waitForFunction(nothingLoads, undefined, { timeout: LONGEST_MS }).catch(() => {});
  for (const key of screen.keys ?? []) await page.keyboard.press(key);
  if (screen.press && (state === "full" || state === "phone")) {
    await page.getByRole("button", { name: screen.press, exact: true }).click();
    await page.waitForFunction(nothingLoads, undefined, { timeout: LONGEST_MS }).catch(() => {});
    await quiet();
  }
  if (screen.hasStage && state !== "loading") await page.waitForTimeout(values.guide ? 3 * STAGE_MS : STAGE_MS);
  const { wide, seen } = await page.evaluate(() => ({
    wide: document.documentElement.scrollWidth,
    seen: document.documentElement.clientWidth,
  }));
  if (wide > seen) found.push(`scrolls sideways: ${wide} px of ${seen}`);
  await save(page, name, screen.name);
  await page.close();
  return found;
}

/** @returns waits until nothing was asked for in a while */
function untilQuiet(page: Page): () => Promise<void> {
  let open = 0;
  let changedAt = Date.now();
  const count = (by: number) => () => {
    open += by;
    changedAt = Date.now();
  };
  page.on("request", count(1)).on("requestfinished", count(-1)).on("requestfailed", count(-1));
  return async () => {
    const end = Date.now() + LONGEST_MS;
    while (Date.now() < end && (open > 0 || Date.now() - changedAt < QUIET_MS)) await page.waitForTimeout(50);
  };
}

/** Whether the page in front says nowhere that something is on its way. */
function nothingLoads(): boolean {
  const said = [...document.querySelectorAll("[role=status]")].map(({ textContent }) => textContent);
  return document.querySelector(".animate-pulse") === null && said.every((text) => !text.startsWith("Loading"));
}

async function save(page: Page, name: string, screen: string): Promise<void> {
  const picture = await page.screenshot();
  if (!values.guide) return writeFile(join(out, `${name}.png`), picture);
  const { width, quality } = GUIDE_PICTURE;
  const sharp = await loadSharp();
  await sharp(picture)
    .resize({ width })
    .webp({ quality })
    .toFile(join(out, `${screen}.webp`));
}
