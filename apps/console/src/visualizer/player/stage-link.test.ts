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
    // The fake has what the link uses of a WebSocket.
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

  it("says why the stage refuses to play", () => {
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

  it("prepares once, on the first play", () => {
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

  it("plays as soon as it is connected when the sound already plays", () => {
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

  it("sends where a seek went", () => {
    const { link, socket } = linked();
    socket().accept();
    link.seek(33.5);
    expect(socket().sent.at(-1)).toEqual({ type: "seek", position: 33.5 });
  });

  // kept: Stage and lamps | "Stage in sync" was said without any output | failed with the fault put back
  it("claims no lamps in sync while no output works", () => {
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

  it("says how far the stage is off", () => {
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

  it("names who has the lamps with what", () => {
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

  it("stops mirroring when another console takes the lamps", () => {
    const { link, socket, types, text } = linked();
    socket().accept();
    link.play();
    socket().say(state({}));
    socket().say(state({ owner: false }));
    vi.advanceTimersByTime(3000);
    expect(types()).not.toContain("sync");
    expect(text()).toBe("Another console is playing");
  });

  it("joins in when the other console has stopped", () => {
    const { link, socket, types } = linked();
    socket().accept();
    link.play();
    socket().say({ type: "error", code: "busy", message: "busy" });
    socket().say(state({ owner: false, mode: "idle" }));
    expect(types().slice(-2)).toEqual(["prepare_playback", "play"]);
  });

  it("prepares again when the stage has forgotten it", () => {
    const { link, socket, types } = linked();
    socket().accept();
    link.play();
    socket().say(state({}));
    socket().say(state({ owner: false, mode: "idle" }));
    expect(types()).toEqual(["stop", "prepare_playback", "play", "prepare_playback", "play"]);
  });

  it("comes back within a second, and asks for its show without ending it", () => {
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

  it("gives up a connection on which the stage has said nothing for three and a half seconds", () => {
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

  it("asks for a paused show as well when its connection is back, and says where it stands", () => {
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

  it("keeps its show in mind over what the stage said before it was asked", () => {
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

  it("waits while its show loads and another one is on the lamps, and says why when it cannot be loaded", () => {
    const { link, socket, text } = linked();
    socket().accept();
    link.takeOver();
    socket().say(state({ owner: false, loading: true }));
    expect(text()).not.toBe("Another console is playing");
    socket().say({ type: "error", code: "no_plan", message: "This song has no lighting plan yet." });
    socket().say(state({ owner: false }));
    expect(text()).toBe("Stage: This song has no lighting plan yet.");
  });

  it("does not come back when it is not allowed to", () => {
    const { sockets, socket } = linked();
    socket().drop(4403);
    vi.advanceTimersByTime(60_000);
    expect(sockets).toHaveLength(1);
  });

  it("says how fast its leader goes, where that is not one", () => {
    const { link, socket } = linked({ rate: 1.04 });
    socket().accept();
    link.play();
    link.sync();
    expect(socket().sent.slice(-2)).toEqual([
      { type: "play", position: 0, rate: 1.04 },
      { type: "sync", position: 0, rate: 1.04, sent_at: 1234 },
    ]);
  });

  it("tells no place ahead of time while it stands", () => {
    const { link, socket, types } = linked();
    socket().accept();
    link.sync();
    expect(types()).toEqual(["stop"]);
  });

  it("says where the song will be when the stage hears of it: half of the shortest way there and back later", () => {
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

  it("leaves the show on the lamps alone until it plays, when it is told to", () => {
    const { link, socket, types } = linked({ keepsShow: true });
    socket().accept();
    link.play();
    expect(types()).toEqual(["prepare_playback", "play"]);
  });

  it.each([true, false])("goes on where its sound is when lights that were lent are back, playing: %s", (plays) => {
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
  });

  it("is silent once closed with the page", () => {
    const { link, sockets, socket } = linked();
    socket().accept();
    link.play();
    link.close();
    vi.advanceTimersByTime(60_000);
    expect(sockets).toHaveLength(1);
    expect(socket().sent.map((m) => m.type)).toEqual(["stop", "prepare_playback", "play"]);
  });
});
