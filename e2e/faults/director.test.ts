import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "../testing/browser.ts";
import { processesOn, removeData, startProduct, until, type Product } from "../testing/product.ts";

let product: Product;
let browser: Browser;

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
  await removeData(product.dataDir);
});

test("a restart of the API loses nothing; the page keeps its content and reconnects", async () => {
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();
  const night = { title: "Friday night", starts_at: at(-3600_000), ends_at: at(3600_000) };
  const eventId = (await product.call("event.v1.EventService/CreateEvent", night)).event.id;
  const talk = { title: "How a song becomes light", event_id: eventId, start_at: at(0) };
  await product.call("talk.v1.TalkService/CreateTalk", talk);
  const { link } = await product.call("director.v1.DirectorService/CreateStageLink", { event_id: eventId });
  const shown = async () =>
    (await product.call("director.v1.DirectorService/GetStageScreen", { event_id: eventId })).screen;
  const context = await browser.newContext();
  await context.addCookies([{ name: "followspot_session", value: await product.token(), url: product.url }]);
  const strip = await context.newPage();
  await strip.goto(`${product.url}/admin/events/${eventId}/stage`);
  const stage = await (await browser.newContext()).newPage();
  await stage.goto(`${product.url}${link.path}`);

  await strip.getByRole("button", { name: "Show How a song becomes light" }).click();
  await strip.getByRole("button", { name: "10 min" }).click();
  await stage.getByRole("heading", { name: "How a song becomes light" }).waitFor();
  await until(async () => (await shown()).timerEndsAt !== undefined);
  const revision = () => stage.locator(".stage").getAttribute("data-revision").then(Number);
  await until(async () => (await revision()) === (await shown()).revision);
  const before = await shown();
  const [api] = await processesOn(product.dataDir, "main-api");
  process.kill(api!, "SIGKILL");
  await stage.getByText(/Reconnecting/).waitFor();
  expect(await stage.getByRole("heading", { name: "How a song becomes light" }).isVisible()).toBe(true);
  await stage.getByText(/Reconnecting/).waitFor({ state: "detached" });
  const { serverTime: _before, ...kept } = before;
  expect(await shown()).toMatchObject(kept);
  await until(async () => {
    await strip.getByRole("button", { name: "Home" }).click();
    return (await shown()).view === "home";
  });
  await stage.getByRole("heading", { name: "Friday night" }).waitFor();
});
