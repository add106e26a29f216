import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { watchMachine } from "../apps/server/src/stage/testing/machine-lag.ts";
import { faultsOf } from "./testing/accessibility.ts";
import { until } from "./testing/product.ts";
import { sharedBrowser, sharedProduct, type SharedProduct } from "./testing/shared-product.ts";

let product: SharedProduct;
let browser: Browser;
let ada: Page;
let bea: Page;
const complaints: string[] = [];

beforeAll(async () => {
  [product, browser] = await Promise.all([sharedProduct(), sharedBrowser()]);
  ada = await window();
  await ada.goto(product.ownerLink!);
  await ada.getByLabel("Name").fill("Ada");
  await ada.getByLabel("Email").fill("ada@example.org");
  await ada.getByRole("button", { name: "Become owner" }).click();
  await ada.getByText("System overview and statistics").waitFor();
  const director = { name: "Bea", email: "bea@example.org", roles: ["Director"] };
  await product.call("user.v1.UserService/CreateUser", director);
  bea = await window();
  await bea.goto(`${product.url}/admin/chat`);
  await bea.getByLabel("Email").fill(director.email);
  await bea.getByRole("button", { name: /code/i }).click();
  const code = () => /bea@example\.org\D*(\d{6})/.exec(product.output())?.[1];
  await until(() => code() !== undefined);
  await bea.getByLabel(/code/i).fill(code()!);
  await bea.getByRole("button", { name: "Sign in" }).click();
  await bea.getByText("No threads yet").waitFor();
  for (const page of [ada, bea]) page.on("pageerror", (error) => complaints.push(error.message));
});
afterAll(async () => {
  await browser?.close();
});

async function window(): Promise<Page> {
  return (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
}
const message = (page: Page, text: string) => page.getByRole("article").filter({ hasText: text });
async function write(page: Page, text: string): Promise<void> {
  await page.getByLabel("Message", { exact: true }).fill(text);
  await page.keyboard.press("Enter");
  await message(page, text).waitFor();
}

test("two users start a thread and chat, and each sees unread messages", async () => {
  await ada.keyboard.press("Control+k");
  await ada.getByRole("combobox", { name: "Search or jump to" }).waitFor();
  await ada.keyboard.type("Chat");
  await ada.keyboard.press("Enter");
  await ada.getByText("No threads yet").waitFor();
  await ada.getByRole("button", { name: "New Thread" }).click();
  await ada.getByLabel("Title").fill("Load-in");
  await ada.getByRole("searchbox", { name: "People" }).fill("be");
  await ada.getByRole("button", { name: "Bea" }).click();
  await ada.getByRole("button", { name: "Create Thread" }).click();
  await write(ada, "Doors at eight?");
  await write(ada, "Bring the hazer");

  const row = bea.getByRole("button", { name: /Load-in/ });
  await row.getByText("2 unread").waitFor({ state: "attached" });
  await row.getByText("Ada: Bring the hazer").waitFor();
  await bea.getByRole("button", { name: /1 thread with unread messages/ }).waitFor();
  await row.click();
  await message(bea, "Doors at eight?").waitFor();
  await row.getByText("unread").waitFor({ state: "detached" });
  await bea.getByRole("button", { name: "Account: Bea", exact: true }).waitFor();

  await bea.getByLabel("Message", { exact: true }).pressSequentially("On my w");
  await ada.getByText("Bea is typing...").waitFor();
  await bea.keyboard.type("ay");
  const machine = watchMachine();
  const sentAt = Date.now();
  await bea.keyboard.press("Enter");
  await message(ada, "On my way").waitFor();
  expect(Date.now() - sentAt).toBeLessThan(1000 + 2 * machine.worst());
});

test("edits, reactions and deletions appear on other open pages", async () => {
  await message(ada, "Doors at eight?").getByLabel("Message options").click();
  await ada.getByRole("menuitem", { name: "Edit" }).click();
  await ada.getByLabel("Edit message").fill("Doors at nine?");
  await ada.keyboard.press("Enter");
  await message(bea, "Doors at nine?").getByText("(edited)").waitFor();

  await message(bea, "Doors at nine?").getByLabel("React").click();
  await bea.getByRole("menuitem", { name: "👍" }).click();
  await message(ada, "Doors at nine?").getByRole("button", { name: "👍 by Bea" }).click();
  await message(bea, "Doors at nine?").getByRole("button", { name: "👍 by Bea, Ada" }).click();
  await message(ada, "Doors at nine?").getByRole("button", { name: "👍 by Ada" }).waitFor();

  await message(ada, "Bring the hazer").getByLabel("Message options").click();
  await ada.getByRole("menuitem", { name: "Delete" }).click();
  await ada.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await message(bea, "Message deleted").waitFor();
  expect(await message(bea, "Bring the hazer").count()).toBe(0);
});

test("a draft survives a server that does not respond, and is sent once", async () => {
  await bea.route("**/*.ChatService/SendMessage", (route) => route.abort());
  await bea.getByLabel("Message", { exact: true }).fill("Still there?");
  await bea.keyboard.press("Enter");
  await bea.getByText(/Not sent: The server cannot be reached/).waitFor();
  await bea.unroute("**/*.ChatService/SendMessage");
  await bea.keyboard.press("Enter");
  await message(ada, "Still there?").waitFor();
  expect(await message(ada, "Still there?").count()).toBe(1);
});

test("older messages load above without moving the visible ones", async () => {
  const { threads } = await product.call("chat.v1.ChatService/ListAllThreads", {});
  for (let i = 1; i <= 60; i++) {
    const text = i % 9 === 0 ? `Line ${i}\nand\nmore of it` : `Line ${i}`;
    const sent = await bea.request.post(`${product.url}/followspot.chat.v1.ChatService/SendMessage`, {
      headers: { origin: product.url },
      data: { threadId: threads[0].id, text },
    });
    expect(sent.status()).toBe(200);
  }
  await message(ada, "Line 60").waitFor();
  await ada.reload();
  await message(ada, "Line 60").waitFor();
  expect(await ada.getByRole("article").count()).toBeLessThan(60);
  await message(ada, "Line 60").hover();
  // The response with older messages is delayed until the page no longer scrolls.
  let letGo = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await ada.route("**/*.ChatService/ListMessages", async (route) => {
    await held;
    await route.continue();
  });
  for (let i = 0; i < 12; i++) await ada.mouse.wheel(0, -300);
  await ada.getByText("Loading older messages...").waitFor();
  await new Promise((settled) => setTimeout(settled, 400));
  const place = () =>
    ada.evaluate(() => {
      const list = [...document.querySelectorAll<HTMLElement>("[role=region] article")];
      const top = document.querySelector("[role=region]")!.getBoundingClientRect().top;
      // Not the first loaded message: it loses its day and name to the one before it.
      const shown = list.findLast((each) => each.getBoundingClientRect().top <= top + 300)!;
      return { text: shown.textContent, at: Math.round(shown.getBoundingClientRect().top) };
    });
  const before = await place();
  letGo();
  await ada.getByText("Loading older messages...").waitFor({ state: "detached" });
  await new Promise((settled) => setTimeout(settled, 400));
  const after = await place();
  expect(after.text).toBe(before.text);
  expect(Math.abs(after.at - before.at)).toBeLessThanOrEqual(2);
  await ada.unroute("**/*.ChatService/ListMessages");
  await ada.getByRole("button", { name: "Newest messages" }).click();
  await message(ada, "Line 60").waitFor();
});

test("a user who leaves gets no more messages, and a moderator sees that reading is audited", async () => {
  await bea.getByRole("button", { name: "Options", exact: true }).click();
  await bea.getByRole("menuitem", { name: "Leave" }).click();
  await bea.getByRole("alertdialog").getByRole("button", { name: "Leave" }).click();
  await bea.getByText("No threads yet").waitFor();
  await ada.getByRole("button", { name: "1 member" }).waitFor();
  await write(ada, "Alone now");
  await new Promise((heard) => setTimeout(heard, 500));
  expect(await bea.getByText("Alone now").count()).toBe(0);

  await ada.getByRole("button", { name: "Options", exact: true }).click();
  await ada.getByRole("menuitem", { name: "Leave" }).click();
  await ada.getByRole("alertdialog").getByRole("button", { name: "Leave" }).click();
  await ada.getByRole("button", { name: "All", exact: true }).click();
  await ada.getByRole("button", { name: /Load-in/ }).click();
  await ada.getByText(/written to the audit log/).waitFor();
  await message(ada, "Alone now").waitFor();
  expect(await ada.getByLabel("Message", { exact: true }).count()).toBe(0);
});

test("passes axe in both themes and on a narrow screen", async () => {
  for (const theme of ["dark", "light"]) {
    await ada.evaluate((chosen) => localStorage.setItem("followspot.theme", chosen), theme);
    await ada.reload();
    await message(ada, "Alone now").waitFor();
    await ada.waitForTimeout(300);
    expect(await faultsOf(ada), theme).toEqual([]);
  }
  await ada.setViewportSize({ width: 360, height: 740 });
  await ada.waitForTimeout(200);
  expect(await faultsOf(ada)).toEqual([]);
  expect(await ada.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  expect(complaints).toEqual([]);
});
