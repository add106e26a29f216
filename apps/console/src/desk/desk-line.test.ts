import type { DeskMessage, DeskState } from "@followspot/contract";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DeskLine, shownValue, type DeskView } from "./desk-line.ts";

/** A socket whose other end is the test. */
class FakeSocket extends EventTarget {
  readyState = 1;
  readonly sent: { id: string; control: string; value: unknown }[] = [];
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.readyState = 3;
  }
  say(message: DeskMessage | object): void {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));
  }
  end(code = 1006): void {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event("close"), { code }));
  }
  take(id: string): void {
    this.say({ type: "taken", id, revision: 1 });
  }
}

const state = (hands: DeskState["hands"] = {}): DeskState => ({
  type: "desk",
  run: "run",
  revision: 1,
  hands,
  groups: [],
  mode: "idle",
  song_id: "",
  outputs: 1,
  you: "ana",
});

let sockets: FakeSocket[];
let view: DeskView;
let line: DeskLine;
let lastId: number;
const socket = () => sockets.at(-1)!;
const pressed = () => socket().sent.map(({ id, control, value }) => [id, control, value]);

beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  lastId = 0;
  line = new DeskLine({
    url: "ws://desk",
    onView: (next) => (view = next),
    connect: () => {
      sockets.push(new FakeSocket());
      return socket() as unknown as WebSocket; // only what a line uses of one
    },
    newId: () => `p${++lastId}`,
  });
});
afterEach(() => {
  line.close();
  vi.useRealTimers();
});

describe("a line to the desk", () => {
  it("sends presses once the stage has spoken, and shows them until it says what is", () => {
    line.press("blackout", true);
    expect([view.line, pressed(), shownValue(view, "blackout")]).toEqual(["connecting", [], true]);
    socket().say(state());
    expect(pressed()).toEqual([["p1", "blackout", true]]);
    socket().take("p1");
    expect(view.waiting.size).toBe(0);
    const hand = { value: 0.5, owner: "bo", owner_name: "Bo", since: 1 };
    socket().say(state({ master: hand }));
    expect(shownValue(view, "master")).toBe(0.5);
  });

  it("says presses that were not taken again over the next line, with their ids and in their order", () => {
    socket().say(state());
    line.press("master", 0.3);
    line.press("blackout", true);
    socket().end();
    expect([view.line, view.waiting.size]).toEqual(["lost", 2]);
    line.press("idle", "dark");
    vi.advanceTimersByTime(500);
    expect(sockets).toHaveLength(2);
    socket().say(state());
    expect(pressed()).toEqual([
      ["p1", "master", 0.3],
      ["p2", "blackout", true],
      ["p3", "idle", "dark"],
    ]);
  });

  it("sends of many moves of a fader the last one after the one on its way", () => {
    socket().say(state());
    for (const value of [0.9, 0.8, 0.7, 0.6]) line.press("master", value);
    expect(pressed()).toEqual([["p1", "master", 0.9]]);
    expect(shownValue(view, "master")).toBe(0.6);
    socket().take("p1");
    expect(pressed().at(-1)).toEqual(["p2", "master", 0.6]);
  });

  it("presses a blinder anew when the line comes back under the finger, and not after it", () => {
    socket().say(state());
    line.press("blinder", true);
    socket().take("p1");
    socket().end();
    vi.advanceTimersByTime(500);
    socket().say(state());
    expect(pressed()).toEqual([["p2", "blinder", true]]);
    socket().take("p2");
    line.press("blinder", null);
    socket().take("p3");
    socket().end();
    vi.advanceTimersByTime(1000);
    socket().say(state());
    expect(pressed()).toEqual([]);
  });

  it("forgets a blinder that was pressed and let go without a line", () => {
    socket().say(state());
    socket().end();
    line.press("blinder", true);
    line.press("blinder", null);
    expect(view.waiting.size).toBe(0);
  });

  it("cuts a line on which the stage is silent", () => {
    socket().say(state());
    vi.advanceTimersByTime(3000);
    socket().say(state());
    vi.advanceTimersByTime(3000);
    expect(view.line).toBe("live");
    vi.advanceTimersByTime(1000);
    expect([view.line, sockets[0]!.readyState]).toEqual(["lost", 3]);
  });

  it("says why a press was refused, and goes on", () => {
    socket().say(state());
    line.press("hold", true);
    socket().say({ type: "refused", id: "p1", message: "Nothing plays that could be held." });
    expect([view.refusal, view.waiting.size]).toEqual(["Nothing plays that could be held.", 0]);
    line.press("blackout", true);
    socket().take("p2");
    expect(view.refusal).toBeUndefined();
  });

  it("gives nothing up that waits before everything is given back", () => {
    socket().say(state());
    socket().end();
    line.press("mute/front", true);
    line.press("all", null);
    vi.advanceTimersByTime(500);
    socket().say(state());
    expect(pressed()).toEqual([["p2", "all", null]]);
  });

  it("presses nothing that was dropped while it waited", () => {
    socket().say(state());
    socket().end();
    line.press("blackout", true);
    line.forgetWaiting();
    vi.advanceTimersByTime(500);
    socket().say(state());
    expect(pressed()).toEqual([]);
  });

  it.each([4401, 4403])("does not come back after close code %i", (code) => {
    socket().end(code);
    vi.advanceTimersByTime(60_000);
    line.press("blackout", true);
    expect([view.line, sockets.length, view.waiting.size]).toEqual(["ended", 1, 0]);
  });

  it("keeps groups the same while they are, and while a stage that was started again has not read them", () => {
    socket().say({ ...state(), groups: [{ id: "front", name: "Front" }] });
    const { groups } = view.state!;
    socket().say({ ...state(), groups: [{ id: "front", name: "Front" }], revision: 2 });
    expect([view.state!.groups === groups, view.state!.revision]).toEqual([true, 2]);
    const { groups: _, ...unread } = state();
    socket().say({ ...unread, run: "next" });
    expect([view.state!.groups === groups, view.state!.run]).toEqual([true, "next"]);
    socket().say({ ...state(), groups: [{ id: "front", name: "In front" }] });
    expect(view.state!.groups![0]!.name).toBe("In front");
  });

  it("outlives messages that are none", () => {
    for (const text of ["null", "[]", '{"type":"other"}', "{"])
      socket().dispatchEvent(new MessageEvent("message", { data: text }));
    socket().say(state());
    expect(view.line).toBe("live");
  });
});
