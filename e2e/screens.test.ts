import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { synthesiseSong } from "../apps/server/src/testing/synthetic-song.ts";
import { faultsOf } from "./testing/accessibility.ts";
import { askAlone } from "./testing/ask-alone.ts";
import { dragByKeyboard } from "./testing/keyboard-drag.ts";
import { PUBLIC_SITE } from "./testing/product-pool.ts";
import { until } from "./testing/product.ts";
import { sharedBrowser, sharedProduct, type SharedProduct } from "./testing/shared-product.ts";
import { isReady, songOf, upload } from "./testing/songs.ts";

/** Every screen of the specification, walked by role and visible name against the server; empty first, then full. */
const ALL_STREAMS = /\/api\/queues\/all\/stats$/;
/** 'Jan 5, 2025, 3:30 PM' */
const MOMENT = /[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d{2} [AP]M/;

let product: SharedProduct;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [product, browser] = await Promise.all([sharedProduct(), sharedBrowser()]);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies([{ name: "followspot_session", value: await product.token(), url: product.url }]);
  await askAlone(context);
  page = await context.newPage();
});
afterAll(async () => {
  await browser?.close();
});

const button = (name: string | RegExp, within: Page | Locator = page) =>
  within.getByRole("button", { name, exact: typeof name === "string" });
const dialog = (name: string) => page.getByRole("dialog", { name, exact: true });
const question = (name: string) => page.getByRole("alertdialog", { name, exact: true });
const row = (text: string) => page.getByRole("row").filter({ hasText: text });
const region = (name: string) => page.getByRole("region", { name });

const asAdmin = async () => ({ headers: { authorization: `Bearer ${await product.token()}` } });

async function open(path: string): Promise<void> {
  await page.goto(`${product.url}/admin${path}`);
  await page.getByRole("heading", { level: 1 }).first().waitFor();
}

/** Waits until all texts are visible. */
async function sees(within: Page | Locator, ...texts: (string | RegExp)[]): Promise<void> {
  for (const text of texts) await within.getByText(text).first().waitFor();
}

/** Returns the column headers of a list, in their order. */
async function columns(list: string): Promise<readonly string[]> {
  const heads = page.getByRole("grid", { name: list }).getByRole("columnheader");
  await heads.first().waitFor();
  return (await heads.allTextContents()).map((text) => text.trim());
}

/** Expects the loading text while a screen's call is pending, and the error after it failed. */
async function whileAwayOf(call: RegExp, path: string, loading: string, error: string): Promise<void> {
  const answers = Promise.withResolvers<void>();
  await page.route(call, async (route) => {
    await answers.promise;
    await route.fulfill({ status: 500, json: { code: "internal", message: "the disk is full" } });
  });
  await page.goto(`${product.url}/admin${path}`);
  await sees(page, loading);
  answers.resolve();
  await sees(page, error);
  await page.unroute(call);
}

test("the root leads to the public site, and each tab to its screen, where it is marked", async () => {
  const root = await fetch(product.url, { redirect: "manual" });
  expect(root.headers.get("location")).toBe(PUBLIC_SITE);
  await open("");
  const tabs = page.getByRole("navigation", { name: "Main" }).getByRole("link");
  expect(await tabs.allTextContents()).toEqual(["Followspot", "Users", "Events", "Music", "Lights", "Workers", "Docs"]);
  const marked = () => page.locator("nav [aria-current=page]").allTextContents();
  expect(await marked()).toEqual(["Followspot"]);
  for (const name of ["Users", "Events", "Music", "Lights", "Workers", "Docs"]) {
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name }).click();
    await page.waitForURL(new RegExp(`/admin/${name.toLowerCase()}`));
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    expect(await marked()).toEqual([name]);
  }
});

// kept: Console | On Tonight a link within text looked like the text when no output was set | failed on the old code
test("no screen has an accessibility fault while nothing was added", async () => {
  const faults: string[] = [];
  for (const path of ["", "/users", "/events", "/music", "/music/playlists", "/lights", "/preflight", "/tonight"]) {
    await open(path);
    await page.getByText("Loading...").first().waitFor({ state: "detached" });
    faults.push(...(await faultsOf(page)).map((fault) => `${path || "/"}: ${fault}`));
  }
  expect(faults).toEqual([]);
});

test("Users is empty, then has a person who is made, edited, deleted and purged", async () => {
  // The signed-in user is a user too, so the list is never empty by itself.
  await page.route(/ListUsers$/, (route) => route.fulfill({ json: {} }));
  await open("/users");
  await sees(page, "No users found. Create your first user to get started.");
  await page.unroute(/ListUsers$/);
  await whileAwayOf(/ListUsers$/, "/users", "Loading...", "Error loading users: [internal] the disk is full");
  await open("/users");
  expect((await columns("Users")).slice(1)).toEqual(["Photo", "Name", "Phone", "Status", "Created", "Actions"]);

  await button("New User").click();
  const form = dialog("Create New User");
  await page.keyboard.press("Escape");
  await form.waitFor({ state: "detached" });
  await button("New User").click();
  await page.mouse.click(5, 400);
  await form.waitFor({ state: "detached" });
  await button("New User").click();
  const said = { Username: "ada", Email: "ada@example.org", Phone: "+1 555 0100", Purpose: "Engines", Bio: "Notes" };
  await form.getByLabel("Name *").fill("Ada Lovelace");
  for (const [label, text] of Object.entries(said)) await form.getByLabel(label, { exact: true }).fill(text);
  expect(await form.locator("input[type=file]").getAttribute("accept")).toBe("image/*");
  expect(await form.getByRole("group", { name: "Roles" }).getByRole("checkbox").count()).toBe(3);
  for (const role of ["Director", "AI"]) await form.getByRole("checkbox", { name: role }).check();
  await button("Create User", form).click();

  const ada = row("Ada Lovelace");
  await sees(ada, "Pending", "+1 555 0100", "just now");
  await button("Edit", ada).click();
  const edit = dialog("Edit User");
  expect(await edit.getByLabel("Bio", { exact: true }).inputValue()).toBe("Notes");
  await page.keyboard.press("Escape");
  const { users } = await product.call("user.v1.UserService/ListUsers", { list: { query: "ada lovelace" } });
  await button("Delete", ada).click();
  await sees(
    question("Delete User"),
    'Are you sure you want to delete "Ada Lovelace"? This can be undone until the user is purged later.',
  );
  await button("Delete", question("Delete User")).click();
  await button(/^Deleted\s*1/).click();
  await sees(row("Ada Lovelace"), "Deleted");
  expect(await button("Delete", row("Ada Lovelace")).count()).toBe(0);
  await button("Purge", row("Ada Lovelace")).click();
  await sees(page.getByRole("alertdialog"), /cannot be undone/);
  await page.getByRole("alertdialog").getByRole("textbox").fill("Ada Lovelace");
  await button("Purge Permanently", page.getByRole("alertdialog")).click();
  await row("Ada Lovelace").waitFor({ state: "detached" });
  const purged = () =>
    product.call("user.v1.UserService/GetUser", { user_id: users[0].id }).then(
      () => false,
      ({ message }: Error) => message.includes("not_found"),
    );
  await until(purged);
});

test("Events is empty, then has an event with all it can say, which is edited and deleted", async () => {
  await open("/events");
  await sees(page, "No events found. Create your first event to get started.");
  await whileAwayOf(/ListEvents$/, "/events", "Loading...", "Error loading events: [internal] the disk is full");
  await open("/events");
  await button("New Event").click();
  const form = dialog("Create New Event");
  await form.getByLabel("Title *").fill("Harbour Night");
  await form.getByLabel("Start *").fill("2031-01-05T15:30");
  await form.getByLabel("End *").fill("2031-01-05T18:00");
  await form.getByLabel("Location", { exact: true }).fill("Hall 3");
  await form.getByLabel("Address", { exact: true }).fill("1 Quay Street");
  await form.getByLabel("Latitude").fill("48.85");
  await form.getByLabel("Longitude").fill("2.35");
  expect(await form.locator("input[type=file]").count()).toBe(1);
  await button("Create Event", form).click();
  const event = row("Harbour Night");
  await sees(event, "Jan 5, 2031, 3:30 PM", "1 Quay Street");
  expect((await columns("Events")).slice(1)).toEqual([
    ...["Banner", "Title", "Start", "End", "Address", "Created", "Actions"],
  ]);
  await button("Edit", event).click();
  expect(await dialog("Edit Event").getByLabel("Latitude").inputValue()).toBe("48.85");
  await page.keyboard.press("Escape");
  await event.getByRole("link", { name: "Talks" }).waitFor();
  await button("Delete", event).click();
  await sees(
    page.getByRole("alertdialog"),
    'Are you sure you want to delete "Harbour Night"? This action will soft delete the event.',
  );
  await button("Cancel", page.getByRole("alertdialog")).click();
});

test("Talks of an event are empty, then say what a talk has and what it does not have", async () => {
  await open("/events");
  await row("Harbour Night").getByRole("link", { name: "Talks" }).click();
  await page.getByRole("heading", { name: "Talks @ Harbour Night" }).waitFor();
  await sees(page, "No talks found for this event.");
  const path = new URL(page.url()).pathname.replace("/admin", "");
  const eventId = path.split("/")[2]!;
  await page.getByRole("link", { name: /^Back/ }).click();
  await page.waitForURL(/\/admin\/events$/);
  const make = (talk: object) => product.call("talk.v1.TalkService/CreateTalk", { event_id: eventId, ...talk });
  const { users } = await product.call("user.v1.UserService/ListUsers", {});
  await make({ title: "", body: "A talk about haze, ".repeat(20) });
  await make({ title: "Fog", user_id: users[0].id, start_at: "2031-01-05T15:45:00Z" });
  await whileAwayOf(/ListTalks$/, path, "Loading...", "Error loading talks: [internal] the disk is full");
  await open(path);
  expect((await columns("Talks")).filter((name) => !name.startsWith("Select"))).toEqual([
    ...["Image", "Title", "Speaker", "Start Time", "Created", "Actions"],
  ]);
  await sees(row("No title"), "No image", "No speaker", "Not scheduled", /A talk about haze/);
  await sees(row("Fog"), users[0].name, MOMENT, new RegExp(`^[A-Z][a-z]{2} \\d{1,2}, ${new Date().getFullYear()}`));
  // Responds without the event's title and the creation times of the talks.
  const unsaid = /GetEvent$|ListTalks$/;
  await page.route(unsaid, async (route) => {
    const body = await (await route.fetch()).json();
    for (const talk of body.talks ?? []) delete talk.createdAt;
    await route.fulfill(body.talks ? { json: body } : { status: 503, body: "" });
  });
  await page.goto(`${product.url}/admin${path}`);
  await page.getByRole("heading", { name: "Talks", exact: true }).waitFor();
  await sees(row("Fog"), "Unknown");
  await page.unrouteAll({ behavior: "wait" });
  await open(path);
  await button("Delete", row("Fog")).click();
  await sees(question("Delete Talk"), 'Are you sure you want to delete "Fog"?');
  await button("Delete", question("Delete Talk")).click();
  await row("Fog").waitFor({ state: "detached" });
});

test("Music is empty, then has a song that is ready and one whose download failed, with what can be tried again", async () => {
  await open("/music");
  await sees(page, "No songs found. Add your first song from the video site!");
  await whileAwayOf(/ListSongs$/, "/music", "Loading...", "Error loading songs: [internal] the disk is full");
  await open("/music");
  await button("Add from YouTube").click();
  const form = dialog("Add Song from YouTube");
  await button("Cancel", form).waitFor();
  await form.getByRole("textbox").first().fill("https://youtu.be/away0000001");
  const goes = Promise.withResolvers<void>();
  await page.route(/AddSongFromYoutube$/, async (route) => {
    await goes.promise;
    await route.continue();
  });
  await button("Add Song", form).click();
  await sees(form, "Adding...");
  goes.resolve();
  await form.waitFor({ state: "detached" });
  const { body } = await upload(product, "House Band - First Light.wav", synthesiseSong(12, 120));
  await until(() => isReady(product, body.song.id), 60_000);
  const { songs } = await product.call("music.v1.MusicService/ListSongs", {});
  const link = songs.find(({ id }: { id: string }) => id !== body.song.id);
  await until(async () => (await songOf(product, link.id)).errorMessage !== undefined);
  await open("/music");
  const heads = await columns("Music");
  const wanted = ["Song", "Duration", "Status", "Actions"];
  expect(heads.filter((name) => wanted.includes(name))).toEqual(wanted);
  const ready = row("First Light");
  await sees(ready, "House Band", "0:12", "Ready");
  expect(await ready.getByRole("link").first().getAttribute("href")).toContain(`/music/${body.song.id}/visualizer`);
  const failed = page.getByRole("row").filter({ hasText: "Error" });
  await sees(failed, "N/A");
  await button("Retry", ready).click();
  for (const step of ["Retry Download", "Retry Analysis", "Retry Lighting"])
    await page.getByRole("menuitem", { name: step }).waitFor();
  await page.keyboard.press("Escape");
  await button("Delete", ready).click();
  await sees(page.getByRole("alertdialog"), 'Are you sure you want to delete "First Light"?');
  await button("Cancel", page.getByRole("alertdialog")).click();
});

test("the visualizer plays a song on its timeline, and says what is known of it and what the lamps do", async () => {
  const { songs } = await product.call("music.v1.MusicService/ListSongs", { list: { query: "First Light" } });
  const path = `/music/${songs[0].id}/visualizer`;
  await whileAwayOf(/hybrid\.json/, path, "Loading visualizer data...", "Error loading visualizer:");
  await open(path);
  await sees(page, "First Light", /0?0:00\s*\/\s*0?0:12/);
  const info = page.getByRole("complementary", { name: "Song details" });
  await sees(info, "Song Info", "Duration", "Tempo", "120.0 BPM", "Key", /Beats/, /Segments/);
  await sees(info, "Current Patterns");
  const timeline = page
    .locator("svg[role=img], svg")
    .filter({ has: page.locator("rect") })
    .first();
  await timeline.waitFor();
  const line = region("Timeline");
  const bands = ["bass", "low_mid", "mid", "high_mid", "high"].map((band) => `band-${band}`);
  // For a song without vocals, the vocals lane is empty.
  expect(await line.locator("svg path.vz-vocals").count()).toBeGreaterThan(0);
  for (const drawn of ["tempo", "energy", ...bands])
    expect([drawn, await line.locator(`svg path.vz-${drawn}`).first().getAttribute("d")]).toEqual([drawn, expect.stringMatching(/^M/)]); // prettier-ignore
  await line.locator("svg [class*=vz-section-] text").first().waitFor();
  await line.locator("svg .vz-block rect.vz-fill").first().waitFor();
  for (const name of ["Zoom out", "Zoom in", "Zoom in", "Zoom in", "Zoom in"]) await button(name).click();
  const scrolled = () => line.evaluate((element) => [element, ...element.querySelectorAll("*")].reduce((sum, each) => sum + each.scrollLeft, 0)); // prettier-ignore
  const before = await scrolled();
  await button("Play").click();
  await until(() => page.evaluate(() => (document.querySelector("audio")?.currentTime ?? 0) > 0.5));
  // Target, intent, colors and parameters of the current cue.
  await info.getByRole("listitem").first().waitFor();
  expect(await info.getByRole("listitem").first().getByRole("heading").textContent()).toMatch(/^\S.* · \S/);
  await until(async () => (await scrolled()) > before);
  await button("Pause").click();
  await page.route(/lighting/i, async (route) => {
    const answer = await route.fetch();
    const plan = await answer.json().catch(() => ({}));
    await route.fulfill({ json: { ...plan, ...(plan.cues && { cues: [] }) } });
  });
  await page.goto(`${product.url}/admin${path}`);
  await sees(info, "No active patterns");
  await page.unroute(/lighting/i);
});

test("Lights and groups are empty, then are made, ordered, switched and deleted", async () => {
  await open("/lights");
  await sees(page, "No lights found. Create your first light to get started.");
  await sees(region("Groups"), "No groups found. Create your first group to get started.");
  await button("New Group").click();
  await sees(dialog("Create New Group"), "No lights available", "Unique identifier (lowercase, underscores allowed)");
  await page.keyboard.press("Escape");
  for (const [i, label] of ["Left", "Right"].entries()) {
    await button("New Light").click();
    const form = dialog("Create New Light");
    expect(await form.getByLabel("Mode *").isDisabled()).toBe(true);
    await sees(form, "Position determines the auto-calculated DMX address", "Leave empty for auto-calculation");
    expect(await form.getByLabel("Enabled").count()).toBe(0);
    await button("Cancel", form).waitFor();
    await form.getByLabel(/^DMX/).fill("513");
    await button("Create Light", form).click();
    await sees(form, /1 (to|and|-) 512/);
    await form.getByLabel(/^DMX/).fill("");
    await form.getByLabel("Label *").fill(label);
    await form.getByLabel("Light Type *").selectOption("Generic RGB par");
    await form.getByLabel("Mode *").selectOption("4 channels (4 channels)");
    await form.getByLabel("Position", { exact: true }).fill(String(i + 1));
    await sees(form, `Calculated DMX address: ${4 * i + 1} - ${4 * i + 4}`);
    await button("Create Light", form).click();
    await form.waitFor({ state: "detached" });
  }
  const wanted = ["Light", "DMX Range", "Type", "Mode", "Status", "Actions"];
  expect((await columns("Lights")).filter((name) => wanted.includes(name))).toEqual(wanted);
  const left = page.getByRole("grid", { name: "Lights" }).getByRole("row").filter({ hasText: "Left" });
  await sees(left, "#1", "Pos: 1", "1-4", "Generic RGB", "4 channels");
  await button("On", left).click();
  await button("Off", left).click();
  await button("On", left).waitFor();

  const handle = button("Move Left");
  await dragByKeyboard(handle, page.locator("[data-row]").filter({ has: handle }), 2);
  const goes = Promise.withResolvers<void>();
  await page.route(/ReorderLights$/, async (route) => {
    await goes.promise;
    await route.continue();
  });
  await button("Save and move", question("Lights get new addresses")).click();
  await sees(page, "Updating light positions...");
  goes.resolve();
  await sees(left, "Pos: 2", "5-8");

  await button("Edit", left).click();
  await dialog("Edit Light").getByLabel("Enabled").waitFor();
  await button("Update Light", dialog("Edit Light")).waitFor();
  await page.keyboard.press("Escape");

  await button("New Group").click();
  const group = dialog("Create New Group");
  await group.getByLabel("ID *").fill("front_wash");
  await group.getByLabel("Name *").fill("Front wash");
  await group.getByLabel("Type *").selectOption("wash");
  await sees(group, "DMX 1", "DMX 5");
  await group.getByRole("checkbox", { name: /Right/ }).check();
  await sees(group, "Lights * (1 selected)");
  await button("Create Group", group).click();
  const wash = row("Front wash");
  await sees(wash, "ID: front_wash", "wash", "1 fixture", "Enabled");
  expect((await columns("Groups")).filter((name) => !name.startsWith("Select"))).toEqual([
    ...["Name", "Type", "Fixtures", "Status", "Actions"],
  ]);
  await button("Edit", left).click();
  const groups = dialog("Edit Light").getByRole("group", { name: "Groups" });
  await groups.getByRole("checkbox", { name: "Front wash" }).check();
  await button("Update Light", dialog("Edit Light")).click();
  await sees(wash, "2 fixtures");
  await button("Edit", wash).click();
  await dialog("Edit Group").getByLabel("Enabled").waitFor();
  expect(await dialog("Edit Group").getByLabel("ID *").count()).toBe(0);
  await button("Update Group", dialog("Edit Group")).waitFor();
  await page.keyboard.press("Escape");
  await button("Delete", wash).click();
  await sees(question("Delete Group"), 'Are you sure you want to delete "Front wash"? This action cannot be undone.');
  await button("Delete", question("Delete Group")).click();
  await wash.waitFor({ state: "detached" });
  await button("Delete", left).click();
  await sees(page.getByRole("alertdialog"), 'Are you sure you want to delete "Left"? This action cannot be undone.');
  await button("Delete", page.getByRole("alertdialog")).click();
  await left.waitFor({ state: "detached" });
});

test("Workers shows streams with their figures and consumers, and the failure with its data", async () => {
  await open("/workers");
  await sees(page, "Message Streaming Dashboard", /\d+ stream\(s\) active/);
  await button("Refresh").click();
  const songs = page.getByRole("article", { name: "SONGS" });
  await sees(songs, "Messages", "Size", /^\d+\.\d\d (B|KB|MB|GB)$/, "Consumers", "Sequence", /^\d+ - \d+$/, "Subjects");
  await sees(songs, "songs.*", /Delivered: \d+/, /Pending: \d+/, /Ack: \d+/);
  const failures = region("Recent Failures");
  await button("Newest", failures).click();
  await sees(failures, "failures.songs.download", /^{\s+"song_id": "/);
  // None of our consumers has a filter.
  await page.route(ALL_STREAMS, async (route) => {
    const body = await (await fetch(`${product.url}/api/queues/all/stats`, await asAdmin())).json();
    for (const { consumerDetails = [] } of body.streams)
      for (const consumer of consumerDetails) consumer.filterSubject = "songs.download";
    await route.fulfill({ json: body });
  });
  await open("/workers");
  await sees(songs, "Filter: songs.download");
  await page.unroute(ALL_STREAMS);
  await page.route(ALL_STREAMS, (route) => route.fulfill({ json: { count: 0, streams: [] } }));
  await open("/workers");
  await sees(page, "No streams found. Make sure the streaming service (NATS) is running.");
  await page.unroute(ALL_STREAMS);
});

test("Docs searches methods by name and category, and documents the socket", async () => {
  await open("/docs");
  for (const name of ["ConnectRPC API", "WebSocket"]) await button(name).waitFor();
  const filters = page.getByRole("group", { name: "Category" }).getByRole("button");
  expect(await filters.allTextContents()).toEqual([
    ...["All", "Core", "Content", "Social", "Commerce", "System", "Realtime"],
  ]);
  const services = page.getByRole("navigation", { name: "Services" });
  await services.getByRole("link", { name: "ListUsers" }).click();
  const filed = {
    ...{ Core: "AuthService", Content: "TalkService", Social: "ChatService", Commerce: "AccountingService" },
    ...{ Realtime: "DirectorService", System: "LightsService" },
  };
  for (const [category, service] of Object.entries(filed)) {
    await button(category).click();
    await services.getByRole("link", { name: service, exact: true }).waitFor();
    for (const other of Object.values(filed).filter((name) => name !== service))
      expect(await services.getByRole("link", { name: other, exact: true }).count()).toBe(0);
  }
  await button("All").click();
  await page.getByRole("searchbox", { name: "Search" }).fill("CreateSong");
  await page.locator("summary").filter({ hasText: "MusicService/CreateSong" }).click();
  await sees(page, "POST", "/followspot.music.v1.MusicService/CreateSong", "CreateSongRequest", "CreateSongResponse");
  await page.getByRole("searchbox", { name: "Search" }).fill("no such method");
  await sees(page, "No services found matching your search.");
  await button("WebSocket").click();
  await sees(page, /^ClientHello \(/, /^ServerAck \(/, /^Envelope \(/);
});

test("the dashboard counts what is there, and leads to each list", async () => {
  await open("");
  await sees(page, "System overview and statistics");
  const health = region("System Health");
  const queues = await (await fetch(`${product.url}/api/queues/songs/stats`, await asAdmin())).json();
  const consumers = queues.SONGS.consumer_count + queues.RESPONSE_QUEUE.consumer_count;
  await sees(health, "Queue Items", "Active Workers", "Recent Failures");
  // Its figures arrive with two responses, and the history of the queue with a later one.
  for (const told of [
    /Queue Items(\d+ min · max \d+)?0Pending processing/,
    new RegExp(`Active Workers${consumers}Processing queue`),
    /Recent Failures1Last 10 attempts/,
  ])
    await expect.poll(() => health.textContent()).toMatch(told);
  const colourOf = (card: string) =>
    health
      .getByText(card, { exact: true })
      .locator("xpath=../following-sibling::span[1]")
      .evaluate((number) => getComputedStyle(number).color);
  expect(await colourOf("Recent Failures")).not.toBe(await colourOf("Queue Items"));
  const content = region("Content Overview");
  const card = (name: string | RegExp) => content.getByRole("link", { name });
  await card(/Users\s*1\s*0 verified/).waitFor();
  await card(/Events\s*1/).waitFor();
  await card(/Songs\s*2\s*1 ready · 0 processing · 1 error/).waitFor();
  await card(/Lights\s*1\s*1 enabled/).waitFor();
  for (const [name, path] of [
    [/^Users/, "/users"],
    [/^Events/, "/events"],
    [/^Songs/, "/music"],
    [/^Lights/, "/lights"],
  ] as const)
    expect(await card(name).getAttribute("href")).toMatch(new RegExp(`^/admin${path}`));
  const actions = region("Quick Actions");
  await actions.getByRole("link", { name: "Add New Song Import music from the video site" }).waitFor();
  await actions.getByRole("link", { name: "View Workers Dashboard Monitor queue processing and failures" }).click();
  await page.waitForURL(/\/admin\/workers/);
  // Neither of its two responses arrives.
  const answers = /\/api\/queues\/|ListFailures$/;
  await page.route(answers, (route) => route.fulfill({ status: 503, body: "" }));
  await open("");
  await card(/Users\s*1/).waitFor();
  await region("System Health").waitFor({ state: "detached" });
  await page.unroute(answers);

  // It reads its numbers once a minute, those of the queues twice.
  const asked = { numbers: 0, queues: 0 };
  page.on("request", (request) => {
    if (request.url().endsWith("/CountLights")) asked.numbers++;
    if (request.url().includes("/api/queues/songs/stats")) asked.queues++;
  });
  await page.clock.install();
  // Advances in steps of a second, so that responses arrive in between and the next read counts from there. @returns
  // elapsed seconds
  const passUntil = async (isTrue: () => boolean, most: number) => {
    for (let second = 1; second <= most; second++) {
      await page.clock.runFor(1000);
      await sleep(20);
      if (isTrue()) return second;
    }
    throw new Error(`not within ${most} s of the page: ${JSON.stringify(asked)}`);
  };
  await open("");
  await passUntil(() => asked.numbers === 1 && asked.queues === 1, 30);
  expect(await passUntil(() => asked.queues === 2, 50)).toBeGreaterThan(20);
  expect(asked.numbers).toBe(1);
  expect(await passUntil(() => asked.numbers === 2 && asked.queues === 3, 50)).toBeGreaterThan(20);
  expect(asked).toEqual({ numbers: 2, queues: 3 });
});
