import { calibrationOf } from "@followspot/contract";
import { beforeEach, describe, expect, it } from "vitest";
import { Playback } from "./playback.ts";

let playback: Playback;
const CALIBRATION = calibrationOf("truss");

beforeEach(() => {
  playback = new Playback();
});

function take(socket: string, song: string, ms: number, takesOver = false) {
  const { request, reply } = playback.handle(socket, song, { type: "prepare_playback", take_over: takesOver }, ms);
  if (request.kind === "load") playback.prepared(request.ticket, ms);
  return reply;
}
const say = (socket: string, command: Parameters<Playback["handle"]>[2], ms: number) =>
  playback.handle(socket, "", command, ms);
const calibrate = (ms: number, takesOver = false) => {
  const reply = take("cal", CALIBRATION, ms, takesOver);
  say("cal", { type: "play", position: 0 }, ms);
  return reply;
};

describe("lights lent to a calibration", () => {
  it("are asked for when somebody has them, and taken when nobody has", () => {
    expect(calibrate(0)).toBeUndefined();
    say("cal", { type: "stop" }, 10);
    take("a", "song", 20);
    expect(calibrate(30)).toMatchObject({ code: "busy" });
    expect(playback.isLent).toBe(false);
    expect(calibrate(40, true)).toBeUndefined();
    expect([playback.songId, playback.isLent]).toEqual([CALIBRATION, true]);
  });

  it.each(["stop", "a closed page"])("are dark again after %s, when they were dark", (how) => {
    calibrate(0);
    if (how === "stop") say("cal", { type: "stop" }, 500);
    else playback.disconnect("cal", 500);
    expect(playback.sceneAt(600)).toEqual({ kind: "silent" });
    expect(playback.isLent).toBe(false);
  });

  it("are in the house look again when they were", () => {
    playback.recover(false);
    calibrate(0);
    expect(playback.sceneAt(100)).toMatchObject({ houseMix: 0 });
    playback.disconnect("cal", 500);
    expect(playback.sceneAt(600)).toMatchObject({ kind: "show", houseMix: 1 });
  });

  it("come back to a console in the middle of its song, where its sound is by then", () => {
    take("a", "song", 0);
    say("a", { type: "play", position: 10 }, 0);
    calibrate(2000, true);
    expect(playback.stateFor("a", 1, false, 3000)).toMatchObject({ owner: false, mode: "playing" });
    expect(say("a", { type: "sync", position: 13, sent_at: 1 }, 3000).reply).toMatchObject({ code: "not_owner" });
    expect(playback.sceneAt(3000)).toMatchObject({ position: 1 });
    playback.disconnect("cal", 5000);
    expect(playback.stateFor("a", 1, false, 6000)).toMatchObject({ owner: true, mode: "playing", song_id: "song" });
    expect(playback.sceneAt(6000)).toMatchObject({ position: 16 });
  });

  it("are kept by whoever takes them for a song meanwhile", () => {
    take("a", "song", 0);
    calibrate(10, true);
    take("b", "other", 20, true);
    playback.disconnect("cal", 30);
    expect([playback.songId, playback.isLent]).toEqual(["other", false]);
  });

  it("stay those of the queue, which is not told that they were taken; its next song ends the calibration", () => {
    take("queue", "one", 0);
    playback.fadeThroughHouse(100, 2);
    say("queue", { type: "play", position: 5 }, 0);
    calibrate(1000, true);
    expect(playback.isOwner("queue")).toBe(true);
    playback.disconnect("cal", 3000);
    expect(playback.sceneAt(4000)).toMatchObject({ position: 9, houseMix: 0 });
    calibrate(5000, true);
    take("queue", "two", 6000, true);
    expect([playback.songId, playback.isLent]).toEqual(["two", false]);
  });

  it("are dark, or in the house look, when the show they were lent by ends meanwhile", () => {
    take("queue", "one", 0);
    calibrate(10, true);
    say("queue", { type: "stop" }, 20);
    playback.recover(false);
    expect(playback.sceneAt(30)).toMatchObject({ houseMix: 0 });
    playback.disconnect("cal", 40);
    expect(playback.sceneAt(50)).toMatchObject({ houseMix: 1 });
  });

  it("come back to a line that dropped meanwhile as they would have been: ten seconds on, then the house look", () => {
    take("a", "song", 0);
    say("a", { type: "play", position: 0 }, 0);
    calibrate(1000, true);
    playback.disconnect("a", 2000);
    playback.disconnect("cal", 4000);
    expect(playback.sceneAt(5000)).toMatchObject({ position: 5, houseMix: 0 });
    expect(playback.sceneAt(30_000)).toMatchObject({ position: 12, houseMix: 1 });
  });

  it("go from one calibration to another without forgetting what was there", () => {
    take("a", "song", 0);
    calibrate(10, true);
    take("other", calibrationOf(), 20, true);
    playback.disconnect("cal", 30);
    expect(playback.songId).toBe("calibration");
    playback.disconnect("other", 40);
    expect([playback.songId, playback.isOwner("a")]).toEqual(["song", true]);
  });

  it("come back when the calibration could not be loaded", () => {
    take("a", "song", 0);
    const { request } = playback.handle("cal", CALIBRATION, { type: "prepare_playback", take_over: true }, 10);
    if (request.kind === "load") playback.failed(request.ticket);
    expect([playback.songId, playback.mode, playback.isLent]).toEqual(["song", "prepared", false]);
  });
});

describe("a show at a leader's pace", () => {
  const play = (rate?: number) => {
    take("a", "song", 0);
    say("a", { type: "play", position: 0, ...(rate !== undefined && { rate }) }, 0);
  };
  const at = (ms: number) => playback.clock.positionAt(ms);

  it("runs as fast as it says, and at full speed when nothing is said", () => {
    play(1.04);
    expect(at(10_000)).toBeCloseTo(10.4, 9);
    say("a", { type: "play", position: 0 }, 10_000);
    expect(at(11_000)).toBeCloseTo(1, 9);
  });

  it("keeps its pace over syncs and seeks that say none, and changes it with a sync that does", () => {
    play(1.04);
    say("a", { type: "sync", position: 1.04, sent_at: 1 }, 1000);
    say("a", { type: "seek", position: 50 }, 2000);
    expect(at(3000)).toBeCloseTo(51.04, 9);
    say("a", { type: "sync", position: 51.04, sent_at: 1, rate: 0.96 }, 3000);
    expect(at(4000)).toBeCloseTo(52, 9);
  });

  it("runs back, and stands at the start", () => {
    play(-1);
    say("a", { type: "seek", position: 3 }, 0);
    expect([at(2000), at(5000)]).toEqual([1, 0]);
  });

  it("is heeded while the plan is loading", () => {
    const { request } = playback.handle("a", "song", { type: "prepare_playback" }, 0);
    say("a", { type: "play", position: 0, rate: 1.5 }, 0);
    say("a", { type: "sync", position: 1.5, sent_at: 1, rate: 2 }, 1000);
    if (request.kind === "load") playback.prepared(request.ticket, 2000);
    expect(at(3000)).toBeCloseTo(5.5, 9);
  });
});
