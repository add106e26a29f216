import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { synthesiseSong } from "../apps/server/src/testing/synthetic-song.ts";
import { startTraceCollector, type TraceCollector } from "../apps/server/src/testing/trace-collector.ts";
import { listenForArtNet } from "./testing/art-net-listener.ts";
import { removeData, startProduct, until, type Product } from "./testing/product.ts";

const LINK = "https://www.youtube.com/watch?v=dQw4w9WgXcQ";

let collector: TraceCollector;
let product: Product;
let folder = "";
let node: Awaited<ReturnType<typeof listenForArtNet>>;

beforeAll(async () => {
  collector = await startTraceCollector();
  folder = await mkdtemp(join(tmpdir(), "followspot-traces-"));
  const sound = join(folder, "song.wav");
  await writeFile(sound, synthesiseSong(12, 120));
  // Stand-in for yt-dlp.
  const ytdlp = join(folder, "yt-dlp");
  const script = `#!/bin/sh\ncase "$*" in *--version*) echo 2026.01.01; exit 0;; esac\ncp ${sound} sound.wav\necho '{"title":"Line"}' > sound.info.json\n`;
  await writeFile(ytdlp, script, { mode: 0o755 });
  const env = { FOLLOWSPOT_TRACES: collector.endpoint, FOLLOWSPOT_YTDLP: ytdlp, FOLLOWSPOT_LOG_FORMAT: "json" };
  product = await startProduct({ env });
  node = await listenForArtNet();
});
afterAll(async () => {
  await product?.stop();
  await collector?.close();
  await node?.close();
  await removeData(product.dataDir);
  await rm(folder, { recursive: true, force: true });
});

const spanOf = (name: string) => collector.spans.find((span) => span.name === name);

test("a link is traced to its plan, through the API and the worker", async () => {
  const { song } = await product.call("music.v1.MusicService/AddSongFromYoutube", { url: LINK });
  await until(() => spanOf("song") !== undefined && spanOf("plan") !== undefined, 90_000);
  expect(spanOf("song")).toMatchObject({ error: "", attributes: { "song.id": song.id } });
  expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(new Set(collector.spans.map(({ service }) => service))).toEqual(
    new Set(["followspot-main-api", "followspot-main-worker"]),
  );
  for (const name of ["import", "waiting for a worker", "download", "analysis", "plan"])
    expect(spanOf(name)?.parentId).toBe(spanOf("song")!.id);
});

test("a press at the desk is traced to its packet, through the API and the stage", async () => {
  collector.spans.splice(0);
  const light = { label: "Par", light_type: "generic_rgb_par", mode: "3 channels", position: "1" };
  await product.call("lights.v1.LightsService/CreateLight", light);
  const output = { id: "o", protocol: "artnet", host: "127.0.0.1", port: node.port, universe: 1, enabled: true };
  await product.call("lights.v1.LightsService/SetOutputs", { outputs: [output] });
  const headers = { authorization: `Bearer ${await product.token()}` };
  const desk = new WebSocket(`${product.url.replace("http", "ws")}/lights/desk`, { headers });
  const told: { readonly outputs?: number }[] = [];
  desk.on("message", (data) => told.push(JSON.parse(String(data))));
  await until(() => told.some(({ outputs }) => outputs === 1));
  desk.send(JSON.stringify({ type: "press", id: "1", control: "blinder", value: true }));
  await until(() => spanOf("first packet") !== undefined && spanOf("press") !== undefined);
  desk.close();
  const [press, packet] = [spanOf("press")!, spanOf("first packet")!];
  expect([packet.traceId, packet.parentId]).toEqual([press.traceId, press.id]);
  expect([press.service, packet.service]).toEqual(["followspot-main-api", "followspot-main-stage"]);
  expect(packet.endMs).toBeGreaterThan(press.startMs);
});

// kept: Changes | With logs in JSON, the start printed plain text, and the owner link, a credential, was sent to the
// log collector | failed on the old code
test("a log collector receives JSON only and no owner link, which is in a file that only its user can read", async () => {
  const lines = product.output().trim().split("\n");
  const parsed = lines.map((line) => JSON.parse(line) as { msg: string });
  expect(parsed.map(({ msg }) => msg).join("\n")).toContain("Followspot is ready after");
  expect(product.output()).not.toContain("owner=");
  const file = join(product.dataDir, "owner-link.txt");
  expect(await readFile(file, "utf8")).toMatch(/^http\S+\/admin\?owner=\S+\n$/);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});
