import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listenForArtNet } from "./testing/art-net-listener.ts";
import { COLOURS, faultsOf, pointerOnly } from "./testing/accessibility.ts";
import { dragByKeyboard } from "./testing/keyboard-drag.ts";
import { ROOT, until } from "./testing/product.ts";
import { sharedBrowser, sharedProduct, type SharedProduct } from "./testing/shared-product.ts";
import { synthesiseSong } from "../apps/server/src/testing/synthetic-song.ts";

let product: SharedProduct;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let folder: string;
const complaints: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "followspot-files-"));
  await writeFile(join(folder, "Test Artist - First Light.wav"), synthesiseSong(30, 120));
  await writeFile(join(folder, "words.mp3"), "these are words, not sound\n".repeat(50));
  product = await sharedProduct();
  browser = await sharedBrowser();
  context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  page = await context.newPage();
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (/Content Security Policy/.test(message.text())) complaints.push(message.text());
  });
});
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

const isShown = (text: string | RegExp) => page.getByText(text).first().isVisible();

/** Paths below /admin of the screens that need no row. */
const SCREENS = [
  "",
  "/users",
  "/events",
  "/music",
  "/music/playlists",
  "/lights",
  "/preflight",
  "/tonight",
  "/workers",
  // A search limits the hundreds of methods to check.
  "/docs?q=CreateSong",
];

// kept: Console | A page was black until its script had run | failed with the fault put back
test("a page shows its header and a loading text before its script has run", async () => {
  const early = await context.newPage();
  const script = /\/assets\/.*\.js$/;
  await early.route(script, () => undefined); // never answered
  await early.goto(`${product.url}/admin`, { waitUntil: "commit" });
  await early.getByRole("status").getByText("Loading...").waitFor();
  const size = async () => {
    const { height, width } = (await early.getByRole("banner").boundingBox())!;
    return `${width} by ${height}`;
  };
  // The text appears before the style sheet has loaded.
  await until(async () => (await size()) === "1280 by 44");
  await early.close();
});

test("makes the first user who opens the printed link the owner", async () => {
  await page.goto(product.ownerLink!);
  await page.getByLabel("Name").fill("Ada");
  await page.getByLabel("Email").fill("ada@example.org");
  await page.getByRole("button", { name: "Become owner" }).click();
  await page.getByText("System overview and statistics").waitFor();
  expect(page.url()).not.toContain("owner=");
});

test("a screen loads few files, and other screens are prefetched once it has its numbers", async () => {
  const another = await browser.newContext({ storageState: await context.storageState() });
  const cold = await another.newPage();
  const asked: string[] = [];
  cold.on("request", (request) => asked.push(new URL(request.url()).pathname));
  const answers = Promise.withResolvers<void>();
  const numbers = Promise.withResolvers<void>();
  await cold.route("**/api/calls", async (route) => {
    numbers.resolve();
    await answers.promise;
    await route.continue();
  });
  await cold.goto(`${product.url}/admin`);
  await numbers.promise;
  // The page may already be prefetching before this line runs. A slow page reads its session again.
  const first = asked.slice(0, asked.indexOf("/api/calls") + 1).filter((path) => !path.endsWith("/GetSession"));
  expect(first.length, asked.join("\n")).toBeLessThanOrEqual(15);
  await cold.getByText("System overview and statistics").waitFor();
  await cold.waitForTimeout(2000);
  expect(asked.filter((path) => path.includes("users-page"))).toEqual([]);
  answers.resolve();
  await until(() => asked.some((path) => path.includes("users-page")));
  await another.close();

  // The build lists the scripts of the other screens. One of them is 1 KB that the console shares with the public event page.
  const built = async (file: string) => readFile(join(ROOT, "apps/console/dist", file), "utf8");
  const ofAll = (await built("index.html")).match(/\.js"/g)!.length;
  const screens = JSON.parse(await built("screens.json")) as { path: string; scripts: string[] }[];
  const most = (path: string) => (/^\/lights|setlist$/.test(path) ? 13 : 10);
  expect(screens.filter(({ path, scripts }) => ofAll + scripts.length > most(path))).toEqual([]);
});

test("a screen's file is requested while the console loads, and the session comes with the page", async () => {
  const another = await browser.newContext({ storageState: await context.storageState() });
  const cold = await another.newPage();
  const asked: string[] = [];
  cold.on("request", (request) => asked.push(request.url()));
  const comes = Promise.withResolvers<void>();
  await cold.route(/\/assets\/index-/, async (route) => {
    await comes.promise;
    await route.continue();
  });
  await cold.goto(`${product.url}/admin/users`, { waitUntil: "commit" });
  await until(() => asked.some((url) => url.includes("users-page")));
  comes.resolve();
  await cold.getByRole("row").filter({ hasText: "ada@example.org" }).waitFor();
  expect(asked.filter((url) => url.endsWith("/GetSession"))).toEqual([]);
  await another.close();
});

test("Docs opens a socket as the signed-in user, names the line of an error, and lists the received messages", async () => {
  await page.goto(`${product.url}/admin/docs?tab=websocket`);
  const log = page.getByRole("log");
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await log.getByText('"type":"ServerAck"').waitFor();
  await page.getByLabel("Message (JSON)").fill('{\n  "type": "Subscribe",\n  "payload": {}\n}');
  await page.getByRole("button", { name: /^Line 3: payload\.topic/ }).waitFor();
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await log.getByText("This is not a message of the protocol").waitFor();
  await page.getByRole("button", { name: "Live desk" }).click();
  await log.getByText("Closed: 1005").waitFor();
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await page.getByLabel("Example").selectOption({ index: 2 });
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("button", { name: "Send message" }).click();
  await log.getByText('"type":"taken"').waitFor();
});

test("turns a file dropped onto Music into a show, its steps moving live", async () => {
  await page.getByRole("link", { name: "Music", exact: true }).click();
  await page.getByText("No songs found. Add your first song from the video site!").waitFor();
  await page
    .getByLabel("Upload files")
    .setInputFiles([join(folder, "Test Artist - First Light.wav"), join(folder, "words.mp3")]);
  await page.getByText(/no audio we can read/).waitFor();
  const badges = new Set<string>();
  await until(async () => {
    for (const badge of ["Downloading...", "Analyzing...", "Lighting...", "Ready"]) {
      if (await page.getByRole("row").filter({ hasText: "First Light" }).getByText(badge, { exact: true }).isVisible())
        badges.add(badge);
    }
    return badges.has("Ready");
  });
  expect(badges.size).toBeGreaterThan(1);
  expect(await isShown("Test Artist")).toBe(true);

  await page.getByLabel("Upload files").setInputFiles([join(folder, "Test Artist - First Light.wav")]);
  await page.getByText('"First Light" was here already').waitFor();
  expect(await page.getByRole("row").filter({ hasText: "First Light" }).count()).toBe(1);
});

test("plays sound, playhead and fixtures together, and stops, seeks and pauses on the wire", async () => {
  const light = { label: "Par", light_type: "generic_rgb_par", mode: "4 channels", position: "1" };
  await product.call("lights.v1.LightsService/CreateLight", light);
  const node = await listenForArtNet();
  const output = {
    id: "o",
    protocol: "artnet",
    host: "127.0.0.1",
    port: node.port,
    universe: 1,
    port_address: 0,
    enabled: true,
  };
  await product.call("lights.v1.LightsService/SetOutputs", { outputs: [output] });

  await page.getByRole("row").filter({ hasText: "First Light" }).getByRole("link").first().click();
  await page.getByText("Song Info").waitFor();
  await page.getByText("120.0 BPM").waitFor();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  const position = () => page.evaluate(() => document.querySelector("audio")?.currentTime ?? 0);
  await until(async () => (await position()) > 2);
  await until(() => isShown(/Stage in sync/));
  // Seeks into the loud part of the song: three times five seconds.
  for (let press = 0; press < 3; press++) await page.keyboard.press("ArrowRight");
  await until(async () => (await position()) > 16);
  await until(() => isShown(/Stage in sync/));
  node.packets.length = 0;
  await until(() => node.packets.some(({ slots }) => slots.some((level) => level > 0)));

  await page.getByRole("button", { name: "Pause", exact: true }).click();
  const paused = await position();
  const isStill = () => {
    const [first, ...repeats] = node.packets.slice(-6);
    return repeats.length === 5 && repeats.every(({ slots }) => Buffer.compare(slots, first!.slots) === 0);
  };
  // A moving look differs in each packet; a static one is sent three times and repeated every 800 ms.
  await until(isStill);
  expect(await position()).toBeCloseTo(paused, 1);
  node.close();
});

test("corrects the tempo manually, stores it, plans again, and restores the detected tempo", async () => {
  const address = new URL(page.url()).pathname.replace(
    /^.*\/music\/([^/]+)\/.*$/,
    "/proxy/music/lighting/$1/lighting.json",
  );
  const plan = () => page.evaluate(async (path) => (await (await fetch(path)).json()) as { beats: number[] }, address);
  const heard = await plan();
  const info = page.getByRole("complementary", { name: "Song details" });
  await page.getByRole("button", { name: "Correct", exact: true }).click();
  await page.getByRole("button", { name: "×2 twice as fast" }).click();
  await info.getByText("240.0 BPM").first().waitFor();
  await page.getByText("Unsaved changes, shown here only").waitFor();
  expect((await plan()).beats).toHaveLength(heard.beats.length);

  await page.getByRole("link", { name: "Back to Music" }).click();
  await page.getByRole("alertdialog", { name: "Unsaved changes" }).getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved. The show follows them.").waitFor();
  expect((await plan()).beats.length).toBeGreaterThan(1.9 * heard.beats.length);

  await page.reload();
  await info.getByText("240.0 BPM").waitFor();
  expect(await info.getByText("set by hand").count()).toBe(1);
  await page.getByRole("button", { name: "Correct", exact: true }).click();
  // Moves a boundary between sections by a bar with the keyboard, and back.
  const edge = page.getByRole("slider", { name: /Start of/ }).first();
  const before = await edge.getAttribute("aria-valuetext");
  await edge.focus();
  await page.keyboard.press("ArrowLeft");
  await until(async () => (await edge.getAttribute("aria-valuetext")) !== before);
  await page.keyboard.press("Control+z");
  await until(async () => (await edge.getAttribute("aria-valuetext")) === before);
  expect(await faultsOf(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.getByRole("button", { name: "Undo: tempo ×2" }).click();
  await info.getByText("120.0 BPM").first().waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Nothing is corrected").waitFor();
  expect(await plan()).toEqual(heard);
});

// kept: Lists | A list rendered all of its rows | also
// kept: Live | Users was the only list without live updates | also
test("renders few rows of a long list, searches all of it, and updates live", async () => {
  const names = Array.from({ length: 130 }, (_, index) => `Guest ${String(index).padStart(3, "0")}`);
  for (const name of names) await product.call("user.v1.UserService/CreateUser", { name, phone: "" });
  await page.goto(`${product.url}/admin/users`);
  await page.getByRole("row").filter({ hasText: "Guest 129" }).waitFor();
  const rows = page.locator("[role=grid] [data-row]");
  const grid = page.getByRole("grid", { name: "Users" });
  const seen = new Set<string>();
  await until(async () => {
    expect(await rows.count()).toBeLessThanOrEqual(60);
    for (const text of await rows.allTextContents()) seen.add(/Guest \d+/.exec(text)?.[0] ?? "");
    await grid.evaluate((element) => element.scrollBy(0, 600));
    return names.every((name) => seen.has(name));
  });
  // The header stays in place while rows scroll beneath it.
  const head = grid.getByRole("columnheader", { name: "Name" });
  expect(await grid.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(600);
  const top = async (part: typeof grid) => (await part.boundingBox())!.y;
  expect(Math.abs((await top(head)) - (await top(grid)))).toBeLessThan(20);
  await head.getByRole("button").click({ trial: true }); // nothing covers it

  await page.getByLabel("Search users").fill("guest 04");
  await until(async () => (await rows.count()) === 10);
  await until(() => page.url().includes("q=guest"));
  const { users } = await product.call("user.v1.UserService/ListUsers", { list: { query: "guest 042" } });
  await product.call("user.v1.UserService/UpdateUser", { user_id: users[0].id, name: "Guest 042 renamed" });
  await page.getByText("Guest 042 renamed").waitFor();
  await product.call("user.v1.UserService/CreateUser", { name: "Guest 04x", phone: "" });
  await page.getByText("Guest 04x").waitFor();
});

test("orders lights by the keyboard in one call, and keeps the order", async () => {
  for (const label of ["Second", "Third"])
    await product.call("lights.v1.LightsService/CreateLight", {
      label,
      light_type: "generic_rgb_par",
      mode: "4 channels",
      position: label === "Second" ? "2" : "3",
    });
  const calls: string[] = [];
  page.on("request", (request) => {
    if (/ReorderLights|UpdateLight/.test(request.url())) calls.push(request.url());
  });
  await page.goto(`${product.url}/admin/lights`);
  const handle = page.getByRole("button", { name: "Move Par", exact: true });
  // 25 px per key, rows of 36 px: three keys pass two rows.
  await dragByKeyboard(handle, page.locator("[data-row]").filter({ has: handle }), 3);
  // The move changes addresses, so the page shows them and asks for confirmation.
  const question = page.getByRole("alertdialog", { name: "Lights get new addresses" });
  await question.getByText("Par: 1-4 (4ch) → 9-12 (4ch)").waitFor();
  await question.getByRole("button", { name: "Save and move" }).click();
  const order = async () =>
    (await page.locator("[aria-label=Lights] [data-row]").allTextContents()).map(
      (text) => /#\d([A-Z][a-z]+?)Pos/.exec(text)?.[1],
    );
  await until(async () => (await order()).join() === "Second,Third,Par");
  await page.reload();
  await until(async () => (await order()).join() === "Second,Third,Par");
  expect(calls.filter((url) => url.includes("ReorderLights"))).toHaveLength(1);
  expect(calls).toHaveLength(1);
});

// kept: Console | Talks could not be created or changed: a new event ended on an empty screen without a button | also
test("creates an event with five talks and their speakers in fifteen clicks, and moves one with the keyboard", async () => {
  await page.goto(`${product.url}/admin/events`);
  await page.getByRole("button", { name: "New Event" }).waitFor();
  // A key on a button also triggers a click event in the browser, but not one of the mouse.
  await page.evaluate(() => {
    const counted = globalThis as typeof globalThis & { clicks: number };
    counted.clicks = 0;
    addEventListener("click", ({ detail }) => (counted.clicks += Math.min(1, detail)), true);
  });
  const faults: string[] = [];
  const look = async (state: string) => {
    for (const [theme, rules] of [["dark"], ["light", COLOURS]] as const) {
      await page.evaluate((choice) => (document.documentElement.dataset["theme"] = choice), theme);
      faults.push(...(await faultsOf(page, rules)).map((fault) => `${theme} ${state}: ${fault}`));
    }
  };

  await page.getByRole("button", { name: "New Event" }).click();
  await page.getByLabel("Title").fill("Five Talks");
  await page.getByLabel("Start").fill("2031-05-01T20:00");
  await page.getByRole("button", { name: "Create Event" }).click();
  await page.getByRole("row").filter({ hasText: "Five Talks" }).getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Add talk" }).click();
  const form = page.getByRole("dialog", { name: "Create New Talk" });
  for (const [index, title] of ["Fog", "Haze", "Owls", "Strobes", "Lasers"].entries()) {
    await until(() => form.getByLabel("Title").evaluate((field) => field === document.activeElement));
    await page.keyboard.type(title);
    await form.getByRole("searchbox", { name: "Speaker" }).focus();
    await page.keyboard.type(`guest 00${index}`);
    await form.getByRole("button", { name: `Guest 00${index}` }).click();
    if (index === 0) await form.getByLabel("Go on with another talk").click();
    if (index === 4) await look("form");
    await form.getByRole("button", { name: "Create Talk" }).click();
    await form.getByText(`Created "${title}".`).waitFor();
  }
  await page.keyboard.press("Escape");
  expect(await page.evaluate(() => (globalThis as typeof globalThis & { clicks: number }).clicks)).toBeLessThanOrEqual(
    15,
  );
  const rows = page.getByRole("grid", { name: "Talks" }).locator("[data-row]");
  await until(async () => (await rows.count()) === 5);
  expect(await rows.allTextContents()).toEqual(
    ["8:00 PM", "8:20 PM", "8:40 PM", "9:00 PM", "9:20 PM"].map((time) =>
      expect.stringContaining(`May 1, 2031, ${time}`),
    ),
  );
  expect(await rows.last().textContent()).toContain("LasersGuest 004");

  await page.getByRole("button", { name: "Schedule", exact: true }).click();
  const talk = page.getByRole("list", { name: "Schedule of Five Talks" }).getByRole("button", { name: "Lasers" });
  await talk.focus();
  for (const key of ["Enter", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
  await page.getByText("Lasers: 9:30 PM. Enter puts it there").waitFor({ state: "attached" });
  await look("schedule");
  await page.keyboard.press("Enter");
  await page.getByText('"Lasers" begins at 9:30 PM').waitFor();
  await until(async () => /9:30 PM/.test((await talk.textContent()) ?? ""));
  expect(await talk.evaluate((block) => block === document.activeElement)).toBe(true);
  await page.keyboard.press("Control+z");
  await until(async () => /9:20 PM/.test((await talk.textContent()) ?? ""));
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(faults).toEqual([]);
});

test("every screen passes axe in both themes and fits into 360 pixels", async () => {
  const faults: string[] = [];
  for (const path of SCREENS) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${product.url}/admin${path}`);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    const look = async (theme: string, rules?: readonly string[]) => {
      await page.evaluate((choice) => (document.documentElement.dataset["theme"] = choice), theme);
      faults.push(...(await faultsOf(page, rules)).map((fault) => `${theme} ${path || "/"}: ${fault}`));
    };
    await look("dark");
    faults.push(...(await pointerOnly(page)).map((fault) => `${path || "/"}: ${fault}`));
    await look("light", COLOURS);
    await page.setViewportSize({ width: 360, height: 740 });
    const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (tooWide !== 0) faults.push(`${path || "/"}: ${tooWide} px wider than a phone`);
  }
  expect(faults).toEqual([]);
});

test("on a phone, a notice does not cover the buttons of a dialog", async () => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${product.url}/admin/users?q=guest%20041`);
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await page.locator("[data-notice]").waitFor();
  await page.getByRole("button", { name: "New User" }).click();
  const cancel = page.getByRole("dialog").getByRole("button", { name: "Cancel" });
  const notice = (await page.locator("[data-notice]").boundingBox())!;
  const free = (await cancel.boundingBox())!;
  expect(notice.y + notice.height).toBeLessThan(free.y);
  await cancel.click();
  await page.getByRole("button", { name: "Undo" }).click();
});

// kept: Console | The dashboard shifted when its numbers arrived | failed with the fault put back
test("the dashboard does not shift when its numbers arrive", async () => {
  // Long enough for the page to be rendered without them.
  const numbers = /\/(Count\w+|ListSongs)$|\/api\/(calls$|queues\/)/;
  await page.route(numbers, async (route) => {
    await new Promise((later) => setTimeout(later, 500));
    await route.continue();
  });
  for (const [width, height] of [
    [360, 740],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(`${product.url}/admin`);
    await page.getByRole("link", { name: /^Users\s*[1-9]/ }).waitFor();
    await page.getByText("No song is being processed.").waitFor();
    const moved = await page.evaluate(
      () =>
        new Promise<number>((tell) => {
          let sum = 0;
          new PerformanceObserver((seen) => {
            for (const shift of seen.getEntries() as (PerformanceEntry & { value: number })[]) sum += shift.value;
          }).observe({ type: "layout-shift", buffered: true });
          // Buffered entries are reported in the next task.
          setTimeout(() => tell(sum), 500);
        }),
    );
    // The browser's threshold for a page without layout shift.
    expect([width, moved < 0.1 ? "still" : moved]).toEqual([width, "still"]);
  }
  await page.unroute(numbers);
});

test("asks to sign in again after signing out, and runs no foreign script", async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await context.clearCookies();
  await page.goto(`${product.url}/admin/music`);
  await page.getByRole("button", { name: "Send code" }).waitFor();
  expect(complaints).toEqual([]);
});

test("signs a user in once by a link created on the server", async () => {
  const cli = join(ROOT, "apps/server/dist/admin.js");
  const env = { ...process.env, DATABASE_URL: "", NATS_URL: "", FOLLOWSPOT_DATA_DIR: product.dataDir };
  const made = await promisify(execFile)(process.execPath, [cli, "sign-in-link", "ada@example.org"], { env });
  const link = made.stdout.trim().replace("127.0.0.1", "localhost");
  await context.clearCookies();
  await page.goto(link);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByText("System overview and statistics").waitFor();
  expect(page.url()).not.toContain("sign_in=");
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("menuitem", { name: "Where you are signed in" }).click();
  await page.getByText("This one").waitFor();
  const other = await (await browser.newContext()).newPage();
  await other.goto(link);
  await other.getByRole("button", { name: "Sign in", exact: true }).click();
  await other.getByText(/This link was used or has run out/).waitFor();
});
