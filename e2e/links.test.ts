import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import { synthesiseSong } from "../apps/server/src/testing/synthetic-song.ts";
import { startReleaseSite, type ReleaseStandIn } from "../apps/server/src/testing/release-site.ts";
import { removeData, startProduct, until, type Product } from "./testing/product.ts";
import { sharedBrowser } from "./testing/shared-product.ts";

/** Stand-in for the video site: one sound for every video. */
let site: Server;
let releases: ReleaseStandIn | undefined;
let base = "";
let product: Product;
let browser: Browser;
let page: Page;
let dataDir = "";

beforeAll(async () => {
  const sound = synthesiseSong(12, 120);
  site = createServer((_request, response) => response.end(sound)).listen(0, "127.0.0.1");
  await new Promise((ready) => site.once("listening", ready));
  releases = await startReleaseSite();
  // Reserves the address, where no server responds yet.
  const early = await startReleaseSite();
  base = early.base;
  await early.close();
  const { port } = site.address() as AddressInfo; // a TCP server's address is never a string
  dataDir = await mkdtemp(join(tmpdir(), "followspot-links-"));
  product = await startProduct({
    dataDir,
    env: {
      PATH: await pathWithoutYtdlp(),
      FOLLOWSPOT_YTDLP_RELEASES: base,
      FOLLOWSPOT_TEST_VIDEO_SITE: `http://127.0.0.1:${port}`,
    },
  });
  browser = await sharedBrowser();
  page = await browser.newPage();
  await page.goto(product.ownerLink!);
  await page.getByLabel("Name").fill("Ada");
  await page.getByLabel("Email").fill("ada@example.org");
  await page.getByRole("button", { name: "Become owner" }).click();
  await page.getByRole("link", { name: "Music", exact: true }).click();
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
  await releases?.close();
  site?.close();
  await removeData(dataDir);
});

/** Starts the release server at its address, slow enough to be noticed: it sends the program in pieces. */
async function releaseServerComes(): Promise<void> {
  releases = await startReleaseSite(Number(new URL(base).port));
  const whole = Buffer.from(standIn());
  releases.release("2026.10.26", whole);
  releases.odd = (path, response) => {
    if (!path.startsWith("/elsewhere") || path.endsWith("SUMS")) return false;
    response.writeHead(200, { "content-length": whole.length });
    const pieces = 8;
    for (let piece = 0; piece < pieces; piece++) {
      const part = whole.subarray((whole.length * piece) / pieces, (whole.length * (piece + 1)) / pieces);
      setTimeout(() => (piece === pieces - 1 ? response.end(part) : response.write(part)), 500 * piece);
    }
    return true;
  };
}

/** Returns a stand-in for yt-dlp that downloads the page it is given, finds three songs, and knows one playlist. */
function standIn(): string {
  const songs = [1, 2, 3].map((n) => ({ id: `video00000${n}`, title: `Found ${n}`, channel: "Band", duration: 12 }));
  return `#!${process.execPath}
const args = process.argv.slice(2), target = args.at(-1);
if (args.includes("--version")) console.log("2026.10.26");
else if (args.includes("--flat-playlist")) console.log(JSON.stringify({ title: "Opening night", entries: ${JSON.stringify(songs)} }));
else fetch(target).then((r) => r.arrayBuffer()).then((sound) => {
  const { writeFileSync } = require("node:fs");
  writeFileSync("sound.wav", Buffer.from(sound));
  writeFileSync("sound.info.json", JSON.stringify({ title: "Song of " + target.slice(-11), uploader: "Band" }));
  console.log("[download] 100%");
});
`;
}

async function pathWithoutYtdlp(): Promise<string> {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const has = await Promise.all(
    folders.map(async (folder) => (await readdir(folder).catch((): string[] => [])).includes("yt-dlp")),
  );
  return folders.filter((_, i) => !has[i]).join(delimiter);
}

const row = (title: string) => page.getByRole("row").filter({ hasText: title });
const openDialog = () => page.getByRole("button", { name: "Add from YouTube" }).click();
/** By its name, because a toast is a dialog too. */
const dialog = () => page.getByRole("dialog", { name: "Add Song from YouTube" });
async function paste(link: string): Promise<void> {
  await openDialog();
  await dialog().getByLabel("YouTube URL").fill(link);
  await dialog().getByRole("button", { name: "Add Song" }).click();
  await dialog().waitFor({ state: "detached" });
}
/** Returns all texts of a row until the song is ready. */
async function watch(title: string): Promise<string> {
  const said = new Set<string>();
  await until(async () => {
    const text = (await row(title).textContent()) ?? "";
    said.add(text);
    return text.includes("Ready");
  });
  return [...said].join("\n");
}

test("shows the remedy while no downloader is available, and Retry works once there is one", async () => {
  await openDialog();
  await dialog().getByText("There is no downloader on the server yet").waitFor();
  await dialog().getByRole("button", { name: "Cancel" }).click();
  await paste("https://youtu.be/videoaway01");
  await page
    .getByText(/could not be fetched: 127\.0\.0\.1:\d+ refused the connection\. Let the server reach it/)
    .waitFor();
  await openDialog();
  await dialog()
    .getByRole("alert")
    .getByText(/could not be fetched/)
    .waitFor();
  await dialog().getByRole("button", { name: "Cancel" }).click();

  await releaseServerComes();
  await row("videoaway01").getByRole("button", { name: "Retry", exact: true }).click();
  await page.getByRole("menuitem", { name: "Retry Download" }).click();
  const said = await watch("videoaway01");
  expect(said).toMatch(/Fetching the downloader \d+ %/);
  expect(said).toMatch(/Analyzing|Lighting/);
});

test("downloads the downloader, then downloads, analyzes and plans a pasted link", async () => {
  await rm(join(dataDir, "yt-dlp"), { recursive: true });
  await paste("https://www.youtube.com/watch?v=videofresh1&t=42");
  expect(await watch("videofresh1")).toMatch(/Fetching the downloader \d+ %/);
  await page.getByText("Song of videofresh1").click();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
  await page.goBack();
});

test("adds a search result, and the missing songs of a playlist", async () => {
  await openDialog();
  await dialog().getByLabel("YouTube URL").fill("opening night");
  await page.keyboard.press("Enter");
  await dialog().getByText("3 found").waitFor();
  await dialog().getByLabel("Found 2").check();
  await dialog().getByRole("button", { name: "Add Song" }).click();
  await row("video000002").waitFor();
  await openDialog();
  await dialog().getByLabel("YouTube URL").fill("https://www.youtube.com/playlist?list=PLopening");
  await dialog().getByRole("button", { name: "Show playlist" }).click();
  await dialog().getByText("3 songs, 1 of them here already").waitFor();
  await dialog().getByRole("button", { name: "Add 2 Songs" }).click();
  for (const id of ["video000001", "video000003"]) await row(id).getByText("Ready", { exact: true }).waitFor();
});

test("reports the downloader's version and age on Workers and in health", async () => {
  await page.getByRole("link", { name: "Workers", exact: true }).click();
  await page.getByText("yt-dlp 2026.10.26").waitFor();
  const health = await (await fetch(`${product.url}/health`)).json();
  expect(health).toMatchObject({ workers: 1, downloader: { version: "2026.10.26", problem: "" } });
  expect(health.downloader.age_days).toBeGreaterThan(0);
});
