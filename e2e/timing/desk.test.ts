import { mkdir } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { listenForArtNet } from "../testing/art-net-listener.ts";
import { faultsOf } from "../testing/accessibility.ts";
import { openBrowser } from "../testing/browser.ts";
import { processesOn, removeData, startProduct, until, type Product } from "../testing/product.ts";

let product: Product;
let node: Awaited<ReturnType<typeof listenForArtNet>>;
let browsers: Browser[];
let ana: Page;
let bo: Page;
let phone: Page;
const complaints: string[] = [];

const PHONE = { width: 360, height: 740 };
const LAPTOP = { width: 1440, height: 900 };
/** Maximum time until every press is visible on all desks, ms. */
const SEEN_MS = 200;
/** Maximum number of rounds: a busy machine delays one round of presses, not three. */
const ROUNDS = 3;
/** Folder for screenshots; none are taken without it. */
const SHOTS = process.env["DESK_SHOTS"];

beforeAll(async () => {
  product = await startProduct();
  node = await listenForArtNet();
  browsers = await Promise.all([openBrowser(), openBrowser(), openBrowser()]);
  const lights = [];
  for (const position of ["1", "2", "3", "4"]) {
    const light = { label: `Par ${position}`, light_type: "generic_rgb_par", mode: "3 channels", position };
    lights.push((await product.call("lights.v1.LightsService/CreateLight", light)).light.id);
  }
  for (const [id, name, fixture_ids] of [
    ["front", "Front", lights.slice(0, 2)],
    ["back", "Back of the hall", lights.slice(2)],
  ])
    await product.call("lights.v1.LightsService/CreateGroup", { id, name, type: "par", fixture_ids });
  const output = { id: "o", protocol: "artnet", host: "127.0.0.1", port: node.port, universe: 1, enabled: true };
  await product.call("lights.v1.LightsService/SetOutputs", { outputs: [output] });
  for (const name of ["Ana", "Bo", "Cleo"]) {
    const person = { name, email: `${name.toLowerCase()}@example.org`, roles: ["Director"] };
    await product.call("user.v1.UserService/CreateUser", person);
  }
  [ana, bo, phone] = await Promise.all([
    open(browsers[0]!, "ana", LAPTOP),
    open(browsers[1]!, "bo", LAPTOP),
    open(browsers[2]!, "cleo", PHONE),
  ]);
});
// Controls held by one test must not affect the next.
beforeEach(async () => {
  for (const page of pages()) {
    const isAtDesk = page.url().endsWith("/admin/desk") && (await page.evaluate(() => "watch" in window));
    if (!isAtDesk) await goToDesk(page);
  }
  await giveEverythingBack();
});
afterAll(async () => {
  await Promise.all((browsers ?? []).map((browser) => browser.close()));
  node?.close();
  await product?.stop();
  await removeData(product.dataDir);
});

async function open(browser: Browser, name: string, viewport: typeof PHONE): Promise<Page> {
  const page = await (await browser.newContext({ viewport, hasTouch: viewport === PHONE })).newPage();
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (/Content Security Policy|permissions policy/i.test(message.text())) complaints.push(message.text());
  });
  await signIn(page, `${name}@example.org`);
  await page.getByRole("button", { name: "Blinder" }).waitFor();
  await page.getByText("Connected", { exact: true }).waitFor();
  await watchHands(page);
  return page;
}

async function goToDesk(page: Page): Promise<void> {
  await page.goto(`${product.url}/admin/desk`);
  await page.getByText("Connected", { exact: true }).waitFor();
  await watchHands(page);
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto(`${product.url}/admin/desk`);
  await page.getByLabel("Email or phone").fill(email);
  await page.getByRole("button", { name: "Send code" }).click();
  const code = () => new RegExp(`Sign-in code for ${email.replace(".", "\\.")}: (\\d+)`).exec(product.output())?.[1];
  await until(() => code() !== undefined);
  await page.getByLabel(/code/i).fill(code()!);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Records in the page when each state of the held controls was first rendered, and when the last press began. */
async function watchHands(page: Page): Promise<void> {
  await page.evaluate(() => {
    const watch = { hands: "", seen: {} as Record<string, number>, begun: 0 };
    Object.assign(window, { watch });
    const note = () => {
      const list = document.querySelector("section[aria-label='Taken by hand']")?.textContent ?? "";
      watch.hands = list.replace(/ · (just now|\d+ min)/g, "");
      watch.seen[watch.hands] ??= Date.now();
    };
    note();
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
    addEventListener("pointerdown", () => (watch.begun = Date.now()), true);
  });
}

const inHand = (page: Page) => page.evaluate(() => (window as any).watch.hands as string);
const pages = () => [ana, bo, phone];
const NOTHING = "Nothing: the show runs everything";
const allHave = async (text: string) => (await Promise.all(pages().map(inHand))).every((hands) => hands.includes(text));
const giveEverythingBack = () =>
  until(async () => {
    const back = phone.getByRole("button", { name: /^Give back / }).first();
    // Just released, it may have disappeared before the click.
    if ((await back.count()) > 0) await back.click({ timeout: 500 }).catch(() => {});
    return allHave(NOTHING);
  });
const slots = () => [...(node.packets.at(-1)?.slots ?? [])].slice(0, 12);
const isDark = () => node.packets.length > 0 && slots().every((slot) => slot === 0);
const isWhite = () => slots().length === 12 && slots().every((slot) => slot === 255);

/** Presses a button. @param what its text on the other pages @returns delay on each of them, ms */
async function press(by: Page, name: string, owner: string, what = name): Promise<number[]> {
  const others = pages().filter((page) => page !== by);
  const text = `${what}${owner}`;
  for (const page of others) await page.evaluate(() => ((window as any).watch.seen = {}));
  await by.getByRole("button", { name, exact: true }).first().click();
  const began: number = await by.evaluate(() => (window as any).watch.begun);
  const seenOn = async (page: Page) => {
    await until(async () => (await inHand(page)).includes(text));
    const seen: Record<string, number> = await page.evaluate(() => (window as any).watch.seen);
    return Object.entries(seen).find(([hands]) => hands.includes(text))![1] - began;
  };
  return Promise.all(others.map(seenOn));
}

/** Presses several controls. @returns all delays on the other pages, ms, ascending */
async function roundOfPresses(): Promise<number[]> {
  await giveEverythingBack();
  const taken = [
    await press(ana, "Red", "Ana", "Color"),
    await press(bo, "Mute Front", "Bo"),
    await press(phone, "Solo Back of the hall", "Cleo"),
    await press(bo, "Slow color", "Bo", "Between songs"),
    await press(phone, "Blue", "Cleo", "Color"),
    await press(phone, "Pair red and blue", "Cleo", "Color pairs"),
    await press(ana, "Mute Back of the hall", "Ana"),
  ];
  return taken.flat().toSorted((a, b) => a - b);
}

// kept: Stage and lamps | While it was held, a desk button's accessible name differed from its visible text | failed on
// the old code
test("every press appears on all desks within 200 ms, with its owner", async () => {
  let taken = await roundOfPresses();
  for (let round = 1; round < ROUNDS && taken.at(-1)! > SEEN_MS; round++) taken = await roundOfPresses();
  expect(taken.at(-1)).toBeLessThanOrEqual(SEEN_MS);
  // The owner is shown on each of them.
  for (const page of [ana, phone]) expect(await faultsOf(page)).toEqual([]);
  await phone.getByRole("button", { name: "Give all back" }).click();
  for (const page of pages()) await until(async () => !/Mute|Solo|Color(?!.*Between)/.test(await inHand(page)));
});

// kept: Stage and lamps | The blackout had no button | failed with the fault put back
test("blackout appears on every page, and the slots of the fixtures are dark", async () => {
  await ana.getByRole("button", { name: "Slow color" }).click();
  await until(() => node.packets.length > 0 && !isDark());
  await bo.getByRole("link", { name: "Music" }).click();
  await bo.getByRole("heading", { name: "Music" }).waitFor();
  const header = bo.getByRole("banner").getByRole("button", { name: "Blackout" });
  node.packets.length = 0;
  await header.click();
  await until(isDark);
  await ana.getByText("Blackout").first().waitFor();
  await until(async () => (await inHand(ana)).includes("BlackoutBo"));
  expect(await faultsOf(ana)).toEqual([]);
  // Only releasing the blackout restores light, not even releasing all controls.
  await ana.keyboard.press("g");
  await ana.waitForTimeout(300);
  expect(isDark()).toBe(true);
  await phone.locator("main").getByRole("button", { name: "Blackout", exact: true }).click();
  await until(() => !isDark());
});

test("a blinder is lit while it is pressed, and released when the phone's page is closed", async () => {
  const blinder = await phone.getByRole("button", { name: "Blinder" }).boundingBox();
  await phone.mouse.move(blinder!.x + 20, blinder!.y + 20);
  await phone.mouse.down();
  await until(isWhite);
  await phone.mouse.up();
  await until(() => !isWhite());
  await ana.keyboard.down("f");
  await until(isWhite);
  await ana.keyboard.up("f");
  await until(() => !isWhite());
  const second = await phone.context().newPage();
  await second.goto(`${product.url}/admin/desk`);
  await second.getByText("Connected", { exact: true }).waitFor();
  await second.keyboard.down("f");
  await until(isWhite);
  await second.close();
  await until(() => !isWhite());
});

// kept: Stage and lamps | A blackout pressed while the server was unavailable was carried out minutes later | also
test("presses that the server does not accept within seconds are discarded with a notice, and never reach the fixtures", async () => {
  await bo.getByRole("button", { name: "Slow color" }).click();
  await until(() => allHave("Between songs"));
  // Connections to the desk run through main-api, which is stopped for less time than the limit for hung processes.
  const [api] = await processesOn(product.dataDir, "main-api");
  process.kill(api!, "SIGSTOP");
  // This press is sent over a hung connection, the next two wait for a new one.
  await ana.locator("main").getByRole("button", { name: "Blackout", exact: true }).click();
  await ana.getByText("Not connected").waitFor();
  await ana.getByText("It is not known whether what you pressed has arrived").waitFor();
  await ana.getByRole("button", { name: "Dismiss" }).click();
  await ana.getByRole("button", { name: "Mute Front" }).click();
  await ana.locator("main").getByRole("button", { name: "Blackout", exact: true }).click();
  await ana.getByText("2 presses wait").waitFor();
  await picture(ana, "waiting");
  await ana.getByText("Not sent: the server cannot be reached").waitFor();
  // The active stage and its spare, which look the same from outside.
  for (const stage of await processesOn(product.dataDir, "main-stage")) process.kill(stage, "SIGKILL");
  for (const each of await processesOn(product.dataDir, "main-api")) process.kill(each, "SIGCONT");
  for (const page of pages()) await page.getByText("Connected", { exact: true }).waitFor();
  // The idle look was chosen before: the restarted stage has restored it.
  await until(async () => (await inHand(phone)).includes("Between songs"));
  await press(bo, "Mute Front", "Bo");
  for (const page of pages()) expect(await inHand(page)).not.toMatch(/Blackout/);
  expect(isDark()).toBe(false);
});

test("controls can be released by any user, until the show runs everything", async () => {
  await press(bo, "Slow color", "Bo", "Between songs");
  await press(ana, "Mute Front", "Ana");
  await press(ana, "Blackout", "Ana");
  await picture(ana, "desk");
  await picture(phone, "phone");
  await phone.locator("main").getByRole("button", { name: "Blackout", exact: true }).click();
  await bo.getByRole("button", { name: "Give back Mute Front" }).click();
  await phone.getByRole("button", { name: "Give back Between songs" }).click();
  for (const page of pages()) await page.getByText(NOTHING).waitFor();
  await until(isDark); // nothing plays, and no control requests light
});

test("presses are recorded, and the replay lights the fixtures without a user", async () => {
  await ana.getByRole("button", { name: "Record", exact: true }).click();
  await ana.getByRole("button", { name: "Stop recording" }).waitFor();
  await ana.getByRole("button", { name: "Red", exact: true }).first().click();
  await until(() => slots()[0]! > 0 && slots()[1] === 0);
  await phone.getByText("Recording · 00:02").waitFor(); // on all desks
  await ana.getByRole("button", { name: "Stop recording" }).click();
  await ana.getByRole("button", { name: "Record", exact: true }).waitFor();
  await ana.getByRole("button", { name: "Give all back" }).click();
  await until(isDark);

  await ana.getByRole("button", { name: "Recordings (1)" }).click();
  await picture(ana, "recordings");
  await ana.getByRole("button", { name: "Replay", exact: true }).click();
  await until(() => slots()[0]! > 0 && slots()[1] === 0);
  await picture(ana, "replaying");
  await until(isDark); // it has ended
  await ana.getByRole("button", { name: "Replay", exact: true }).waitFor();
  await ana.keyboard.press("Escape");
});

test("fits on a phone: no element is wider than it, and every control is large enough for a thumb", async () => {
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
  const small = await phone
    .locator("main button, main select, main input[type=range]")
    .evaluateAll((all) => all.filter((each) => each.getBoundingClientRect().height < 44).map((each) => each.outerHTML));
  expect(small).toEqual([]);
});

test("passes axe in both themes", async () => {
  for (const theme of ["dark", "light"]) {
    for (const page of [ana, phone]) {
      await page.evaluate((name) => localStorage.setItem("followspot.theme", name), theme);
      await page.reload();
      await page.getByText("Connected", { exact: true }).waitFor();
      await picture(page, `${page === ana ? "desk" : "phone"}-${theme}`);
      expect(await faultsOf(page)).toEqual([]);
    }
  }
});

test("shows users without permission the reason, and no blackout", async () => {
  const member = { name: "Mia", email: "mia@example.org", roles: ["AI"] };
  await product.call("user.v1.UserService/CreateUser", member);
  const browser = await openBrowser();
  browsers.push(browser);
  const page = await (await browser.newContext({ viewport: LAPTOP })).newPage();
  await signIn(page, "mia@example.org");
  await page.getByText("Only Directors and Admins run the lamps.").waitFor();
  expect(await page.getByRole("button", { name: "Blackout" }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

async function picture(page: Page, name: string): Promise<void> {
  if (!SHOTS) return;
  await mkdir(SHOTS, { recursive: true });
  await page.screenshot({ path: `${SHOTS}/${name}.png` });
}
