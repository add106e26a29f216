import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { RehearseNightResponseSchema } from "@followspot/contract/night";
import { afterEach, expect, test, vi } from "vitest";
import { mapEvening } from "./evening-map.ts";
import { EveningRun } from "./evening-run.ts";

const START = 1e12;
const moment = (second: number, kind: string, songId = "", seconds = 0) => ({
  at: timestampFromMs(START + second * 1000),
  kind,
  title: songId,
  songId,
  seconds,
});
/** A of 100 s, a pause of a minute in it at 40 s, then B of 60 s; the end at 300 s. */
const EVENING = mapEvening(
  create(RehearseNightResponseSchema, {
    startsAt: timestampFromMs(START),
    endsAt: timestampFromMs(START + 300_000),
    moments: [
      moment(0, "start"),
      moment(0, "song", "A", 100),
      moment(40, "pause"),
      moment(100, "resume"),
      moment(160, "song", "B", 60),
      moment(220, "music_end"),
      moment(300, "end"),
    ],
  }),
);

interface Sent {
  readonly type: string;
  readonly position?: number;
  readonly rate?: number;
}

/** A socket to the stage as a browser has it. */
class OpenSocket extends EventTarget {
  readyState = 1;
  readonly sent: Sent[] = [];
  readonly url: string;

  constructor(url: string) {
    super();
    this.url = url;
    queueMicrotask(() => this.dispatchEvent(new Event("open")));
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Sent);
  }

  close(): void {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event("close"), { code: 1000 }));
  }

  get song(): string {
    return this.url.slice(this.url.lastIndexOf("/") + 1);
  }

  last(type: string): Sent | undefined {
    return this.sent.findLast((each) => each.type === type);
  }
}

function running(map = EVENING) {
  vi.useFakeTimers();
  vi.stubGlobal("location", { protocol: "http:", host: "console" });
  const sockets: OpenSocket[] = [];
  const drawn: number[] = [];
  const run = new EveningRun(map, {
    now: () => Date.now(),
    requestFrame: (draw) => setTimeout(draw, 20),
    connect: (url) => sockets[sockets.push(new OpenSocket(url)) - 1] as unknown as WebSocket,
  });
  run.onFrame((seconds) => drawn.push(seconds));
  const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000);
  const second = () => (run.view.get().at - START) / 1000;
  return { run, sockets, drawn, pass, second };
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("an evening of five minutes is walked through in five seconds at sixty times its speed, and ends by itself", async () => {
  const { run, pass, second } = running();
  run.setSpeed(60);
  run.play();
  await pass(4.6);
  expect(second()).toBeGreaterThan(240);
  expect(run.view.get().isPlaying).toBe(true);
  await pass(1);
  expect(second()).toBe(300);
  expect(run.view.get().isPlaying).toBe(false);
});

test("as fast as it will be the preview is drawn at every frame; at sixty times, in two looks a second", async () => {
  const { run, drawn, pass } = running();
  run.play();
  await pass(2);
  expect(drawn.length).toBeGreaterThan(80);
  expect(drawn.at(-1)).toBeCloseTo(2, 1);
  run.setSpeed(60);
  run.seek(START);
  await pass(0.1);
  drawn.length = 0;
  await pass(0.6); // at sixty times A has 36 seconds of this
  expect(new Set(drawn).size).toBeLessThanOrEqual(2);
});

test("the lamps follow from song to song, and have their idle light while the music pauses", async () => {
  const { run, sockets, pass } = running();
  run.lightLamps(true);
  run.play();
  await pass(1);
  expect(sockets.map(({ song }) => song)).toEqual(["A"]);
  expect(sockets[0]!.sent.map(({ type }) => type).slice(0, 2)).toEqual(["prepare_playback", "play"]);
  run.seek(START + 50_000);
  await pass(0.1);
  expect(sockets[0]!.last("stop")).toBeDefined();
  run.seek(START + 110_000);
  await pass(0.1);
  expect(sockets[1]!.song).toBe("A");
  expect(sockets[1]!.last("play")?.position).toBeCloseTo(50, 0);
  run.seek(START + 159_800);
  await pass(1);
  expect(sockets[2]!.song).toBe("B");
  // It stays until the show of the next song has taken the lamps.
  expect(sockets[1]!.last("stop")).toBeUndefined();
  expect(sockets[1]!.readyState).toBe(3);
});

test("a moment is shown on the lamps while the evening stands, and in steps where it is fast", async () => {
  const { run, sockets, pass } = running();
  run.lightLamps(true);
  run.seek(START + 20_000);
  await pass(0.1);
  expect(sockets[0]!.last("play")).toMatchObject({ position: 20, rate: 0 });
  run.seek(START + 30_000);
  await pass(0.1);
  expect(sockets[0]!.last("seek")?.position).toBe(30);
  run.seek(START);
  run.setSpeed(10);
  run.play();
  await pass(1.1);
  expect(sockets[0]!.last("play")?.rate).toBe(0);
  expect(sockets[0]!.last("seek")?.position).toBeCloseTo(10, 1);
  run.setSpeed(4);
  await pass(0.1);
  expect(sockets[0]!.last("play")?.rate).toBe(4);
});

test("a song that follows itself begins anew on the lamps", async () => {
  const twice = { ...EVENING, stretches: [EVENING.stretches[0]!, { ...EVENING.stretches[0]!, song: { ...EVENING.stretches[0]!.song }, from: START + 40_000, to: START + 80_000 }] }; // prettier-ignore
  const { run, sockets, pass } = running(twice);
  run.lightLamps(true);
  run.seek(START + 39_500);
  run.play();
  await pass(1);
  expect(sockets).toHaveLength(1);
  expect(sockets[0]!.last("seek")?.position).toBeLessThan(1);
});

test("a person who leaves, or switches the lamps off, ends what was on them", async () => {
  const { run, sockets, pass } = running();
  run.lightLamps(true);
  await pass(0.1);
  run.lightLamps(false);
  expect(sockets[0]!.last("stop")).toBeDefined();
  expect(run.view.get().lamps).toBeUndefined();
  run.lightLamps(true);
  await pass(0.1);
  run.play();
  run.close();
  expect(run.view.get()).toMatchObject({ isPlaying: false, lamps: undefined });
  expect(sockets[1]!.last("stop")).toBeDefined();
  expect(sockets.every(({ readyState }) => readyState === 3)).toBe(true);
});
