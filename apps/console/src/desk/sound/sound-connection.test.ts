import type { SoundState } from "@followspot/contract";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MicrophoneError, type MicrophonePorts } from "./microphone.ts";
import { SoundConnection, type SoundView } from "./sound-connection.ts";

vi.mock("../../sound-input/tap-worklet.ts?worker&url", () => ({ default: "worklet.js" }));

/** A socket whose other end is the test. */
class FakeSocket extends EventTarget {
  readyState = 1;
  bufferedAmount = 0;
  readonly said: { type: string; back_to?: string; sample_rate?: number; device?: string }[] = [];
  readonly blocks: ArrayBuffer[] = [];
  send(data: string | ArrayBuffer): void {
    if (typeof data === "string") this.said.push(JSON.parse(data));
    else this.blocks.push(data);
  }
  close(): void {
    this.readyState = 3;
  }
  say(message: object): void {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));
  }
  end(code = 1006): void {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event("close"), { code }));
  }
}

const state = (you_lead: boolean, run = "run"): SoundState => ({
  type: "sound",
  run,
  lead: undefined,
  you: "ana",
  you_lead,
  has_device: false,
  problem: "",
  heard: { isSilent: true, level: 0, energy: 0 },
});

let sockets: FakeSocket[];
let view: SoundView;
let connection: SoundConnection;
let ports: MicrophonePorts;
let isOpen: boolean;
let failure: unknown;
const socket = () => sockets.at(-1)!;

beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  isOpen = false;
  failure = undefined;
  connection = new SoundConnection({
    url: "ws://sound",
    onView: (next) => (view = next),
    connect: () => {
      sockets.push(new FakeSocket());
      return socket() as unknown as WebSocket; // The connection uses only these parts of a WebSocket.
    },
    openMicrophone: async (_deviceId, given) => {
      if (failure !== undefined) throw failure;
      ports = given;
      isOpen = true;
      return { label: "Booth", sampleRate: 48_000, latencyMs: 10, close: () => (isOpen = false) };
    },
  });
  socket().say(state(false));
});
afterEach(() => {
  connection.close();
  vi.useRealTimers();
});

async function lead(): Promise<void> {
  await connection.lead("");
  socket().say(state(true));
}

describe("a console that leads live sound", () => {
  it("opens the microphone, reports it, and sends numbered blocks", async () => {
    await lead();
    ports.onBlock(Int16Array.of(1, -2));
    ports.onBlock(Int16Array.of(3));
    expect(view).toMatchObject({ connection: "live", microphone: "on" });
    expect(socket().said).toEqual([{ type: "start", sample_rate: 48_000, device: "Booth", latency_ms: 10 }]);
    expect(socket().blocks.map((block) => [...new Uint8Array(block)])).toEqual([
      [0, 0, 0, 0, 1, 0, 254, 255],
      [2, 0, 0, 0, 3, 0],
    ]);
  });

  it("skips blocks that the connection cannot send in time, and counts them", async () => {
    await lead();
    socket().bufferedAmount = 100_000;
    ports.onBlock(new Int16Array(480));
    socket().bufferedAmount = 0;
    ports.onBlock(new Int16Array(480));
    expect(socket().blocks).toHaveLength(1);
    expect(new DataView(socket().blocks[0]!).getUint32(0, true)).toBe(480);
  });

  it("closes the microphone when another microphone leads, or songs drive the fixtures again", async () => {
    await lead();
    socket().say(state(false));
    expect([isOpen, view.microphone]).toEqual([false, "off"]);
  });

  it("resumes after a reconnect with the ID of the stage process", async () => {
    await lead();
    socket().end();
    expect(view).toMatchObject({ connection: "lost", microphone: "on" });
    ports.onBlock(new Int16Array(480));
    await vi.advanceTimersByTimeAsync(400);
    socket().say(state(false));
    expect(sockets).toHaveLength(2);
    expect(socket().said).toMatchObject([{ type: "start", back_to: "run" }]);
    socket().say(state(false));
    expect(isOpen).toBe(true); // The stage has not processed it yet.
    socket().say(state(true));
    ports.onBlock(new Int16Array(480));
    expect(new DataView(socket().blocks[0]!).getUint32(0, true)).toBe(0);
  });

  it("releases the microphone if the stage does not accept it back", async () => {
    await lead();
    socket().end();
    await vi.advanceTimersByTimeAsync(400);
    socket().say(state(false));
    socket().say({ type: "refused", message: "Live sound was given back." });
    expect(view).toMatchObject({ microphone: "off", refusal: "Live sound was given back." });
    expect(isOpen).toBe(false);
  });

  it("treats a silent connection as lost", async () => {
    await lead();
    await vi.advanceTimersByTimeAsync(5000);
    expect(sockets.length).toBeGreaterThan(1);
  });

  it("ends permanently when the user loses the permission", async () => {
    await lead();
    socket().end(4403);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(view).toMatchObject({ connection: "ended", microphone: "off" });
    expect(sockets).toHaveLength(1);
    expect(isOpen).toBe(false);
  });

  it("returns the fixtures to songs when the microphone is unplugged", async () => {
    await lead();
    ports.onGone();
    expect(socket().said.at(-1)).toEqual({ type: "stop" });
    expect(view).toMatchObject({ microphone: "off", problem: "unplugged" });
  });

  it.each([
    [new MicrophoneError("denied"), "denied"],
    [new MicrophoneError("insecure"), "insecure"],
    [new Error("anything"), "broken"],
  ])("explains why there is no microphone: %s", async (error, problem) => {
    failure = error;
    await connection.lead("");
    expect(view).toMatchObject({ microphone: "off", problem });
    expect(socket().said.filter(({ type }) => type === "start")).toEqual([]);
  });

  it("opens one microphone for any number of presses", async () => {
    await Promise.all([connection.lead("a"), connection.lead("b"), connection.lead("c")]);
    expect(socket().said.filter(({ type }) => type === "start")).toHaveLength(1);
  });
});
