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
let connection: DeskConnection;
let lastId: number;
const socket = () => sockets.at(-1)!;
const pressed = () => socket().sent.map(({ id, control, value }) => [id, control, value]);

beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  lastId = 0;
  connection = new DeskConnection({
    url: "ws://desk",
    onView: (next) => (view = next),
    connect: () => {
      sockets.push(new FakeSocket());
      return socket() as unknown as WebSocket; // The connection uses only these parts of a WebSocket.
    },
    newId: () => `p${++lastId}`,
  });
});
afterEach(() => {
  connection.close();
  vi.useRealTimers();
});

describe("a connection to the desk", () => {
  it("sends presses after the stage's first message, and shows them until the stage reports its state", () => {
    connection.press("blackout", true);
    expect([view.connection, pressed(), shownValue(view, "blackout")]).toEqual(["connecting", [], true]);
    socket().say(state());
    expect(pressed()).toEqual([["p1", "blackout", true]]);
    socket().take("p1");
    expect(view.waiting.size).toBe(0);
    const hand = { value: 0.5, owner: "bo", owner_name: "Bo", since: 1 };
    socket().say(state({ master: hand }));
    expect(shownValue(view, "master")).toBe(0.5);
  });

  it("resends unacknowledged presses over the next connection, with the same IDs and in order", () => {
    socket().say(state());
    connection.press("master", 0.3);
    connection.press("blackout", true);
    socket().end();
    expect([view.connection, view.waiting.size]).toEqual(["lost", 2]);
    connection.press("idle", "dark");
    vi.advanceTimersByTime(500);
    expect(sockets).toHaveLength(2);
    socket().say(state());
    expect(pressed()).toEqual([
      ["p1", "master", 0.3],
      ["p2", "blackout", true],
      ["p3", "idle", "dark"],
    ]);
  });

  it("sends only the last of several fader moves after the one in progress", () => {
    socket().say(state());
    for (const value of [0.9, 0.8, 0.7, 0.6]) connection.press("master", value);
    expect(pressed()).toEqual([["p1", "master", 0.9]]);
    expect(shownValue(view, "master")).toBe(0.6);
    socket().take("p1");
    expect(pressed().at(-1)).toEqual(["p2", "master", 0.6]);
  });

  it("presses a held blinder again after a reconnect, but not one that was released", () => {
    socket().say(state());
    connection.press("blinder", true);
    socket().take("p1");
    socket().end();
    vi.advanceTimersByTime(500);
    socket().say(state());
    expect(pressed()).toEqual([["p2", "blinder", true]]);
    socket().take("p2");
    connection.press("blinder", null);
    socket().take("p3");
    socket().end();
    vi.advanceTimersByTime(1000);
    socket().say(state());
    expect(pressed()).toEqual([]);
  });

  it("discards a blinder that was pressed and released while offline", () => {
    socket().say(state());
    socket().end();
    connection.press("blinder", true);
    connection.press("blinder", null);
    expect(view.waiting.size).toBe(0);
  });

  it("drops a connection on which the stage is silent", () => {
    socket().say(state());
    vi.advanceTimersByTime(3000);
    socket().say(state());
    vi.advanceTimersByTime(3000);
    expect(view.connection).toBe("live");
    vi.advanceTimersByTime(1000);
    expect([view.connection, sockets[0]!.readyState]).toEqual(["lost", 3]);
  });

  it("shows why a press was refused, and continues", () => {
    socket().say(state());
    connection.press("hold", true);
    socket().say({ type: "refused", id: "p1", message: "Nothing plays that could be held." });
    expect([view.refusal, view.waiting.size]).toEqual(["Nothing plays that could be held.", 0]);
    connection.press("blackout", true);
    socket().take("p2");
    expect(view.refusal).toBeUndefined();
  });

  it("discards pending presses when all controls are released", () => {
    socket().say(state());
    socket().end();
    connection.press("mute/front", true);
    connection.press("all", null);
    vi.advanceTimersByTime(500);
    socket().say(state());
    expect(pressed()).toEqual([["p2", "all", null]]);
  });

  describe("while the stage is unreachable", () => {
    beforeEach(() => {
      socket().say(state());
      socket().end();
    });
    /** Restores the connection up to the stage's first message. */
    const comesBack = () => {
      while (socket().readyState !== 1) vi.advanceTimersByTime(100);
      socket().say(state());
      expect(view.connection).toBe("live");
    };

    // kept: Stage and lamps | A blackout pressed while the server was unavailable was carried out minutes later | also
    it("discards presses that were not sent within 2 s, reports it, and never sends them", () => {
      connection.press("blackout", true);
      connection.press("mute/front", true);
      vi.advanceTimersByTime(1999);
      expect([view.waiting.size, view.dropped]).toEqual([2, undefined]);
      vi.advanceTimersByTime(1);
      expect([view.waiting.size, view.dropped]).toEqual([0, "unsent"]);
      comesBack();
      expect(pressed()).toEqual([]);
      expect(shownValue(view, "blackout")).toBeUndefined();
    });

    it("counts the 2 s from each press, and per control from its last press", () => {
      connection.press("master", 0.5);
      vi.advanceTimersByTime(1500);
      connection.press("blackout", true);
      connection.press("mute/front", true);
      vi.advanceTimersByTime(600);
      connection.press("mute/front", null);
      expect([...view.waiting.keys()]).toEqual(["blackout", "mute/front"]);
      vi.advanceTimersByTime(1400);
      expect([...view.waiting.keys()]).toEqual(["mute/front"]);
      vi.advanceTimersByTime(600);
      expect([view.waiting.size, view.dropped]).toEqual([0, "unsent"]);
    });

    it("discards presses that waited while the machine slept, although no timer ran", () => {
      connection.press("blackout", true);
      vi.setSystemTime(Date.now() + 600_000);
      vi.advanceTimersByTime(400);
      socket().say(state());
      expect([view.connection, pressed(), view.dropped]).toEqual(["live", [], "unsent"]);
    });

    it("sends no release for momentary controls", () => {
      connection.press("blinder", null);
      vi.advanceTimersByTime(60_000);
      expect([view.waiting.size, view.dropped]).toEqual([0, undefined]);
    });

    it("discards a blinder, and presses it after the reconnect if it is still held", () => {
      connection.press("blinder", true);
      vi.advanceTimersByTime(5000);
      expect(view.dropped).toBe("unsent");
      comesBack();
      expect(pressed()).toEqual([["p2", "blinder", true]]);
    });
  });

  it("reports as unknown a press that was sent before the connection was lost", () => {
    socket().say(state());
    connection.press("blackout", true);
    vi.advanceTimersByTime(1000);
    socket().end();
    expect([view.waiting.size, view.dropped]).toEqual([1, undefined]);
    vi.advanceTimersByTime(1000);
    expect([view.waiting.size, view.dropped]).toEqual([0, "unknown"]);
    connection.press("master", 0.5);
    vi.advanceTimersByTime(2000);
    expect(view.dropped).toBe("unknown");
    connection.forgetDropped();
    connection.press("master", 0.5);
    vi.advanceTimersByTime(2000);
    expect(view.dropped).toBe("unsent");
  });

  it("discards presses that waited too long on a hung connection", () => {
    socket().say(state());
    connection.press("blackout", true);
    vi.advanceTimersByTime(3750);
    expect([view.connection, view.waiting.size, view.dropped]).toEqual(["lost", 0, "unknown"]);
  });

  it("timestamps a press by the stage's clock, also if it is sent later", () => {
    const sentAt = () => socket().sent.map((press) => (press as { pressed_at?: number }).pressed_at);
    const ahead = 50_000;
    socket().say({ ...state(), now: Date.now() + ahead });
    const at = Date.now();
    connection.press("blackout", true);
    expect(sentAt()).toEqual([at + ahead]);
    socket().end();
    vi.advanceTimersByTime(500);
    socket().say({ ...state(), now: Date.now() + ahead });
    expect(sentAt()).toEqual([at + ahead]);
    // A delayed state message must not set the clock back.
    socket().say({ ...state(), now: Date.now() + ahead - 3000 });
    connection.press("master", 0.5);
    expect(sentAt().at(-1)).toBe(Date.now() + ahead);
  });

  it.each([4401, 4403])("does not reconnect after close code %i", (code) => {
    socket().end(code);
    vi.advanceTimersByTime(60_000);
    connection.press("blackout", true);
    expect([view.connection, sockets.length, view.waiting.size]).toEqual(["ended", 1, 0]);
  });

  it("keeps the same groups object while groups are unchanged and while a restarted stage has not loaded them", () => {
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

  it("ignores invalid messages", () => {
    for (const text of ["null", "[]", '{"type":"other"}', "{"])
      socket().dispatchEvent(new MessageEvent("message", { data: text }));
    socket().say(state());
    expect(view.connection).toBe("live");
  });
});
