import { beforeEach, describe, expect, it } from "vitest";
import { Consoles } from "../testing/consoles.ts";

let consoles: Consoles;
const take = (...of: Parameters<Consoles["take"]>) => consoles.take(...of);
const ask = (...of: Parameters<Consoles["ask"]>) => consoles.ask(...of)!;
const say = (...of: Parameters<Consoles["say"]>) => consoles.say(...of);
const lose = (...of: Parameters<Consoles["lose"]>) => consoles.lose(...of);
const sceneAt = (ms: number) => consoles.sceneAt(ms);
/** Makes Ada play from a position at 0 ms. */
const plays = (position = 0) => {
  take("ada", "song");
  say("ada", { type: "play", position });
};

beforeEach(() => {
  consoles = new Consoles();
});

describe("a song of a console", () => {
  it("shows nothing before its plan has arrived", () => {
    ask("ada", "song");
    expect(sceneAt(0)).toEqual({ kind: "silent" });
    expect(consoles.stateFor("ada", 0)).toMatchObject({ mode: "idle", owner: false, loading: true });
  });

  it("plays, pauses, seeks and resumes", () => {
    take("ada", "song");
    say("ada", { type: "play", position: 10 }, 1000);
    expect(sceneAt(3000)).toMatchObject({ position: 12, allowsStrobe: true });
    say("ada", { type: "pause" }, 3000);
    expect(sceneAt(9000)).toMatchObject({ position: 12, allowsStrobe: false });
    say("ada", { type: "seek", position: 60 }, 9000);
    expect(sceneAt(9500)).toMatchObject({ position: 60 });
    say("ada", { type: "play" }, 10_000);
    expect(sceneAt(11_000)).toMatchObject({ position: 61 });
  });

  it("begins at the position of its sound if its plan is late", () => {
    const show = ask("ada", "song");
    say("ada", { type: "play", position: 5 }, 10);
    consoles.loaded(show);
    expect(sceneAt(1210)).toMatchObject({ position: 6.2, allowsStrobe: true });
  });

  it("follows a pause and a seek while its plan is loading", () => {
    const show = ask("ada", "song");
    say("ada", { type: "play", position: 5 }, 0);
    say("ada", { type: "pause" }, 1000);
    say("ada", { type: "seek", position: 42 }, 1100);
    consoles.loaded(show);
    expect(sceneAt(3000)).toMatchObject({ position: 42, allowsStrobe: false });
  });

  it("goes dark when its console stops it, and frees the fixtures", () => {
    plays();
    say("ada", { type: "stop" }, 10);
    expect(sceneAt(11)).toEqual({ kind: "silent" });
    expect(take("bo", "other")).toBeUndefined();
  });

  it("stays on stage unchanged while the same console loads another song", () => {
    plays();
    ask("ada", "other", 1000);
    say("ada", { type: "sync", position: 90, sent_at: 1 }, 2000);
    expect(sceneAt(2000)).toMatchObject({ position: 2 });
  });

  it("stays on stage if the next song of the same console cannot be loaded", () => {
    plays();
    consoles.playback.failed(ask("ada", "other", 1000));
    expect(sceneAt(2000)).toMatchObject({ position: 2 });
    expect(consoles.stateFor("ada", 2000)).toMatchObject({ song_id: "song", owner: true, loading: false });
  });

  it("jumps over a large drift", () => {
    plays();
    const { reply } = say("ada", { type: "sync", position: 4, sent_at: 1 }, 5000);
    expect(reply).toMatchObject({ type: "synced", sent_at: 1, stage_position: 5, drift_ms: 1000 });
    expect(sceneAt(5000)).toMatchObject({ position: 4 });
  });

  it("slews over a small drift, without a jump", () => {
    plays();
    say("ada", { type: "sync", position: 5.1, sent_at: 1 }, 5000);
    const at = (ms: number) => consoles.playback.show!.positionAt(ms);
    expect(at(5000)).toBeCloseTo(5, 6);
    expect(at(6000)).toBeCloseTo(6.06, 3);
  });

  it("follows a player whose clock is inexact within a few milliseconds", () => {
    plays();
    let worst = 0;
    for (let s = 1; s <= 600; s++) {
      const player = s * 1.0005; // half a millisecond per second off
      if (s > 10) worst = Math.max(worst, Math.abs(consoles.playback.show!.positionAt(s * 1000) - player));
      say("ada", { type: "sync", position: player, sent_at: s }, s * 1000);
    }
    expect(worst).toBeLessThan(0.005);
  });
});

describe("fixtures owned by another console", () => {
  it("are busy for a second console until it takes over", () => {
    take("ada", "song");
    expect(take("bo", "other")).toMatchObject({ code: "busy" });
    expect(say("bo", { type: "play" }).reply).toMatchObject({ code: "not_owner" });
    take("bo", "other", 0, true);
    expect(say("ada", { type: "stop" }).reply).toMatchObject({ code: "not_owner" });
    expect(consoles.stateFor("bo", 0)).toMatchObject({ owner: true, mode: "prepared", song_id: "other" });
  });

  // kept: Stage and lamps | A failed take-over darkened the show of the console that owned the lights | also
  it("stay with their owner while a take-over is slow, fails or is abandoned", () => {
    plays();
    const slow = ask("bo", "other", 1000, true);
    expect(consoles.stateFor("ada", 2000)).toMatchObject({ owner: true, mode: "playing" });
    consoles.playback.failed(slow);
    expect(sceneAt(3000)).toMatchObject({ position: 3 });
    const left = ask("bo", "other", 3000, true);
    lose("bo", 3100);
    expect(consoles.loaded(left)).toBe(false);
    expect(sceneAt(4000)).toMatchObject({ position: 4, houseMix: 0 });
    expect(consoles.stateFor("ada", 4000)).toMatchObject({ owner: true });
  });

  it("go to the console that requested last, whichever plan arrives first", () => {
    const [first, second] = [ask("ada", "one"), ask("bo", "two", 0, true)];
    expect(consoles.loaded(second)).toBe(true);
    expect(consoles.loaded(first)).toBe(false);
    expect(consoles.songId).toBe("two");
  });

  it("go to the earlier request if the later one has no plan", () => {
    const [first, second] = [ask("ada", "one"), ask("bo", "two", 0, true)];
    consoles.playback.failed(second);
    expect(consoles.loaded(first)).toBe(true);
    expect(consoles.songId).toBe("one");
  });

  it("show the later of two plans that one console requested", () => {
    const [first, second] = [ask("ada", "one"), ask("ada", "one")];
    consoles.playback.failed(first);
    expect(consoles.loaded(first)).toBe(false);
    expect(consoles.loaded(second)).toBe(true);
  });

  it("show no plan of a disconnected console", () => {
    const show = ask("ada", "one");
    lose("ada", 10);
    consoles.loaded(show);
    expect(sceneAt(30)).toEqual({ kind: "silent" });
  });
});

describe("a show whose connection is lost", () => {
  it("plays on for ten seconds, then stands and fades to the default look in five", () => {
    plays();
    lose("ada", 2000);
    expect(sceneAt(11_900)).toMatchObject({ position: 11.9, allowsStrobe: true, houseMix: 0 });
    expect(consoles.stateFor("bo", 11_900)).toMatchObject({ mode: "playing", owner: false });
    expect(sceneAt(14_500)).toMatchObject({ position: 12, allowsStrobe: false, houseMix: 0.5 });
    expect(sceneAt(60_000)).toMatchObject({ position: 12, houseMix: 1 });
    expect(consoles.stateFor("bo", 60_000)).toMatchObject({ mode: "paused", position: 12 });
    take("bo", "song", 60_000);
    expect(sceneAt(60_000)).toMatchObject({ houseMix: 0 });
  });

  it("stands at once if the user lost the permission, holds for ten seconds, fades to the default look in five", () => {
    plays();
    lose("ada", 2000, true);
    expect(sceneAt(2001)).toMatchObject({ position: 2, allowsStrobe: false, houseMix: 0 });
    expect(sceneAt(11_900)).toMatchObject({ houseMix: 0 });
    expect(sceneAt(14_500)).toMatchObject({ houseMix: 0.5 });
  });

  it("continues for the same user after a reconnect without requesting the plan again", () => {
    plays();
    lose("ada", 2000);
    expect(ask("ada 2", "song", 4000)).toBeUndefined();
    expect(sceneAt(30_000)).toMatchObject({ position: 30, allowsStrobe: true, houseMix: 0 });
    say("ada 2", { type: "pause" }, 30_000);
    expect(consoles.stateFor("ada 2", 31_000)).toMatchObject({ owner: true, mode: "paused", position: 30 });
  });

  it("stays paused after a reconnect if it has already stopped", () => {
    plays();
    lose("ada", 2000);
    ask("ada 2", "song", 40_000);
    expect(sceneAt(50_000)).toMatchObject({ position: 12, houseMix: 0 });
    say("ada 2", { type: "play", position: 50 }, 50_000);
    expect(sceneAt(51_000)).toMatchObject({ position: 51 });
  });

  it("is restored to the same page before the loss of its old connection is detected", () => {
    const page = { type: "prepare_playback", page: "tab" } as const;
    const { load } = consoles.playback.handle({ person: "ada", page: "1", connection: "1" }, "song", page, 0);
    consoles.loaded(load!);
    const again = { person: "ada", page: "2", connection: "2" };
    expect(consoles.playback.handle(again, "song", page, 500)).toEqual({ changed: true });
    lose("1", 600);
    expect(consoles.lamps.shown).toMatchObject({ isHeld: true, holder: { connection: "2" } });
  });

  it("is not restored to another user, whatever the name of their page", () => {
    const page = { type: "prepare_playback", page: "tab" } as const;
    const { load } = consoles.playback.handle({ person: "ada", page: "1", connection: "1" }, "song", page, 0);
    consoles.loaded(load!);
    const { reply } = consoles.playback.handle({ person: "bo", page: "2", connection: "2" }, "song", page, 500);
    expect(reply).toMatchObject({ code: "busy" });
  });

  // kept: Stage and lamps | Opening a page ended the show of a disconnected console | also
  it("continues when another user's page sends stop, and ends when the same user's does", () => {
    plays();
    lose("ada", 1000);
    expect(say("bo", { type: "stop" }, 2000).reply).toMatchObject({ code: "not_owner" });
    expect(sceneAt(2000)).toMatchObject({ position: 2 });
    say("ada 2", { type: "stop" }, 3000);
    expect(sceneAt(3000)).toEqual({ kind: "silent" });
  });

  it("can be replaced by the next request", () => {
    plays();
    lose("ada", 1000);
    expect(take("bo", "other", 2000)).toBeUndefined();
    expect(consoles.songId).toBe("other");
  });
});

describe("the default look after a failure", () => {
  it("stays while the next show loads and when a page sends stop, and is replaced by the next show", () => {
    consoles.lamps.rest("safe");
    const houseLook = { kind: "show", houseMix: 1, allowsStrobe: false, isSafe: true, master: 1 };
    expect(sceneAt(0)).toMatchObject(houseLook);
    say("bo", { type: "stop" }, 5);
    const show = ask("ada", "song");
    expect(sceneAt(10)).toMatchObject(houseLook);
    consoles.loaded(show);
    expect(sceneAt(20)).toMatchObject({ houseMix: 0 });
    say("ada", { type: "stop" }, 30);
    expect(sceneAt(50)).toEqual({ kind: "silent" });
  });
});
