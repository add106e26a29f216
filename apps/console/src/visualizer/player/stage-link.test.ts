import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { PlaybackMessage } from "@followspot/contract";
import { StageLink, stageText, type StageState } from "./stage-link.ts";

class FakeSocket extends EventTarget {
  readyState = 0;
  readonly sent: { type: string }[] = [];

  send(text: string): void {
    this.sent.push(JSON.parse(text) as { type: string });
  }

  close(): void {
    this.drop(1000);
  }

  accept(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event("open"));
  }

  say(message: PlaybackMessage): void {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));
  }

  drop(code: number): void {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event("close"), { code }));
  }
}

function linked({ keepsShow = false, rate = 1 } = {}) {
  const sockets: FakeSocket[] = [];
  const states: StageState[] = [];
  let position = 0;
  let clock = 1234;
  const link = new StageLink({
    url: "/lights/playback/s1",
    position: () => position,
    rate: () => rate,
    keepsShow,
    onChange: (state) => states.push(state),
    // The fake implements the subset of WebSocket that the link uses.
    connect: () => sockets[sockets.push(new FakeSocket()) - 1] as unknown as WebSocket,
    now: () => clock,
    page: "tab",
  });
  link.open();
  return {
    link,
    sockets,
    at: (t: number) => (position = t),
    clockAt: (ms: number) => (clock = ms),
    text: () => stageText(link.state),
    socket: (i = 0) => sockets[i]!,
    types: (i = 0) => sockets[i]!.sent.map((message) => message.type),
  };
}

const state = (over: Partial<Extract<PlaybackMessage, { type: "state" }>>): PlaybackMessage => ({
  type: "state",
  mode: "playing",
  song_id: "s1",
  position: 0,
  owner: true,
  outputs: 1,
  blackout: false,
  ...over,
});

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe("StageLink", () => {
  it("stays connected when a seek comes before the first play", () => {
    const { link, socket, types, text } = linked();
    socket().accept();
    link.seek(12);
    socket().say({ type: "error", code: "no_plan", message: "Prepare playback first." });
    expect(types()).toEqual(["stop", "seek"]);
    expect(text()).toBe("Stage connected");
  });

  it("shows why the stage refuses to play", () => {
    const { link, socket, text } = linked();
    socket().accept();
    link.play();
    socket().say({ type: "error", code: "no_plan", message: "This song has no show yet." });
    expect(text()).toBe("Stage: This song has no show yet.");
  });

  it("sends stop when it opens", () => {
    const { socket, types } = linked();
    socket().accept();
    expect(types()).toEqual(["stop"]);
  });

  it("requests the fixtures once, on the first play", () => {
    const { link, socket, at } = linked();
    socket().accept();
    link.play();
    at(4);
    link.pause();
    link.play();
    expect(socket().sent.slice(1)).toEqual([
      { type: "prepare_playback", page: "tab" },
      { type: "play", position: 0 },
      { type: "pause", position: 4 },
      { type: "play", position: 4 },
    ]);
  });

  it("starts the stage on connect if the audio is already playing", () => {
    const { link, socket, types, at } = linked();
    at(12);
    link.play();
    socket().accept();
    expect(types()).toEqual(["stop", "prepare_playback", "play"]);
    expect(socket().sent[2]).toEqual({ type: "play", position: 12 });
  });

  it("sends its position once a second while playing, and not while paused", () => {
    const { link, socket, at, types } = linked();
    socket().accept();
    link.play();
    at(1);
    vi.advanceTimersByTime(1000);
    expect(socket().sent.at(-1)).toEqual({ type: "sync", position: 1, sent_at: 1234 });
    link.pause();
    vi.advanceTimersByTime(5000);
    expect(types().at(-1)).toBe("pause");
  });

  it("sends the position of a seek", () => {
    const { link, socket } = linked();
    socket().accept();
    link.seek(33.5);
    expect(socket().sent.at(-1)).toEqual({ type: "seek", position: 33.5 });
  });

  // kept: Stage and lamps | "Stage in sync" was said without any output | failed with the fault put back
  it("shows no sync while no output works", () => {
    const { link, socket, text } = linked();
    socket().accept();
    link.play();
    socket().say(state({ outputs: 0 }));
    expect(text()).toBe("Stage plays, but no output works");
    socket().say({ type: "synced", sent_at: 1, stage_position: 1, drift_ms: 3 });
    expect(text()).toBe("Stage plays, but no output works");
    socket().say(state({ outputs: 1 }));
    expect(text()).toContain("Stage in sync");
  });

  it("shows the drift of the stage", () => {
    const { link, socket, text } = linked();
    socket().accept();
    link.play();
    socket().say(state({}));
    expect(text()).toBe("Stage in sync");
    socket().say({ type: "synced", sent_at: 1, stage_position: 1, drift_ms: -6.2 });
    expect(text()).toBe("Stage in sync · −6 ms");
    socket().say({ type: "synced", sent_at: 1, stage_position: 1, drift_ms: 450 });
    expect(text()).toBe("Stage catching up · +450 ms");
  });

  it("offers to take over from another console and then plays", () => {
    const { link, socket, at, text } = linked();
    socket().accept();
    link.play();
    socket().say({ type: "error", code: "busy", message: "busy" });
    expect(text()).toBe("Another console is playing");
    at(7);
    link.takeOver();
    expect(socket().sent.slice(-2)).toEqual([
      { type: "prepare_playback", page: "tab", take_over: true },
      { type: "play", position: 7 },
    ]);
  });

  it("shows who has the fixtures and for what", () => {
    const { socket, text } = linked();
    socket().accept();
    const taken = (holder: Parameters<typeof state>[0]["holder"]) =>
      socket().say(state({ owner: false, ...(holder && { holder }) }));
    taken({ kind: "song", name: "Emma", is_you: false });
    expect(text()).toBe("Emma has the lamps with a song");
    taken({ kind: "song", name: "Emma", is_you: true });
    expect(text()).toBe("Another page of yours has the lamps");
    taken({ kind: "queue", name: "", is_you: false });
    expect(text()).toBe("The playlist plays to everybody");
    taken({ kind: "calibration", name: "", is_you: false });
    expect(text()).toBe("A person calibrates the lamps");
  });

  it("stops syncing when another console takes the fixtures", () => {
    const { link, socket, types, text } = linked();
    socket().accept();
    link.play();
    socket().say(state({}));
    socket().say(state({ owner: false }));
    vi.advanceTimersByTime(3000);
    expect(types()).not.toContain("sync");
    expect(text()).toBe("Another console is playing");
  });

  it("starts to play when the other console has stopped", () => {
    const { link, socket, types } = linked();
    socket().accept();
    link.play();
    socket().say({ type: "error", code: "busy", message: "busy" });
    socket().say(state({ owner: false, mode: "idle" }));
    expect(types().slice(-2)).toEqual(["prepare_playback", "play"]);
  });

  it("requests the fixtures again after the stage has lost its request", () => {
    const { link, socket, types } = linked();
    socket().accept();
    link.play();
    socket().say(state({}));
    socket().say(state({ owner: false, mode: "idle" }));
    expect(types()).toEqual(["stop", "prepare_playback", "play", "prepare_playback", "play"]);
  });

  it("reconnects within a second and requests its show without stopping it", () => {
    const { link, sockets, socket, types, text } = linked();
    socket().accept();
    link.play();
    socket().drop(1006);
    expect(text()).toBe("Stage: not connected");
    vi.advanceTimersByTime(1000);
    expect(sockets).toHaveLength(2);
    socket(1).accept();
    expect(types(1)).toEqual(["prepare_playback", "play"]);
  });

  it("closes a connection on which the stage has sent nothing for 3.5 s", () => {
    const { sockets, socket, text } = linked();
    socket().accept();
    vi.advanceTimersByTime(2000);
    socket().say(state({ owner: false, mode: "idle" }));
    vi.advanceTimersByTime(3000);
    expect([text(), sockets.length]).toEqual(["Stage connected", 1]);
    vi.advanceTimersByTime(1000);
    expect(text()).toBe("Stage: not connected");
    vi.advanceTimersByTime(1000);
    expect(sockets).toHaveLength(2);
  });

  it("requests a paused show as well after a reconnect, and sends its position", () => {
    const { link, socket, at } = linked();
    socket().accept();
    link.play();
    socket().say(state({}));
    at(7);
    link.pause();
    socket().drop(1006);
    vi.advanceTimersByTime(1000);
    socket(1).accept();
    expect(socket(1).sent).toEqual([
      { type: "prepare_playback", page: "tab" },
      { type: "pause", position: 7 },
    ]);
  });

  it("ignores state messages from before its request after a reconnect", () => {
    const { link, socket, text, types } = linked();
    socket().accept();
    link.play();
    socket().drop(1006);
    vi.advanceTimersByTime(1000);
    socket(1).accept();
    socket(1).say(state({ owner: false }));
    expect(text()).toBe("Stage connected");
    socket(1).say(state({}));
    expect(text()).toBe("Stage in sync");
    expect(types(1)).toEqual(["prepare_playback", "play"]);
  });

  it("waits while its show loads, and shows why it cannot be loaded", () => {
    const { link, socket, text } = linked();
    socket().accept();
    link.takeOver();
    socket().say(state({ owner: false, loading: true }));
    expect(text()).not.toBe("Another console is playing");
    socket().say({ type: "error", code: "no_plan", message: "This song has no lighting plan yet." });
    socket().say(state({ owner: false }));
    expect(text()).toBe("Stage: This song has no lighting plan yet.");
  });

  it("does not reconnect after it was forbidden", () => {
    const { sockets, socket } = linked();
    socket().drop(4403);
    vi.advanceTimersByTime(60_000);
    expect(sockets).toHaveLength(1);
  });

  it("sends the rate of its leader if it is not 1", () => {
    const { link, socket } = linked({ rate: 1.04 });
    socket().accept();
    link.play();
    link.sync();
    expect(socket().sent.slice(-2)).toEqual([
      { type: "play", position: 0, rate: 1.04 },
      { type: "sync", position: 0, rate: 1.04, sent_at: 1234 },
    ]);
  });

  it("sends no extra sync while paused", () => {
    const { link, socket, types } = linked();
    socket().accept();
    link.sync();
    expect(types()).toEqual(["stop"]);
  });

  it("sends the position at arrival, half of the shortest round trip ahead", () => {
    const { link, socket, at, clockAt } = linked();
    socket().accept();
    link.play();
    for (const way of [60, 40, 400, 700]) {
      clockAt(2000 + way);
      socket().say({ type: "synced", sent_at: 2000, stage_position: 1, drift_ms: 0 });
    }
    at(10);
    link.sync();
    expect(socket().sent.at(-1)).toMatchObject({ type: "sync", position: 10.02 });
  });

  it("leaves a running show alone until it plays, if so configured", () => {
    const { link, socket, types } = linked({ keepsShow: true });
    socket().accept();
    link.play();
    expect(types()).toEqual(["prepare_playback", "play"]);
  });

  it.each([true, false])(
    "resumes at the audio's position when borrowed fixtures are returned, playing: %s",
    (plays) => {
      const { link, socket, at } = linked();
      socket().accept();
      link.play();
      socket().say(state({}));
      socket().say(state({ owner: false, song_id: "calibration" }));
      if (!plays) link.pause();
      at(9);
      socket().say(state({}));
      expect(socket().sent.at(-1)).toEqual({ type: plays ? "play" : "pause", position: 9 });
      expect(link.state.kind).toBe("following");
    },
  );

  it("sends nothing and does not reconnect after it was closed", () => {
    const { link, sockets, socket } = linked();
    socket().accept();
    link.play();
    link.close();
    vi.advanceTimersByTime(60_000);
    expect(sockets).toHaveLength(1);
    expect(socket().sent.map((m) => m.type)).toEqual(["stop", "prepare_playback", "play"]);
  });
});
