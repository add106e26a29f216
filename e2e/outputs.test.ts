import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { synthesiseSong } from "../apps/server/src/testing/synthetic-song.ts";
import { plugInWidget, type EnttecWidget } from "../apps/server/src/stage/testing/enttec-widget.ts";
import { PAR_NODE, pollReply } from "../apps/server/src/stage/testing/artnet-emulator.ts";
import { ConsoleSocket } from "../apps/server/src/stage/testing/console-socket.ts";
import { listenForArtNet } from "./testing/art-net-listener.ts";
import { until } from "./testing/product.ts";
import { sharedBrowser, sharedProduct, type SharedProduct } from "./testing/shared-product.ts";
import { isReady, lightPars, upload } from "./testing/songs.ts";

const SECONDS = 60;
let product: SharedProduct;
let browser: Browser;
let node: Awaited<ReturnType<typeof listenForArtNet>>;
let widget: EnttecWidget;
let song: string;

beforeAll(async () => {
  [product, node] = await Promise.all([sharedProduct(), listenForArtNet({ answers: pollReply(PAR_NODE) })]);
  await lightPars(product, 8, node.port);
  const { body } = await upload(product, "Test Artist - Song.wav", synthesiseSong(SECONDS, 120));
  song = body.song.id;
  await until(() => isReady(product, song), 120_000);
});
afterAll(async () => {
  await browser?.close();
  node?.close();
  widget?.close();
});

const lights = (method: string, body: object = {}) => product.call(`lights.v1.LightsService/${method}`, body);
const isLit = (slots: Uint8Array | undefined) => slots?.some((level) => level > 0) === true;

async function openOutputs(): Promise<Page> {
  browser = await sharedBrowser();
  const context = await browser.newContext();
  await context.addCookies([{ name: "followspot_session", value: await product.token(), url: product.url }]);
  const page = await context.newPage();
  await page.goto(`${product.url}/admin/lights`);
  await page.getByRole("button", { name: "Outputs" }).click();
  return page;
}

test("the panel shows the node of an output, and accepts a USB adapter that is plugged in later", async () => {
  const page = await openOutputs();
  const truss = page.getByRole("listitem").filter({ hasText: "127.0.0.1" }).first();
  await truss.getByText("Par node, answered").waitFor();
  await truss.getByText("Silent").waitFor();

  const port = `/dev/pts/../../${join(product.dataDir, "widget").slice(1)}`;
  await page.getByRole("button", { name: "Add output" }).click();
  await page.getByLabel("Protocol").selectOption({ label: "DMX USB Pro" });
  await page.getByLabel("Serial port").fill(port);
  await page.getByRole("button", { name: "Add Output", exact: true }).click();
  await page.getByText("must be a serial port").waitFor(); // no path out of /dev
  widget = plugInWidget();
  await page.getByLabel("Serial port").fill(widget.path);
  await page.getByLabel("Universe *").fill("1");
  await page.getByRole("button", { name: "Add Output", exact: true }).click();
  await page.getByRole("listitem").filter({ hasText: widget.path }).getByText("Silent").waitFor();
  await until(() => widget.labels.length > 0);
});

async function takeLights(position: number): Promise<ConsoleSocket> {
  const headers = { authorization: `Bearer ${await product.token()}` };
  const url = `${product.url.replace("http", "ws")}/lights/playback/${song}`;
  const console = await new ConsoleSocket(url, { headers }).opened();
  await console.play(position, true);
  await until(() => isLit(node.packets.at(-1)?.slots));
  return console;
}

test("reports the health of the outputs", async () => {
  await takeLights(8);
  const { outputs } = await lights("GetOutputHealth");
  expect(outputs).toMatchObject([{ state: "sending", nodeName: "Par node" }, { state: "sending" }]);
});

test("metrics cover stage, outputs and songs, and every metric in alerts and panels exists", async () => {
  const headers = { authorization: `Bearer ${await product.token()}` };
  const text = await (await fetch(`${product.url}/metrics`, { headers })).text();
  const valueOf = (figure: string) =>
    Number(text.split("\n").find((line) => line.startsWith(`followspot_${figure} `))?.split(" ")[1]); // prettier-ignore
  expect(["stage_up", "stage_sending", "workers", "players", "song_oldest_step_seconds"].map(valueOf)).toEqual([1, 1, 1, 0, 0]); // prettier-ignore
  for (const step of ["download", "analysis", "lighting"]) {
    expect(valueOf(`song_steps_last_hour{step="${step}",outcome="done"}`)).toBe(1);
    expect(valueOf(`song_step_seconds{step="${step}"}`)).toBeGreaterThan(0);
  }
  const { outputs } = await lights("ListOutputs");
  expect(outputs).toHaveLength(2);
  for (const { id } of outputs) {
    expect(text).toMatch(new RegExp(`followspot_output_up\\{id="${id}",name="[^"]+"\\} 1\n`));
    expect(text).toMatch(new RegExp(`followspot_output_packets_total\\{id="${id}",name="[^"]+"\\} [1-9]`));
  }

  const there = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name!));
  for (const name of ["rpc_seconds_bucket", "rpc_seconds_count"]) there.add(`followspot_${name}`);
  for (const file of ["alerts.yml", "grafana.json"]) {
    const read = readFileSync(new URL(`../deploy/monitoring/${file}`, import.meta.url), "utf8");
    const named = [...read.matchAll(/followspot_\w+/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => !there.has(name))).toEqual([]);
  }
});
