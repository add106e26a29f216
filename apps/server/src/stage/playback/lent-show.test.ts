import { calibrationOf } from "@followspot/contract";
import { beforeEach, describe, expect, it } from "vitest";
import { Consoles } from "../testing/consoles.ts";
import { SongShow } from "./song-show.ts";

let consoles: Consoles;
const CALIBRATION = calibrationOf("truss");
const QUEUE = { person: "queue", page: "queue", connection: "queue" };

beforeEach(() => {
  consoles = new Consoles();
});

const take = (...of: Parameters<Consoles["take"]>) => consoles.take(...of);
const say = (...of: Parameters<Consoles["say"]>) => consoles.say(...of);
const lose = (...of: Parameters<Consoles["lose"]>) => consoles.lose(...of);
const calibrate = (ms: number, takesOver = false) => {
  const reply = take("cal", CALIBRATION, ms, takesOver);
  say("cal", { type: "play", position: 0 }, ms);
  return reply;
};
const isCalibrating = () => consoles.lamps.shown?.kind === "calibration";
/** Starts the queue's next song. */
function queuePlays(song: string, ms: number) {
  const show = new SongShow(song, QUEUE, { kind: "queue" });
  consoles.lamps.request(show, ms);
  consoles.loaded(show);
  show.follow({ type: "play", position: 5 }, ms);
  return show;
}

describe("a calibration over a show", () => {
  it("needs take-over if another source has a holder, and starts at once otherwise", () => {
    expect(calibrate(0)).toBeUndefined();
    say("cal", { type: "stop" }, 10);
    take("a", "song", 20);
    expect(calibrate(30)).toMatchObject({ code: "busy" });
    expect(isCalibrating()).toBe(false);
    expect(calibrate(40, true)).toBeUndefined();
    expect([consoles.songId, isCalibrating()]).toEqual([CALIBRATION, true]);
  });

  it.each(["stop", "a closed page"])("goes dark after %s if the stage was dark", (how) => {
    calibrate(0);
    if (how === "stop") say("cal", { type: "stop" }, 500);
    else lose("cal", 500);
    expect(consoles.sceneAt(600)).toEqual({ kind: "silent" });
    expect(isCalibrating()).toBe(false);
  });

  it("reveals the default look again if it was visible before", () => {
    consoles.lamps.rest("house");
    calibrate(0);
    expect(consoles.sceneAt(100)).toMatchObject({ houseMix: 0 });
    lose("cal", 500);
    expect(consoles.sceneAt(600)).toMatchObject({ kind: "show", houseMix: 1 });
  });

  it("reveals a console's song again, at the position of its sound", () => {
    take("a", "song", 0);
    say("a", { type: "play", position: 10 }, 0);
    calibrate(2000, true);
    expect(consoles.stateFor("a", 3000)).toMatchObject({ owner: false, mode: "playing" });
    say("a", { type: "seek", position: 20 }, 3000);
    expect(consoles.sceneAt(3000)).toMatchObject({ position: 1 });
    lose("cal", 5000);
    expect(consoles.stateFor("a", 6000)).toMatchObject({ owner: true, mode: "playing", song_id: "song" });
    expect(consoles.sceneAt(6000)).toMatchObject({ position: 23 });
  });

  it("ends when a user takes over for another song", () => {
    take("a", "song", 0);
    calibrate(10, true);
    take("b", "other", 20, true);
    lose("cal", 30);
    expect([consoles.songId, isCalibrating()]).toEqual(["other", false]);
  });

  it("keeps the queue's song underneath without notifying the queue, and ends with the queue's next song", () => {
    const show = queuePlays("one", 0);
    show.fadeThroughHouse(100, 2);
    calibrate(1000, true);
    expect(consoles.lamps.sources).toContain(show);
    lose("cal", 3000);
    expect(consoles.sceneAt(4000)).toMatchObject({ position: 9, houseMix: 0 });
    calibrate(5000, true);
    queuePlays("two", 6000);
    expect([consoles.songId, isCalibrating()]).toEqual(["two", false]);
  });

  it("reveals the dark or the default look if the show underneath ended meanwhile", () => {
    const show = queuePlays("one", 0);
    calibrate(10, true);
    consoles.lamps.release(show);
    consoles.lamps.rest("house");
    expect(consoles.sceneAt(30)).toMatchObject({ houseMix: 0 });
    lose("cal", 40);
    expect(consoles.sceneAt(50)).toMatchObject({ houseMix: 1 });
  });

  it("reveals the show of a console that was disconnected meanwhile as usual: ten more seconds, then the default look", () => {
    take("a", "song", 0);
    say("a", { type: "play", position: 0 }, 0);
    calibrate(1000, true);
    lose("a", 2000);
    lose("cal", 4000);
    expect(consoles.sceneAt(5000)).toMatchObject({ position: 5, houseMix: 0 });
    expect(consoles.sceneAt(30_000)).toMatchObject({ position: 12, houseMix: 1 });
  });

  it("can be replaced by another one, and the show underneath stays", () => {
    take("a", "song", 0);
    calibrate(10, true);
    take("other", calibrationOf(), 20, true);
    lose("cal", 30);
    expect(consoles.songId).toBe("calibration");
    lose("other", 40);
    expect(consoles.stateFor("a", 50)).toMatchObject({ song_id: "song", owner: true });
  });

  it("that could not be loaded leaves the show unchanged", () => {
    take("a", "song", 0);
    const calibration = consoles.ask("cal", CALIBRATION, 10, true);
    consoles.playback.failed(calibration!);
    expect(consoles.stateFor("a", 20)).toMatchObject({ song_id: "song", mode: "prepared", owner: true });
  });
});

describe("a show at a leader's pace", () => {
  const play = (rate?: number) => {
    take("a", "song", 0);
    say("a", { type: "play", position: 0, ...(rate !== undefined && { rate }) }, 0);
  };
  const at = (ms: number) => consoles.playback.show!.positionAt(ms);

  it("runs at the given rate, and at full speed without one", () => {
    play(1.04);
    expect(at(10_000)).toBeCloseTo(10.4, 9);
    say("a", { type: "play", position: 0 }, 10_000);
    expect(at(11_000)).toBeCloseTo(1, 9);
  });

  it("keeps its rate across syncs and seeks without a rate, and adopts that of a sync with one", () => {
    play(1.04);
    say("a", { type: "sync", position: 1.04, sent_at: 1 }, 1000);
    say("a", { type: "seek", position: 50 }, 2000);
    expect(at(3000)).toBeCloseTo(51.04, 9);
    say("a", { type: "sync", position: 51.04, sent_at: 1, rate: 0.96 }, 3000);
    expect(at(4000)).toBeCloseTo(52, 9);
  });

  it("runs backward, and stops at the start", () => {
    play(-1);
    say("a", { type: "seek", position: 3 }, 0);
    expect([at(2000), at(5000)]).toEqual([1, 0]);
  });

  it("follows commands while the plan is loading", () => {
    const show = consoles.ask("a", "song");
    say("a", { type: "play", position: 0, rate: 1.5 }, 0);
    say("a", { type: "sync", position: 1.5, sent_at: 1, rate: 2 }, 1000);
    consoles.loaded(show!);
    expect(at(3000)).toBeCloseTo(5.5, 9);
  });
});
