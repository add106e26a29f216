/**
 * What a screen weighs: it is opened with an empty cache, and at once again with what the first time left there. Requests, how
 * many of them for files of the console, and bytes as they travel until the screen has its own numbers or rows; in ms since the
 * address was entered the first paint, the largest one (LCP) and those numbers; cold to warm of the last. CLS is the sum of all
 * shifts of the layout, so never less than what browsers call by that name.
 *
 *   npm run bench:console                   the demo night, 3 runs, medians
 *   npm run bench:console -- --runs N --only lights
 *   npm run bench:console -- --list       each request of a cold open: when it starts and ends, its size and kind
 *
 * Ends with 1 when a bar is missed: 15 requests and a CLS of 0.05 with an empty cache, an LCP of 2.5 s on the slow phone.
 */
import { parseArgs } from "node:util";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { listenForArtNet } from "../../e2e/testing/art-net-listener.ts";
import { openBrowser } from "../../e2e/testing/browser.ts";
import { showNight, type Shown } from "../../e2e/testing/demo-night.ts";
import { LAPTOP, PHONE } from "../../e2e/testing/evening.ts";
import { removeData, startProduct } from "../../e2e/testing/product.ts";

const MOST_REQUESTS = 15;
const MOST_CLS = 0.05;
const MOST_LCP_MS = 2500;
/** What is painted and moved after the numbers came counts for so long, ms. */
const SETTLED_MS = 700;
const LONGEST_MS = 120_000;

interface Screen {
  readonly name: string;
  readonly path: (shown: Shown) => string;
  /** Its own numbers or rows. */
  readonly isThere: (page: Page) => Locator;
  readonly isSignedOut?: true;
}

const row = (text: string) => (page: Page) => page.getByRole("row").filter({ hasText: text }).first();
const SCREENS: readonly Screen[] = [
  { name: "dashboard", path: () => "/admin/", isThere: (page) => page.getByText("24 enabled") },
  { name: "users", path: () => "/admin/users", isThere: row("Demo: ") },
  { name: "events", path: () => "/admin/events", isThere: row("Demo: ") },
  {
    name: "talks",
    path: ({ eventId }) => `/admin/events/${eventId}/talks`,
    isThere: (page) => page.getByText(/^Demo: /),
  },
  { name: "music", path: () => "/admin/music", isThere: row("Second-hand") },
  { name: "tonight", path: () => "/admin/tonight", isThere: (page) => page.getByRole("heading", { name: /^Demo/ }) },
  { name: "lights", path: () => "/admin/lights", isThere: row("Demo: Wash 1") },
  {
    name: "visualizer",
    path: ({ songId }) => `/admin/music/${songId}/visualizer`,
    isThere: (page) => page.getByText(/^[\d,]+ cues$/),
  },
  { name: "desk", path: () => "/admin/desk", isThere: (page) => page.getByText("Connected", { exact: true }) },
  { name: "guests", path: () => "/me", isThere: (page) => page.getByLabel("Email or phone"), isSignedOut: true },
];

interface Network {
  readonly name: string;
  readonly window: typeof LAPTOP | typeof PHONE;
  /** Bits per second; undefined: as fast as the machine. */
  readonly down?: number;
  readonly up?: number;
  readonly latencyMs?: number;
  /** How many times slower the processor is. */
  readonly slower?: number;
}
const NETWORKS: readonly Network[] = [
  { name: "plain network", window: LAPTOP },
  { name: "slow phone", window: PHONE, down: 1_600_000, up: 750_000, latencyMs: 150, slower: 4 },
];

/** One opening of a screen, or the medians of some. */
interface Opening {
  readonly requests: number;
  /** Of them. */
  readonly files: number;
  readonly bytes: number;
  readonly paintMs: number;
  readonly lcpMs: number;
  readonly cls: number;
  readonly thereMs: number;
}
interface Pair {
  readonly cold: Opening;
  readonly warm: Opening;
}

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "3" },
    only: { type: "string", default: "" },
    list: { type: "boolean", default: false },
  },
});
const runs = Number(values.runs);
const screens = SCREENS.filter(({ name }) => name.includes(values.only));
const say = (line: string) => process.stdout.write(`${line}\n`);

const [product, node] = await Promise.all([startProduct(), listenForArtNet()]);
try {
  const shown = await showNight(product, node);
  const missed: string[] = [];
  for (const network of NETWORKS) {
    say(`\n${network.name}, medians of ${runs}: empty cache / what it left`);
    say("screen        requests  of files           KB     paint ms       LCP ms           CLS     there ms   ratio");
    for (const screen of screens) {
      const pairs: Pair[] = [];
      for (let run = 0; run < runs; run++) pairs.push(await openTwice(screen, network, shown));
      const cold = medians(pairs.map((pair) => pair.cold));
      const warm = medians(pairs.map((pair) => pair.warm));
      say(rowOf(screen.name, { cold, warm }));
      missed.push(...missedBy(cold, network).map((what) => `${screen.name}, ${network.name}: ${what}`));
    }
  }
  say(missed.length === 0 ? "\nevery bar holds" : `\nmissed:\n  ${missed.join("\n  ")}`);
  process.exitCode = missed.length === 0 ? 0 : 1;
} finally {
  node.close();
  await product.stop();
  await removeData(product.dataDir);
}

/** In a browser that has seen nothing, and again in the same one. */
async function openTwice(screen: Screen, network: Network, shown: Shown): Promise<Pair> {
  const browser = await openBrowser();
  try {
    const context = await browser.newContext(network.window);
    if (!screen.isSignedOut)
      await context.addCookies([{ name: "followspot_session", value: await product.token(), url: product.url }]);
    await context.addInitScript(watchPaints);
    await context.addInitScript(saveData);
    const address = `${product.url}${screen.path(shown)}`;
    return { cold: await open(context, screen, network, address), warm: await open(context, screen, network, address) };
  } finally {
    await browser.close();
  }
}

async function open(context: BrowserContext, screen: Screen, network: Network, address: string): Promise<Opening> {
  const page = await context.newPage();
  const wire = await context.newCDPSession(page);
  const travelling = new Map<string, Request>();
  let bytes = 0;
  wire.on("Network.requestWillBeSent", ({ requestId, request: { url }, timestamp, type = "Other" }) => {
    if (/^https?:/.test(url)) travelling.set(requestId, { path: new URL(url).pathname, kind: type, from: timestamp });
  });
  wire.on("Network.requestServedFromCache", ({ requestId }) => travelling.delete(requestId));
  wire.on("Network.responseReceived", ({ requestId, response }) => {
    if (response.fromDiskCache || response.fromServiceWorker) travelling.delete(requestId);
  });
  wire.on("Network.loadingFinished", ({ requestId, encodedDataLength, timestamp }) => {
    bytes += encodedDataLength;
    Object.assign(travelling.get(requestId) ?? {}, { until: timestamp, bytes: encodedDataLength });
  });
  await wire.send("Network.enable");
  await wire.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: network.latencyMs ?? 0,
    downloadThroughput: network.down === undefined ? -1 : network.down / 8,
    uploadThroughput: network.up === undefined ? -1 : network.up / 8,
  });
  await wire.send("Emulation.setCPUThrottlingRate", { rate: network.slower ?? 1 });
  await page.goto(address, { waitUntil: "commit", timeout: LONGEST_MS });
  await screen.isThere(page).first().waitFor({ timeout: LONGEST_MS });
  const thereMs = await page.evaluate(() => performance.now());
  const files = [...travelling.values()].filter(({ path }) => path.includes("/assets/")).length;
  if (values.list) sayRequests(screen, network, [...travelling.values()]);
  const seen = { requests: travelling.size, files, bytes, thereMs };
  await page.waitForTimeout(SETTLED_MS);
  const paints = await page.evaluate(() => (globalThis as unknown as { paints: Paints }).paints);
  await page.close();
  return { ...seen, ...paints };
}

/** Seconds by the browser's clock; without an end it was on its way. */
interface Request {
  readonly path: string;
  readonly kind: string;
  readonly from: number;
  readonly until?: number;
  readonly bytes?: number;
}

function sayRequests({ name }: Screen, network: Network, requests: readonly Request[]): void {
  const begin = Math.min(...requests.map(({ from }) => from));
  const ms = (at?: number) => (at === undefined ? "-" : (1000 * (at - begin)).toFixed(0)).padStart(7);
  say(`\n${name}, ${network.name}: ms from, ms until, KB`);
  for (const { path, kind, from, until, bytes = 0 } of requests)
    say(`${ms(from)}${ms(until)}${(bytes / 1024).toFixed(1).padStart(8)}  ${kind.padEnd(11)}${path}`);
}

type Paints = Pick<Opening, "paintMs" | "lcpMs" | "cls">;
/** Both of a layout shift. */
type Entry = PerformanceEntry & { readonly value?: number; readonly hadRecentInput?: boolean };

/** Runs in the page: other screens are not read ahead, which on a busy machine begins before the bench has seen this one. */
function saveData(): void {
  Object.defineProperty(navigator, "connection", { value: { saveData: true } });
}

/** Runs in the page, before its own scripts. */
function watchPaints(): void {
  const paints = { paintMs: 0, lcpMs: 0, cls: 0 };
  Object.assign(globalThis, { paints });
  const watch = (type: string, note: (entry: Entry) => void) =>
    new PerformanceObserver((list) => (list.getEntries() as Entry[]).forEach(note)).observe({ type, buffered: true });
  watch("paint", ({ name, startTime }) => {
    if (name === "first-contentful-paint") paints.paintMs = startTime;
  });
  watch("largest-contentful-paint", ({ startTime }) => (paints.lcpMs = startTime));
  watch("layout-shift", ({ value = 0, hadRecentInput }) => (paints.cls += hadRecentInput ? 0 : value));
}

function medians(openings: readonly Opening[]): Opening {
  const median = (of: keyof Opening) => {
    const sorted = openings.map((opening) => opening[of]).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)]!;
  };
  return {
    requests: median("requests"),
    files: median("files"),
    bytes: median("bytes"),
    paintMs: median("paintMs"),
    lcpMs: median("lcpMs"),
    cls: median("cls"),
    thereMs: median("thereMs"),
  };
}

function missedBy({ requests, cls, lcpMs }: Opening, { slower }: Network): readonly string[] {
  return [
    ...(requests > MOST_REQUESTS ? [`${requests} requests, at most ${MOST_REQUESTS}`] : []),
    ...(cls > MOST_CLS ? [`a CLS of ${cls.toFixed(3)}, at most ${MOST_CLS}`] : []),
    ...(slower !== undefined && lcpMs > MOST_LCP_MS
      ? [`an LCP of ${lcpMs.toFixed(0)} ms, at most ${MOST_LCP_MS}`]
      : []),
  ];
}

function rowOf(name: string, { cold, warm }: Pair): string {
  const both = (of: keyof Opening, show: (value: number) => string) => `${show(cold[of])} / ${show(warm[of])}`;
  const whole = (value: number) => value.toFixed(0);
  const columns: readonly (readonly [string, number])[] = [
    [both("requests", whole), 10],
    [both("files", whole), 10],
    [both("bytes", (value) => whole(value / 1024)), 13],
    [both("paintMs", whole), 13],
    [both("lcpMs", whole), 13],
    [both("cls", (value) => value.toFixed(3)), 14],
    [both("thereMs", whole), 13],
    [(cold.thereMs / warm.thereMs).toFixed(1), 8],
  ];
  return name.padEnd(12) + columns.map(([text, width]) => text.padStart(width)).join("");
}
