import { beforeEach, describe, expect, it } from "vitest";
import { Playback, type Request } from "./playback.ts";

let playback: Playback;
const own = (socket = "a", song = "song", now = 0) => {
  const { request } = playback.handle(socket, song, { type: "prepare_playback" }, now);
  playback.prepared(ticketOf(request), now);
};
const ticketOf = (request: Request) => {
  if (request.kind !== "load") throw new Error("no plan was asked for");
  return request.ticket;
};
const prepare = (socket: string, song: string, now = 0, takesOver = false) =>
  ticketOf(playback.handle(socket, song, { type: "prepare_playback", take_over: takesOver }, now).request);
const code = (answer: ReturnType<Playback["handle"]>) =>
  answer.reply?.type === "error" ? answer.reply.code : undefined;

beforeEach(() => {
  playback = new Playback();
});

describe("playback", () => {
  it("shows nothing before a plan is prepared", () => {
    expect(playback.sceneAt(0)).toEqual({ kind: "silent" });
  });

  it("plays, pauses, seeks and goes on", () => {
    own();
    playback.handle("a", "song", { type: "play", position: 10 }, 1000);
    expect(playback.sceneAt(3000)).toMatchObject({ position: 12, allowsStrobe: true });
    playback.handle("a", "song", { type: "pause" }, 3000);
    expect(playback.sceneAt(9000)).toMatchObject({ position: 12, allowsStrobe: false });
    playback.handle("a", "song", { type: "seek", position: 60 }, 9000);
    expect(playback.sceneAt(9500)).toMatchObject({ position: 60 });
    playback.handle("a", "song", { type: "play" }, 10_000);
    expect(playback.sceneAt(11_000)).toMatchObject({ position: 61 });
  });

  it("remembers a play that comes while the plan is loading", () => {
    const ticket = prepare("a", "song");
    playback.handle("a", "song", { type: "play", position: 5 }, 10);
    playback.prepared(ticket, 210);
    expect([playback.mode, playback.clock.positionAt(1210)]).toEqual(["playing", 6.2]);
  });

  it("stop makes it silent and gives the lights away", () => {
    own();
    playback.handle("a", "song", { type: "play" }, 0);
    playback.handle("a", "song", { type: "stop" }, 10);
    expect(playback.sceneAt(11)).toEqual({ kind: "silent" });
    own("b", "other");
  });

  it("is over for whoever wants the lights once it stands and nobody holds it", () => {
    expect(playback.isTakenAt(0)).toBe(false);
    own();
    playback.handle("a", "song", { type: "play" }, 0);
    playback.disconnect("a", 1000);
    expect(playback.isTakenAt(10_900)).toBe(true);
    playback.letGo(10_900);
    expect([playback.mode, playback.isTakenAt(11_100)]).toEqual(["playing", false]);
    own("b", "song", 12_000);
    expect(playback.isTakenAt(12_000)).toBe(true);
    playback.disconnect("b", 12_100);
    playback.letGo(12_100);
    expect(playback.sceneAt(12_200)).toEqual({ kind: "silent" });
  });

  it("says busy to a second console and lets it take over", () => {
    own("a");
    expect(code(playback.handle("b", "song", { type: "prepare_playback" }, 0))).toBe("busy");
    expect(code(playback.handle("b", "song", { type: "play" }, 0))).toBe("not_owner");
    playback.prepared(prepare("b", "song", 0, true), 0);
    expect(code(playback.handle("a", "song", { type: "stop" }, 0))).toBe("not_owner");
    expect(playback.stateFor("b", 1, false, 0)).toMatchObject({ owner: true, mode: "prepared" });
  });

  it("gives the lights of a console that is gone to the next one, and lets it stop them", () => {
    own("a");
    playback.handle("a", "song", { type: "play" }, 0);
    playback.disconnect("a", 1000);
    expect(code(playback.handle("b", "song", { type: "stop" }, 2000))).toBeUndefined();
    expect(playback.mode).toBe("idle");
    own("b");
  });

  it("ignores a plan that comes after another console took over", () => {
    const [first, second] = [prepare("a", "one"), prepare("b", "two", 0, true)];
    playback.prepared(first, 0);
    expect([playback.awaits(first), playback.awaits(second), playback.mode]).toEqual([false, true, "idle"]);
  });

  it("ignores the earlier of two plans the same console asked for", () => {
    const [first, second] = [prepare("a", "one"), prepare("a", "one")];
    playback.failed(first);
    playback.prepared(second, 0);
    expect(playback.mode).toBe("prepared");
  });

  it("ignores a plan whose console is gone", () => {
    const ticket = prepare("a", "one");
    playback.disconnect("a", 10);
    playback.prepared(ticket, 20);
    expect(playback.sceneAt(30)).toEqual({ kind: "silent" });
  });

  it("heeds a pause and a seek that come while the plan is loading", () => {
    const ticket = prepare("a", "song");
    playback.handle("a", "song", { type: "play", position: 5 }, 0);
    playback.handle("a", "song", { type: "pause" }, 1000);
    playback.handle("a", "song", { type: "seek", position: 42 }, 1100);
    playback.prepared(ticket, 2000);
    expect([playback.mode, playback.clock.positionAt(3000)]).toEqual(["prepared", 42]);
  });

  it("leaves the show on the lamps alone while the next plan is loading", () => {
    own();
    playback.handle("a", "song", { type: "play", position: 0 }, 0);
    prepare("a", "other", 1000);
    playback.handle("a", "other", { type: "sync", position: 90, sent_at: 1 }, 2000);
    expect(playback.sceneAt(2000)).toMatchObject({ position: 2 });
  });

  it("shows the house look after a crash until somebody takes the lights or stops them", () => {
    playback.recover();
    const houseLook = { kind: "show", houseMix: 1, allowsStrobe: false, master: 1 };
    expect(playback.sceneAt(0)).toMatchObject(houseLook);
    const ticket = prepare("a", "song");
    expect(playback.sceneAt(10)).toMatchObject(houseLook);
    playback.prepared(ticket, 20);
    expect(playback.sceneAt(20)).toMatchObject({ houseMix: 0 });
    playback.handle("a", "song", { type: "stop" }, 30);
    playback.recover();
    playback.handle("b", "song", { type: "stop" }, 40);
    expect(playback.sceneAt(50)).toEqual({ kind: "silent" });
  });

  it("jumps over a large drift", () => {
    own();
    playback.handle("a", "song", { type: "play", position: 0 }, 0);
    const { reply } = playback.handle("a", "song", { type: "sync", position: 4, sent_at: 1 }, 5000);
    expect(reply).toMatchObject({ type: "synced", sent_at: 1, stage_position: 5, drift_ms: 1000 });
    expect(playback.clock.positionAt(5000)).toBeCloseTo(4, 6);
  });

  it("slews over a small drift, without a jump", () => {
    own();
    playback.handle("a", "song", { type: "play", position: 0 }, 0);
    playback.handle("a", "song", { type: "sync", position: 5.1, sent_at: 1 }, 5000);
    expect(playback.clock.positionAt(5000)).toBeCloseTo(5, 6);
    expect(playback.clock.positionAt(6000)).toBeCloseTo(6.06, 3);
  });

  it("follows a player whose clock runs wrong within a few milliseconds", () => {
    own();
    playback.handle("a", "song", { type: "play", position: 0 }, 0);
    let worst = 0;
    for (let s = 1; s <= 600; s++) {
      const player = s * 1.0005; // half a millisecond per second off
      if (s > 10) worst = Math.max(worst, Math.abs(playback.clock.positionAt(s * 1000) - player));
      playback.handle("a", "song", { type: "sync", position: player, sent_at: s }, s * 1000);
    }
    expect(worst).toBeLessThan(0.005);
  });

  it("plays on for ten seconds when the owner's line is gone, then stands and fades to the house look in five", () => {
    own();
    playback.handle("a", "song", { type: "play", position: 0 }, 0);
    playback.disconnect("a", 2000);
    expect(playback.sceneAt(11_900)).toMatchObject({ position: 11.9, allowsStrobe: true, houseMix: 0 });
    expect(playback.stateFor("b", 1, false, 11_900)).toMatchObject({ mode: "playing", owner: false });
    expect(playback.sceneAt(14_500)).toMatchObject({ position: 12, allowsStrobe: false, houseMix: 0.5 });
    expect(playback.sceneAt(60_000)).toMatchObject({ position: 12, houseMix: 1 });
    expect(playback.stateFor("b", 1, false, 60_000)).toMatchObject({ mode: "paused", position: 12 });
    own("b");
    expect(playback.sceneAt(60_000)).toMatchObject({ houseMix: 0 });
  });

  it("freezes at once when the owner was sent away, holds ten seconds, fades to the house look in five", () => {
    own();
    playback.handle("a", "song", { type: "play", position: 0 }, 0);
    playback.disconnect("a", 2000, true);
    expect(playback.sceneAt(2001)).toMatchObject({ position: 2, allowsStrobe: false, houseMix: 0 });
    expect(playback.sceneAt(11_900)).toMatchObject({ houseMix: 0 });
    expect(playback.sceneAt(14_500)).toMatchObject({ houseMix: 0.5 });
  });

  it("goes on where the owner is when the line is back", () => {
    own();
    playback.handle("a", "song", { type: "play", position: 0 }, 0);
    playback.disconnect("a", 2000);
    const ticket = prepare("a2", "song", 4000);
    playback.handle("a2", "song", { type: "play", position: 4 }, 4000);
    expect(playback.sceneAt(4100)).toMatchObject({ position: 4.1, houseMix: 0 });
    playback.prepared(ticket, 4200);
    expect(playback.sceneAt(20_000)).toMatchObject({ position: 20, allowsStrobe: true, houseMix: 0 });
  });

  it("goes on only when asked after the owner came back", () => {
    own();
    playback.handle("a", "song", { type: "play", position: 0 }, 0);
    playback.disconnect("a", 2000);
    own("a2", "song", 3000);
    expect(playback.mode).toBe("prepared");
  });
});
