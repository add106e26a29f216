import type { AddressInfo } from "node:net";
import { STAGE_HEADERS, type LightingPlan } from "@followspot/contract";
import { pino } from "pino";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { WebSocketServer } from "ws";
import { monotonicMs } from "../outputs/frame-ring.ts";
import { PlaybackSockets } from "./playback-socket.ts";
import { Lamps } from "../lamps/lamps.ts";
import { Playback } from "./playback.ts";
import { ConsoleSocket } from "../testing/console-socket.ts";
import { until } from "../testing/dmx-node.ts";
import { brightPlan, movingPlan } from "../testing/plans.ts";
import { openUntil } from "../../testing/open-until.ts";

const TOO_SLOW = 1013;
let lamps: Lamps;
let playback: Playback;
let logged: string[];
let sockets: PlaybackSockets;
let server: WebSocketServer;
/** By song; other songs have no plan. */
let plans: Record<string, () => Promise<LightingPlan>>;

beforeEach(async () => {
  lamps = new Lamps();
  playback = new Playback(lamps);
  logged = [];
  plans = { moving: async () => movingPlan(), bright: async () => brightPlan() };
  sockets = new PlaybackSockets({
    lamps,
    playback,
    log: pino({}, { write: (line: string) => void logged.push(line) }),
    outputCount: () => 2,
    isBlack: () => false,
    fetchPlan: async (songId) => plans[songId]?.(),
    refresh: () => {},
  });
  openUntil(onTestFinished, sockets);
  server = openUntil(onTestFinished, new WebSocketServer({ port: 0, host: "127.0.0.1" }));
  server.on("connection", (socket, request) => sockets.add(socket, (request.url ?? "").slice(1), request.headers));
  await new Promise((resolve) => server.once("listening", resolve));
});

async function join(song = "moving", person = `player of ${song}`, name = ""): Promise<ConsoleSocket> {
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/${song}`;
  const console = new ConsoleSocket(url, {
    headers: { [STAGE_HEADERS.user]: person, [STAGE_HEADERS.name]: encodeURIComponent(name) },
  });
  openUntil(onTestFinished, console);
  return console.opened();
}
const errorsOf = (console: ConsoleSocket) =>
  console.told.flatMap((message) => (message.type === "error" ? [message.code] : []));

describe("playback sockets", () => {
  it("send the state to a new console, and to all each second", async () => {
    const first = await join();
    await first.play(3);
    const second = await join("bright");
    expect(second.state).toMatchObject({ mode: "playing", song_id: "moving", owner: false, outputs: 2 });
    second.told.length = 0;
    const from = monotonicMs();
    await until(() => second.told.length > 1);
    expect(monotonicMs() - from).toBeGreaterThan(500);
  });

  it("name the owner of the fixtures, and whether it is the same user", async () => {
    const first = await join("moving", "ada", "Ada Öz");
    expect(first.state?.holder).toBeUndefined();
    await first.play(3);
    const [hers, theirs] = [await join("bright", "ada"), await join("bright", "bo")];
    expect(hers.state?.holder).toEqual({ kind: "song", name: "Ada Öz", is_you: true });
    expect(theirs.state?.holder).toEqual({ kind: "song", name: "Ada Öz", is_you: false });
  });

  it("answer busy to a second console until it takes over, and notify the first that it has lost the lights", async () => {
    const [first, second] = [await join(), await join("bright")];
    await first.play(3);
    second.say({ type: "prepare_playback" });
    await until(() => errorsOf(second).includes("busy"));
    expect(playback.songId).toBe("moving");
    await second.play(1, true);
    await until(() => first.state?.owner === false && first.state.song_id === "bright");
    first.say({ type: "stop" });
    await until(() => errorsOf(first).length > 0);
    expect(second.state).toMatchObject({ mode: "playing", song_id: "bright", owner: true });
  });

  it("measure the drift of a player, for the console that owns the lights", async () => {
    const console = await join();
    await console.play(10);
    console.say({ type: "sync", position: 10.1, sent_at: 4711 });
    await until(() => console.told.some(({ type }) => type === "synced"));
    const synced = console.told.find((message) => message.type === "synced");
    expect(synced).toMatchObject({ sent_at: 4711 });
    expect(synced?.drift_ms).toBeLessThan(0);
    expect(console.told.filter(({ type }) => type === "error")).toEqual([]);
  });

  it("bind nothing for a console that left while its plan was loading", async () => {
    let answer = () => {};
    plans["slow"] = () => new Promise((resolve) => (answer = () => resolve(brightPlan())));
    const console = await join("slow");
    console.say({ type: "prepare_playback" });
    await until(() => console.state?.loading === true);
    console.close();
    const next = await join();
    await next.play(2);
    answer();
    await until(() => next.state?.mode === "playing");
    expect(lamps.shown).toMatchObject({ id: "moving", drawing: { plan: movingPlan() } });
  });

  it("leave the stage unchanged if a plan is missing or fails to load, and report which of the two", async () => {
    plans["broken"] = () => Promise.reject(new Error("main-api answered 500"));
    const [none, broken] = [await join("none"), await join("broken")];
    none.say({ type: "prepare_playback" });
    await until(() => errorsOf(none).length > 0);
    broken.say({ type: "prepare_playback" });
    await until(() => errorsOf(broken).length > 0);
    const words = [none, broken].map((each) => each.told.find((message) => message.type === "error")?.message);
    expect(words).toEqual([
      "This song has no lighting plan yet.",
      "The plan of this song could not be loaded. Press play again in a few seconds.",
    ]);
    expect(logged).toHaveLength(1);
    await (await join()).play(1);
  });

  it("disconnect a console that does not read, and keep the others", async () => {
    const [slow, other] = [await join(), await join()];
    slow.ws.pause();
    await until(() => {
      for (let i = 0; i < 2000; i++) sockets.broadcast();
      return [...server.clients].some(({ readyState }) => readyState !== 1);
    });
    slow.ws.resume();
    await until(() => slow.closed !== undefined);
    expect([slow.closed, other.closed]).toEqual([TOO_SLOW, undefined]);
    other.say({ type: "prepare_playback" });
    await until(() => other.state?.owner === true);
  });
});
