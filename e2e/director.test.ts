import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { watchMachine } from "../apps/server/src/stage/testing/machine-lag.ts";
import { until } from "./testing/product.ts";
import { sharedBrowser, sharedProduct, type SharedProduct } from "./testing/shared-product.ts";

let product: SharedProduct;
let browser: Browser;
let strip: Page;
let stage: Page;
let eventId: string;
let link: string;
const complaints: string[] = [];

const PHONE = { width: 360, height: 740 };

beforeAll(async () => {
  [product, browser] = await Promise.all([sharedProduct(), sharedBrowser()]);
  const hour = 3600_000;
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();
  const night = { title: "Friday night", starts_at: at(-hour), ends_at: at(5 * hour) };
  eventId = (await product.call("event.v1.EventService/CreateEvent", night)).event.id;
  for (const [i, title] of ["How a song becomes light", "Eight second-hand pars"].entries())
    await product.call("talk.v1.TalkService/CreateTalk", { title, event_id: eventId, start_at: at(i * hour) });
  const dora = { name: "Dora", email: "dora@example.org", roles: ["Director"] };
  await product.call("user.v1.UserService/CreateUser", dora);
});
afterAll(async () => {
  await browser?.close();
});

const listen = (page: Page) => {
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (/Content Security Policy/.test(message.text())) complaints.push(message.text());
  });
  return page;
};

/** Opens a page on a projector, without a sign-in. */
async function openStage(address: string): Promise<Page> {
  const page = listen(await (await browser.newContext({ viewport: { width: 1280, height: 720 } })).newPage());
  await page.goto(address);
  return page;
}

/** Records in the page when each revision was first rendered. */
async function watchRevisions(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen: Record<string, number> = {};
    Object.assign(window, { seen });
    const note = () => {
      const revision = document.querySelector<HTMLElement>(".stage")?.dataset["revision"];
      if (revision !== undefined) seen[revision] ??= Date.now();
    };
    note();
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, attributes: true });
  });
}

const revisionOn = (page: Page) => page.locator(".stage").getAttribute("data-revision").then(Number);
const shown = async () =>
  (await product.call("director.v1.DirectorService/GetStageScreen", { event_id: eventId })).screen;

test("a Director without the Admin role signs in on a phone and finds the stage screen in Events", async () => {
  strip = listen(await (await browser.newContext({ viewport: PHONE, hasTouch: true })).newPage());
  await strip.goto(`${product.url}/admin/events`);
  await strip.getByLabel("Email or phone").fill("dora@example.org");
  await strip.getByRole("button", { name: "Send code" }).click();
  const code = () => /Sign-in code for dora@example\.org: (\d+)/.exec(product.output())?.[1];
  await until(() => code() !== undefined);
  await strip.getByLabel(/code/i).fill(code()!);
  await strip.getByRole("button", { name: "Sign in", exact: true }).click();
  await strip.getByRole("link", { name: "Stage screen" }).click();
  await strip.getByRole("region", { name: "On stage now" }).getByText("Home").first().waitFor();
  const small = await strip
    .locator("main button, main a, main input, main select, main textarea")
    .evaluateAll((all) => all.filter((each) => each.getBoundingClientRect().height < 44).map((each) => each.outerHTML));
  expect(small).toEqual([]);
  expect(await strip.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
});

test("creates a link that opens on a projector without a sign-in", async () => {
  await strip.getByRole("button", { name: "Make link" }).click();
  link = await strip.getByLabel("Address of the projector page").inputValue();
  expect(link.startsWith(`${product.url}/stage/${eventId}#`)).toBe(true);
  await strip.getByRole("button", { name: "QR code" }).click();
  await strip.getByRole("img", { name: "QR code of the projector page" }).waitFor();
  stage = await openStage(link);
  await stage.getByRole("heading", { name: "Friday night" }).waitFor();
});

test("each change appears on the stage page within 300 ms", async () => {
  await watchRevisions(stage);
  // Times of the clicks by this machine's clock, recorded in the phone's page.
  await strip.evaluate(() => {
    const begun: number[] = [];
    Object.assign(window, { begun });
    document.addEventListener(
      "click",
      ({ target }) => {
        if ((target as Element).closest("main button")) begun.push(Date.now());
      },
      true,
    );
  });
  const taken: number[] = [];
  const press = async (name: string) => {
    const before = await revisionOn(stage);
    await strip.getByRole("button", { name, exact: true }).click();
    await until(async () => (await revisionOn(stage)) > before);
    const revision = await revisionOn(stage);
    const [begun, seen] = [
      await strip.evaluate(() => (window as any).begun.at(-1) as number),
      await stage.evaluate((of) => (window as any).seen[of] as number, String(revision)),
    ];
    taken.push(seen - begun);
  };
  for (let round = 0; round < 3; round++) {
    await press("Show How a song becomes light");
    await press("5 min");
    await press("Leaderboard");
    await press("Show Eight second-hand pars");
    await press("Stop timer");
    await press("End talk");
    await press("Leaderboard");
    await press("Home");
  }
  expect(taken).toHaveLength(24);
  // The median, because a busy machine may delay single ones.
  expect(taken.toSorted((a, b) => a - b)[taken.length / 2]).toBeLessThanOrEqual(300);
});

test("an announcement ends automatically and reveals the view beneath it, on the projector and on the phone", async () => {
  await strip.getByRole("button", { name: "Show How a song becomes light" }).click();
  await stage.getByRole("heading", { name: "How a song becomes light" }).waitFor();
  const machine = watchMachine();
  const call = { event_id: eventId, text: "Bar is open", seconds: 2 };
  const { screen } = await product.call("director.v1.DirectorService/MakeAnnouncement", call);
  await stage.getByRole("heading", { name: "Bar is open" }).waitFor();
  await strip.getByRole("region", { name: "On stage now" }).getByText("Bar is open").waitFor();
  await stage.getByRole("heading", { name: "How a song becomes light" }).waitFor();
  const seen = await stage.evaluate(() => Math.max(...(Object.values((window as any).seen) as number[])));
  const late = seen - Date.parse(screen.announcementEndsAt);
  expect(late).toBeLessThan(300 + 2 * machine.worst());
  await strip.getByRole("region", { name: "On stage now" }).getByText("How a song becomes light").waitFor();
});

test("with two Directors at once, the later change wins and both see the same", async () => {
  const other = listen(await strip.context().newPage());
  await other.goto(`${product.url}/admin/events/${eventId}/stage`);
  const onStage = (page: Page) => page.getByRole("region", { name: "On stage now" });
  await onStage(other).getByText("How a song becomes light").waitFor();
  for (let round = 0; round < 5; round++) {
    const { revision } = await shown();
    await Promise.all([
      strip.getByRole("button", { name: "Leaderboard" }).click(),
      other.getByRole("button", { name: "Show Eight second-hand pars" }).click(),
    ]);
    // Both changes were applied, in either order.
    await until(async () => (await revisionOn(stage)) === revision + 2);
    const { view } = await shown();
    const word = view === "talk" ? "Eight second-hand pars" : "Leaderboard";
    for (const page of [strip, other]) await onStage(page).locator("p", { hasText: word }).first().waitFor();
    expect(await stage.locator(".stage").getAttribute("data-view")).toBe(view);
    await other.getByRole("button", { name: "Home" }).click();
    await until(async () => (await shown()).view === "home");
  }
  await other.close();
});

test("shows the stage behind the text while the Director wants it", async () => {
  await strip.getByRole("button", { name: "Show the stage" }).click();
  await stage.locator('.behind[data-connection="live"]').waitFor();
  await stage.getByRole("heading", { name: "Friday night" }).waitFor();
  await strip.getByRole("button", { name: "Hide the stage" }).click();
  await stage.locator(".behind").waitFor({ state: "detached" });
});

test("a withdrawn link closes the page at once with a notice, and cannot be opened again", async () => {
  await strip.getByRole("button", { name: "Close the screen" }).click();
  await strip.getByRole("alertdialog").getByRole("button", { name: "Close the screen" }).click();
  await stage.getByText("This link shows nothing any more.").waitFor({ timeout: 5000 });
  const again = await openStage(link);
  await again.getByText("This link shows nothing any more.").waitFor();
  await strip.getByRole("button", { name: "Make link" }).waitFor();
  expect(complaints).toEqual([]);
});
