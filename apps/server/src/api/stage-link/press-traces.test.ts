import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { outputOfUrl } from "@followspot/contract";
import { parsRig } from "@followspot/lighting";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { createHttpServer } from "../../platform/http/http-server.ts";
import { Traces } from "../../platform/process/traces.ts";
import { monotonicMs } from "../../stage/outputs/frame-ring.ts";
import { startStage } from "../../stage/stage-server.ts";
import { DeskSocket } from "../../stage/testing/desk-socket.ts";
import { listenForDmx, until, type DmxNode, type Packet } from "../../stage/testing/dmx-node.ts";
import { freePort } from "../../operations/supervisor/processes.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { startTestServer } from "../../testing/test-server.ts";
import { startTraceCollector, type TraceCollector } from "../../testing/trace-collector.ts";
import { registerStageLink } from "./stage-link.http.ts";

const SECRET = "the secret of stage and main-api";
/** Accuracy of comparing two clocks of one machine, ms. */
const CLOCKS_MS = 25;

const server = openUntil(afterAll, await startTestServer());
let collector: TraceCollector;
let node: DmxNode;
let desk: DeskSocket;

beforeEach(async () => {
  collector = openUntil(onTestFinished, await startTraceCollector());
  node = openUntil(onTestFinished, await listenForDmx());
  const spansOf = (service: string) =>
    openUntil(onTestFinished, new Traces({ endpoint: collector.endpoint, service, warn: () => {}, everyMs: 20 }));
  const http = await createHttpServer({
    noteFailure: () => {},
    authenticate: (headers) => server.sessions.ofHeaders(headers),
    trustProxy: [],
  });
  const stagePort = await freePort();
  const link = registerStageLink(http.app, {
    settings: { FOLLOWSPOT_STAGE_PORT: stagePort, FOLLOWSPOT_STAGE_SECRET: SECRET },
    admit: http.admit,
    callerNow: (caller) => server.sessions.again(caller),
    findPlan: async () => undefined,
    rig: async () => ({ revision: 1, rig: parsRig(4), outputs: [outputOfUrl(`artnet://127.0.0.1:${node.port}/0`)] }),
    rigRevision: async () => 1,
    queue: async () => ({
      revision: 1,
      turn: 0,
      is_paused: false,
      song_id: "",
      position: 0,
      duration: 0,
      fade_seconds: 0,
      house_light: false,
    }),
    onQueueTaken: async () => undefined,
    showsLamps: async () => false,
    spans: spansOf("main-api"),
  });
  http.app.server.on(
    "upgrade",
    (request: IncomingMessage, socket, head) => void link.handleUpgrade(request, socket, head),
  );
  await http.app.listen({ port: 0, host: "127.0.0.1" });
  const base = `127.0.0.1:${(http.app.server.address() as AddressInfo).port}`;
  const dataDir = await folderUntil(onTestFinished);
  const stage = await startStage({
    port: stagePort,
    secret: SECRET,
    dataDir,
    api: `http://${base}`,
    spans: spansOf("main-stage"),
  });
  onTestFinished(async () => {
    await link.close();
    http.app.server.closeAllConnections();
    await http.app.close();
    await stage.close();
  });
  const { token } = await server.person("Dora", ["Director"]);
  const headers = { authorization: `Bearer ${token}` };
  desk = openUntil(onTestFinished, new DeskSocket(`ws://${base}/lights/desk`, { headers }));
  await desk.opened();
  await until(() => desk.state?.groups !== undefined);
});

const isLit = ({ bytes }: Packet) => bytes.subarray(18, 30).some((slot) => slot > 0);
const isWhite = ({ bytes }: Packet) => bytes.subarray(18, 30).every((slot) => slot === 255);
const spanOf = (control: string, name: string) =>
  collector.spans.find((span) => span.name === name && span.attributes["desk.control"] === control);

test("a press is traced from the console to the packet that shows it", async () => {
  desk.press("idle", "color");
  await until(() => node.packets.length > 20);
  const id = desk.press("blinder");
  const names = ["press", "taken by the desk", "first packet"];
  await expect.poll(() => names.map((name) => spanOf("blinder", name))).not.toContain(undefined);
  const [press, taken, packet] = names.map((name) => spanOf("blinder", name)!);

  expect([taken!.traceId, packet!.traceId]).toEqual([press!.traceId, press!.traceId]);
  expect(spanOf("idle", "press")!.traceId).not.toBe(press!.traceId);
  expect([press!.service, taken!.service, packet!.service]).toEqual([
    "followspot-main-api",
    "followspot-main-stage",
    "followspot-main-stage",
  ]);
  expect([press!.parentId, taken!.parentId, packet!.parentId]).toEqual(["", press!.id, press!.id]);
  expect(desk.answer(id)).toMatchObject({ type: "taken" });
  expect(press!.startMs).toBeLessThanOrEqual(taken!.startMs);
  expect(taken!.endMs).toBeLessThanOrEqual(packet!.endMs);

  const shown = node.packets.find(isWhite)!;
  const shownMs = Date.now() - (monotonicMs() - shown.ms);
  // A busy machine may read the packet later, but never before it was sent.
  expect(shownMs - packet!.endMs).toBeGreaterThan(-CLOCKS_MS);
});

test("a press that changes no light, or is refused, is traced without a packet", async () => {
  for (const control of ["mute/strangers", "master"]) {
    desk.press(control, control === "master" ? 1 : true);
    await expect.poll(() => spanOf(control, "taken by the desk")).toBeDefined();
    await expect.poll(() => spanOf(control, "press")).toBeDefined();
  }
  const reasons = ["press", "taken by the desk"].map((name) => spanOf("mute/strangers", name)!.error);
  expect(reasons[0]).not.toBe("");
  expect(reasons[1]).toBe(reasons[0]);
  expect(collector.spans.filter(({ name }) => name === "first packet")).toEqual([]);
});

test("presses are applied as usual while the collector hangs", async () => {
  collector.mood = "hangs";
  for (let i = 0; i < 50; i++) desk.press("master", i / 50);
  const id = desk.press("blinder");
  await until(() => desk.answer(id) !== undefined);
  await until(() => node.packets.some(isLit));
});
