import type { DeskMessage, DeskState } from "@followspot/contract";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DeskConnection, shownValue, type DeskView } from "./desk-connection.ts";

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
let line: DeskConnection;
let lastId: number;
const socket = () => sockets.at(-1)!;
const pressed = () => socket().sent.map(({ id, control, value }) => [id, control, value]);

beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  lastId = 0;
  line = new DeskConnection({
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

  describe("without its stage", () => {
    beforeEach(() => {
      socket().say(state());
      socket().end();
    });
    /** The line is there again, and the stage has spoken. */
    const comesBack = () => {
      while (socket().readyState !== 1) vi.advanceTimersByTime(100);
      socket().say(state());
      expect(view.line).toBe("live");
    };

    // kept: Stage and lamps | A blackout pressed while the server was away was carried out minutes later | also
    it("drops what could not be sent within two seconds, says so, and never presses it", () => {
      line.press("blackout", true);
      line.press("mute/front", true);
      vi.advanceTimersByTime(1999);
      expect([view.waiting.size, view.dropped]).toEqual([2, undefined]);
      vi.advanceTimersByTime(1);
      expect([view.waiting.size, view.dropped]).toEqual([0, "unsent"]);
      comesBack();
      expect(pressed()).toEqual([]);
      expect(shownValue(view, "blackout")).toBeUndefined();
    });

    it("counts the two seconds from each press, of one control from the last", () => {
      line.press("master", 0.5);
      vi.advanceTimersByTime(1500);
      line.press("blackout", true);
      line.press("mute/front", true);
      vi.advanceTimersByTime(600);
      line.press("mute/front", null);
      expect([...view.waiting.keys()]).toEqual(["blackout", "mute/front"]);
      vi.advanceTimersByTime(1400);
      expect([...view.waiting.keys()]).toEqual(["mute/front"]);
      vi.advanceTimersByTime(600);
      expect([view.waiting.size, view.dropped]).toEqual([0, "unsent"]);
    });

    it("drops what waited while the machine slept, though no clock of the page ran", () => {
      line.press("blackout", true);
      vi.setSystemTime(Date.now() + 600_000);
      vi.advanceTimersByTime(400);
      socket().say(state());
      expect([view.line, pressed(), view.dropped]).toEqual(["live", [], "unsent"]);
    });

    it("says nothing of a blinder that is let go, which the stage does by itself", () => {
      line.press("blinder", null);
      vi.advanceTimersByTime(60_000);
      expect([view.waiting.size, view.dropped]).toEqual([0, undefined]);
    });

    it("drops a blinder, and presses it when the line comes back under the finger that is still on it", () => {
      line.press("blinder", true);
      vi.advanceTimersByTime(5000);
      expect(view.dropped).toBe("unsent");
      comesBack();
      expect(pressed()).toEqual([["p2", "blinder", true]]);
    });
  });

  it("does not know whether a press arrived that left before its line broke", () => {
    socket().say(state());
    line.press("blackout", true);
    vi.advanceTimersByTime(1000);
    socket().end();
    expect([view.waiting.size, view.dropped]).toEqual([1, undefined]);
    vi.advanceTimersByTime(1000);
    expect([view.waiting.size, view.dropped]).toEqual([0, "unknown"]);
    line.press("master", 0.5);
    vi.advanceTimersByTime(2000);
    expect(view.dropped).toBe("unknown");
    line.forgetDropped();
    line.press("master", 0.5);
    vi.advanceTimersByTime(2000);
    expect(view.dropped).toBe("unsent");
  });

  it("drops what was waited for too long with the line that hung", () => {
    socket().say(state());
    line.press("blackout", true);
    vi.advanceTimersByTime(3750);
    expect([view.line, view.waiting.size, view.dropped]).toEqual(["lost", 0, "unknown"]);
  });

  it("says by the stage's clock when a press was made, also when it leaves later", () => {
    const sentAt = () => socket().sent.map((press) => (press as { pressed_at?: number }).pressed_at);
    const ahead = 50_000;
    socket().say({ ...state(), now: Date.now() + ahead });
    const at = Date.now();
    line.press("blackout", true);
    expect(sentAt()).toEqual([at + ahead]);
    socket().end();
    vi.advanceTimersByTime(500);
    socket().say({ ...state(), now: Date.now() + ahead });
    expect(sentAt()).toEqual([at + ahead]);
    // One that hung in the line does not set the clock back.
    socket().say({ ...state(), now: Date.now() + ahead - 3000 });
    line.press("master", 0.5);
    expect(sentAt().at(-1)).toBe(Date.now() + ahead);
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
