import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askAlone } from "./testing/ask-alone.ts";
import { fakeCamera } from "./testing/fake-inputs.ts";
import { until } from "./testing/product.ts";
import { sharedBrowser, sharedProduct, type SharedProduct } from "./testing/shared-product.ts";

const PEOPLE = 200;
/** Number of codes scanned on the page; the rest are checked in by calls. */
const BY_HAND = 6;

let product: SharedProduct;
let browser: Browser;
let page: Page;
let eventId: string;
let codes: readonly string[];
const complaints: string[] = [];

beforeAll(async () => {
  [product, browser] = await Promise.all([sharedProduct(), sharedBrowser()]);
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();
  const night = { title: "Friday night", starts_at: at(-3600_000), ends_at: at(5 * 3600_000) };
  eventId = (await product.call("event.v1.EventService/CreateEvent", night)).event.id;
  const dora = { name: "Dora", email: "dora@example.org", roles: ["Director"] };
  await product.call("user.v1.UserService/CreateUser", dora);
  for (let made = 1; made < PEOPLE; made += 20) {
    const names = Array.from({ length: Math.min(20, PEOPLE - made) }, (_, i) => `Guest ${made + i}`);
    await Promise.all(names.map((name) => product.call("user.v1.UserService/CreateUser", { name })));
  }
});
afterAll(async () => {
  await browser?.close();
});

const answer = (state: string) => page.locator(`[data-scan=${state}]`);
/** Types like a scanner: all characters at once, then Enter, wherever the focus is. */
async function scan(code: string): Promise<void> {
  await page.keyboard.type(code);
  await page.keyboard.press("Enter");
}

test("a Director finds the codes of an event, 200 on A4 sheets with a name under each", async () => {
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(`${product.url}/admin/events`);
  await page.getByLabel("Email or phone").fill("dora@example.org");
  await page.getByRole("button", { name: "Send code" }).click();
  const code = () => /Sign-in code for dora@example\.org: (\d+)/.exec(product.output())?.[1];
  await until(() => code() !== undefined);
  await page.getByLabel(/code/i).fill(code()!);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("link", { name: "Check-in" }).click();
  await page.getByRole("link", { name: "Print codes" }).click();
  await page.getByText(`${PEOPLE} codes on 9 A4 pages`).waitFor();
  const printed = page.locator("li[data-code]");
  codes = await printed.evaluateAll((all) => all.map((each) => (each as HTMLElement).dataset["code"]!));
  expect(new Set(codes).size).toBe(PEOPLE);
  expect(await printed.filter({ has: page.locator("svg") }).count()).toBe(PEOPLE);
  expect(await printed.filter({ hasText: /^(Guest \d+|Dora)/ }).count()).toBe(PEOPLE);
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(9);
  await page.emulateMedia({ media: "print" });
  expect(await page.locator("header").isVisible()).toBe(false);
  await page.emulateMedia({ media: null });
});

test("a scanner's keys check attendees in wherever the focus is, with a text for each", async () => {
  await page.getByRole("link", { name: "Back to check-in" }).click();
  await answer("ready").waitFor();
  for (const code of codes.slice(0, BY_HAND)) {
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await scan(code);
  }
  await page.getByText(`${BY_HAND} of ${PEOPLE} are here`).waitFor();
  await answer("in").getByText("Checked in").waitFor();
});

test("check-ins by another scanner's calls update the count live", async () => {
  const rest = codes.slice(BY_HAND);
  for (let from = 0; from < rest.length; from += 20) {
    const call = (code: string) => product.call("event.v1.EventService/ScanQr", { event_id: eventId, code });
    const answers = await Promise.all(rest.slice(from, from + 20).map(call));
    expect(answers.every(({ success }) => success)).toBe(true);
  }
  await page.getByText(`${PEOPLE} of ${PEOPLE} are here`).waitFor();
});

test("a second scan is rejected with the time of the first, and a partial code with a remedy", async () => {
  await scan(codes[0]!);
  await answer("again").getByText("Already checked in").waitFor();
  expect(await answer("again").textContent()).toMatch(/at \d+:\d\d [AP]M by Dora/);
  await scan(codes[0]!.slice(0, 50));
  await answer("refused").getByText("Only a part of the code was read").waitFor();
  const { counts } = await product.call("event.v1.EventService/CountCheckIns", { event_id: eventId });
  expect(counts[0].count).toBe(PEOPLE);
});

test("an undone check-in can be repeated", async () => {
  await page.getByRole("button", { name: "Undo" }).first().click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Undo" }).click();
  await page.getByText(`${PEOPLE - 1} of ${PEOPLE} are here`).waitFor();
  await page.getByRole("alertdialog").waitFor({ state: "detached" });
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  // The attendee at the top of the page when the button was pressed.
  const list = { pageSize: PEOPLE };
  const { checkIns } = await product.call("event.v1.EventService/ListCheckIns", { event_id: eventId, list });
  const present = new Set<string>(checkIns.map(({ userId }: { userId: string }) => userId));
  await scan(codes.find((code) => !present.has(code.split(".")[2]!))!);
  await page.getByText(`${PEOPLE} of ${PEOPLE} are here`).waitFor();
  expect(complaints).toEqual([]);
});

test("a camera with a code in view checks the attendee in, and a photo does so without a camera", async () => {
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();
  const night = { title: "Camera night", starts_at: at(-1000), ends_at: at(3600_000) };
  const { event } = await product.call("event.v1.EventService/CreateEvent", night);
  await page.goto(`${product.url}/admin/events/${event.id}/codes`);
  const printed = page.locator("li[data-code] svg");
  await printed.first().waitFor();
  const [first, second] = [await printed.nth(0).screenshot(), await printed.nth(1).screenshot()];

  await page.goto(`${product.url}/admin/events/${event.id}/check-in`);
  await page.evaluate(fakeCamera, { picture: first.toString("base64"), degrees: 20 });
  await page.getByRole("button", { name: "Scan with the camera" }).click();
  await answer("in").waitFor();
  await page.getByText(`1 of ${PEOPLE} are here`).waitFor();
  await page.getByRole("button", { name: "Close the camera" }).click();

  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () =>
      Promise.reject(new DOMException("Permission denied", "NotAllowedError"));
  });
  await page.getByRole("button", { name: "Scan with the camera" }).click();
  await page.getByText(/The camera cannot be used/).waitFor();
  const photo = page.getByLabel("Photograph the code", { exact: true });
  await photo.setInputFiles({ name: "code.png", mimeType: "image/png", buffer: second });
  await page.getByText(`2 of ${PEOPLE} are here`).waitFor();
  const nothing = await page.getByRole("heading").first().screenshot();
  await photo.setInputFiles({ name: "wall.png", mimeType: "image/png", buffer: nothing });
  await page.getByText("No code was found in this picture").waitFor();
  expect(complaints).toEqual([]);
});

test("a disconnected door checks attendees in and syncs after the reconnect, with a notice about the other door", async () => {
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();
  const late = { title: "Late night", starts_at: at(-1000), ends_at: at(3600_000) };
  const { event } = await product.call("event.v1.EventService/CreateEvent", late);
  const list = { pageSize: 3 };
  const { codes: known } = await product.call("event.v1.EventService/ListAttendeeCodes", { event_id: event.id, list });
  const [first, second] = known.map(({ code }: { code: string }) => code);
  await askAlone(page);
  const read = page.waitForResponse(/ListAttendeeCodes/);
  await page.goto(`${product.url}/admin/events/${event.id}/check-in`);
  await answer("ready").waitFor();
  await (await read).finished();
  await page.context().setOffline(true);
  await scan(first);
  await answer("here").getByText("Not yet settled").waitFor();
  await scan(second);
  await page.getByText("2 scans are not yet settled").waitFor();
  // Meanwhile a connected door scans the same code.
  await product.call("event.v1.EventService/ScanQr", { event_id: event.id, code: second, door: "other" });
  await page.context().setOffline(false);
  await page.getByText("was checked in at another door").waitFor();
  await page.getByText(`2 of ${PEOPLE} are here`).waitFor();
  expect(await page.getByText("not yet settled").count()).toBe(0);
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByText("was checked in at another door").waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
});
