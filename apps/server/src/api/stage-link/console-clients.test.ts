import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { outputOfUrl, type LightingPlan, type StageQueue } from "@followspot/contract";
import { parsRig } from "@followspot/lighting";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { WebSocket as HeaderSocket } from "ws";
import { DeskConnection, type DeskView } from "../../../../console/src/desk/desk-connection.ts";
import { StageLink } from "../../../../console/src/visualizer/player/stage-link.ts";
import { createHttpServer } from "../../platform/http/http-server.ts";
import { monotonicMs } from "../../stage/outputs/frame-ring.ts";
import { startStage, type StageServer } from "../../stage/stage-server.ts";
import { BreakableNetwork } from "../../stage/testing/breakable-network.ts";
import { listenForDmx, until, type DmxNode } from "../../stage/testing/dmx-node.ts";
import { brightPlan } from "../../stage/testing/plans.ts";
import { freePort } from "../../operations/supervisor/processes.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { startTestServer } from "../../testing/test-server.ts";
import { registerStageLink, type StageLink as StageDoor } from "./stage-link.http.ts";

/* The console's own clients, over main-api's relays, against the real stage: the light during lost connections. */

const SECRET = "the secret of stage and main-api";
const SILENT: StageQueue = {
  revision: 1,
  turn: 0,
  is_paused: false,
  song_id: "",
  position: 0,
  duration: 0,
  fade_seconds: 0,
  house_light: false,
};

let app: FastifyInstance;
let door: StageDoor;
let stage: StageServer;
let node: DmxNode;
let network: BreakableNetwork;
let dataDir: string;
/** Plan lookup of main-api; a test may make it fail. */
let findPlan: (songId: string) => Promise<LightingPlan | undefined>;

const server = openUntil(afterAll, await startTestServer());
beforeEach(async () => {
  dataDir = await folderUntil(onTestFinished);
  node = openUntil(onTestFinished, await listenForDmx());
  findPlan = async (id) => (id === "missing" ? undefined : brightPlan());
  const stagePort = await freePort();
  const outputs = [outputOfUrl(`artnet://127.0.0.1:${node.port}/0`)];
  const http = await createHttpServer({
    noteFailure: () => {},
    authenticate: (headers) => server.sessions.ofHeaders(headers),
    trustProxy: [],
  });
  ({ app } = http);
  door = registerStageLink(app, {
    settings: { FOLLOWSPOT_STAGE_PORT: stagePort, FOLLOWSPOT_STAGE_SECRET: SECRET },
    admit: http.admit,
    callerNow: (caller) => server.sessions.again(caller),
    findPlan: (id) => findPlan(id),
    rig: async () => ({ revision: 1, rig: parsRig(4), outputs }),
    rigRevision: async () => 1,
    queue: async () => SILENT,
    onQueueTaken: async () => undefined,
    showsLamps: async () => false,
  });
  app.server.on("upgrade", (request: IncomingMessage, socket, head) => void door.handleUpgrade(request, socket, head));
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  network = await BreakableNetwork.open(port);
  stage = await startStage({
    port: stagePort,
    secret: SECRET,
    dataDir,
    api: `http://127.0.0.1:${port}`,
    log: pino({ level: "silent" }),
  });
  openUntil(onTestFinished, stage);
  onTestFinished(async () => {
    network.close();
    await door.close();
    app.server.closeAllConnections();
    await app.close();
  });
});

/** Returns a WebSocket factory for a user's console; the sockets carry the token. */
function connecting(token: string) {
  const headers = { authorization: `Bearer ${token}` };
  // It has every WebSocket function that the console uses.
  return (url: string) => new HeaderSocket(url, { headers }).on("error", () => {}) as unknown as WebSocket;
}

/** Opens the visualizer's player of a song whose sound plays from a position on. */
function player(token: string, song = "song", from = 1) {
  const startMs = performance.now();
  const link = new StageLink({
    url: `ws://${network.host}/lights/playback/${song}`,
    position: () => from + (performance.now() - startMs) / 1000,
    onChange: () => {},
    connect: connecting(token),
  });
  openUntil(onTestFinished, link);
  link.open();
  return link;
}

const director = async (name: string) => (await server.person(name, ["Director"])).token;
const isFollowing = (link: StageLink) => link.state.kind === "following" && link.state.driftMs !== undefined;
const brightest = (bytes: Buffer) => Math.max(0, ...bytes.subarray(18));
const isLit = () => node.packets.length > 0 && brightest(node.packets.at(-1)!.bytes) > 200;
/** Counts the frames since a moment without the show's white light. */
const darkFramesSince = (ms: number) =>
  node.packets.filter((packet) => packet.ms > ms && brightest(packet.bytes) < 200).length;

async function playing(name = "Ada"): Promise<{ readonly link: StageLink; readonly token: string }> {
  const token = await director(name);
  const link = player(token);
  link.play();
  await until(() => isFollowing(link) && isLit());
  return { link, token };
}

describe("the light of a console whose show plays", () => {
  // kept: Stage and lamps | A console that reconnected turned its own lights off | failed on the old code
  it("does not change when a connection is cut and restored", async () => {
    const { link } = await playing();
    const from = monotonicMs();
    network.isDown = true;
    network.cut();
    await until(() => link.state.kind === "offline");
    await sleep(1000);
    network.isDown = false;
    await until(() => isFollowing(link));
    await sleep(500);
    expect(darkFramesSince(from)).toBe(0);
  });

  // kept: Stage and lamps | A stalled connection of the player was shown as "in sync" indefinitely | failed on the old
  // code
  it("does not change when a connection stops without closing, and the console detects it", async () => {
    const { link } = await playing();
    const from = monotonicMs();
    network.fallSilent();
    await until(() => link.state.kind === "offline");
    await until(() => isFollowing(link));
    await sleep(500);
    expect(darkFramesSince(from)).toBe(0);
  });

  // kept: Stage and lamps | A console that reconnected turned its own lights off | also
  it("does not change when a connection is cut while main-api cannot load plans", async () => {
    const { link } = await playing();
    findPlan = () => Promise.reject(new Error("the database is away"));
    const from = monotonicMs();
    network.cut();
    await until(() => link.state.kind === "offline");
    await until(() => isFollowing(link));
    await sleep(500);
    expect(darkFramesSince(from)).toBe(0);
  });

  // kept: Stage and lamps | Opening a page ended the show of a disconnected console | failed on the old code
  it("does not change when another user's page opens while the connection is lost", async () => {
    const { link } = await playing();
    const other = await director("Bo");
    const from = monotonicMs();
    network.isDown = true;
    network.cut();
    await until(() => link.state.kind === "offline");
    network.isDown = false;
    const page = player(other, "other");
    await until(() => page.state.kind !== "offline");
    await until(() => isFollowing(link));
    expect(darkFramesSince(from)).toBe(0);
  });

  // kept: Stage and lamps | A failed take-over darkened the show of the console that owned the lights | failed on the
  // old code
  it.each(["missing", "broken"])(
    "does not change when a take-over fails because its plan is %s, and the console keeps it",
    async (song) => {
      const { link } = await playing();
      const page = player(await director("Bo"), song);
      await until(() => page.state.kind === "busy");
      if (song === "broken") findPlan = () => Promise.reject(new Error("the database is away"));
      const from = monotonicMs();
      page.takeOver();
      await until(() => page.state.kind === "refused");
      await sleep(500);
      expect(darkFramesSince(from)).toBe(0);
      expect(link.state.kind).toBe("following");
    },
  );

  it("follows the console that takes over, and the first console reports it", async () => {
    const { link } = await playing();
    const page = player(await director("Bo"), "other", 5);
    await until(() => page.state.kind === "busy");
    const from = monotonicMs();
    page.play();
    page.takeOver();
    await until(() => isFollowing(page) && link.state.kind === "busy");
    expect(darkFramesSince(from)).toBe(0);
  });
});

it("a press during a cut connection is applied exactly once", async () => {
  const { token } = await playing();
  let view: DeskView | undefined;
  const desk = new DeskConnection({
    url: `ws://${network.host}/lights/desk`,
    onView: (next) => (view = next),
    connect: connecting(token),
  });
  openUntil(onTestFinished, desk);
  await until(() => view?.connection === "live");
  network.isDown = true;
  network.cut();
  await until(() => view?.connection === "lost");
  desk.press("blackout", true);
  await sleep(300);
  expect(isLit()).toBe(true);
  network.isDown = false;
  await until(() => node.packets.length > 0 && brightest(node.packets.at(-1)!.bytes) === 0);
  await until(() => view?.waiting.size === 0);
  expect(view!.state!.hands["blackout"]).toMatchObject({ owner_name: "Ada" });
});
