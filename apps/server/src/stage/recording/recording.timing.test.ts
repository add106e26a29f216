import { readdir, readFile, rename, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { calibrationOf, outputOfUrl, type Output } from "@followspot/contract";
import { parsRig } from "@followspot/lighting";
import { pino } from "pino";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { monotonicMs, TICK_MS } from "../outputs/frame-ring.ts";
import { Lamps } from "../lamps/lamps.ts";
import { drawingOf } from "../lamps/scene.ts";
import { SongShow } from "../playback/song-show.ts";
import { Stage } from "../stage.ts";
import { listenForDmx, until, type DmxNode } from "../testing/dmx-node.ts";
import { watchMachine } from "../testing/machine-lag.ts";
import { brightPlan, movingPlan, twoUniverses } from "../testing/plans.ts";
import { readRecording, RecordingError, RecordingWriter } from "./recording-file.ts";
import { RecordingShelf } from "./recordings.ts";
import { Replay } from "./replay.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";

let folder: string;
beforeEach(async () => void (folder = await folderUntil(onTestFinished)));

describe("a recording", () => {
  it("is replayed frame by frame with the original timing", async () => {
    const node = await listen();
    const { lamps, play, shelf, stage } = stageWithShelf([output(node)]);
    stage.draw(drawingOf(movingPlan()));
    play(0);
    await until(() => node.packets.length > 5);
    const recording = await shelf.start("Friday", "Ada");
    const machine = watchMachine();
    const from = monotonicMs();
    await until(() => monotonicMs() - from > 1500);
    const done = await shelf.stop();
    const recorded = node.packets.filter(({ ms }) => ms > from + 50);
    play(undefined);
    await until(() => !stage.isSending);
    node.packets.length = 0;
    await shelf.play(recording.id);
    await until(() => lamps.shown === undefined);

    expect(done).toMatchObject({ name: "Friday", started_by: "Ada", state: "whole", universes: [1], problem: "" });
    expect(done!.seconds).toBeGreaterThan(1.4);
    const shown = new Map(node.packets.map(({ ms, bytes }) => [slotsOf(bytes), ms]));
    const pairs = recorded.flatMap(({ ms, bytes }) => {
      const again = shown.get(slotsOf(bytes));
      return again === undefined ? [] : [again - ms];
    });
    // A busy machine may skip a frame either way.
    expect(pairs.length).toBeGreaterThan((0.9 - 2 * machine.share()) * recorded.length);
    const shift = median(pairs);
    expect(median(pairs.map((pair) => Math.abs(pair - shift)))).toBeLessThan(3 + machine.usual());
    expect(pairs.filter((pair) => Math.abs(pair - shift) > TICK_MS).length).toBeLessThan(
      (0.1 + machine.share()) * pairs.length,
    );
  });

  it("contains every universe, and outputs with another offset are replayed with the difference", async () => {
    const file = await write({ "1": 30 }, [
      [0, { 1: [10], 2: [20] }],
      [1, { 1: [11] }],
      [2, { 2: [21] }],
    ]);
    const replay = await Replay.open(file);
    replay.start(1000);
    expect(replay.universes).toEqual([1, 2]);
    const first = (universe: number, ms: number, offset = 0) => replay.slotsAt(universe, ms, offset)?.[0];
    expect([first(1, 1980, 30), first(1, 2000, 30)]).toEqual([10, 11]);
    // It was sent 30 ms ahead of the music; without an offset it is replayed 30 ms later.
    expect([first(1, 2000, 0), first(1, 2030, 0)]).toEqual([10, 11]);
    expect([first(2, 2980), first(2, 3000)]).toEqual([20, 21]);
    expect(first(3, 2000)).toBeUndefined();
    expect([replay.isOverAt(3900), replay.isOverAt(4100)]).toEqual([false, true]);
  });

  it("is read to its last byte after the stage was killed, and damage is reported", async () => {
    const frames = Array.from({ length: 400 }, (_, i) => [i / 40, { 1: noise(i) }] as const);
    const file = await write({}, frames);
    const whole = await countFrames(file);
    const { length } = await readFile(file);
    await truncate(file, Math.floor(length * 0.6));
    const cut = await countFrames(file);
    expect(whole).toBe(400);
    expect(cut).toBeGreaterThan(200);
    expect(cut).toBeLessThan(250);
    const bytes = await readFile(file);
    bytes.fill(0xaa, 300, 400);
    await writeFile(file, bytes);
    await expect(countFrames(file)).rejects.toThrow(RecordingError);
  });

  it("may also be the output of song -- frames", async () => {
    const file = join(folder, "frames.json");
    await writeFile(file, '{"t": 0, "universes": {"1": "ff"}}\n{"t": 0.5, "universes": {"1": "0a0b"}}\n');
    const replay = await Replay.open(file);
    replay.start(0);
    expect([...replay.slotsAt(1, 600)!.subarray(0, 3)]).toEqual([10, 11, 0]);
  });

  const hostile = {
    "no JSON": "lamp",
    "another kind of JSON": '{"songs": []}',
    "an invalid time": '{"t": "now", "universes": {}}',
    "negative time": '{"t": -1, "universes": {}}',
    "more than 512 slots": `{"t": 0, "universes": {"1": "${"00".repeat(513)}"}}`,
    "slots that are no hex": '{"t": 0, "universes": {"1": "zz"}}',
    "half a slot": '{"t": 0, "universes": {"1": "fff"}}',
    "an invalid universe": '{"t": 0, "universes": {"-1": "ff"}}',
    "a line without an end": "[".repeat(1_000_000),
  };
  it.each(Object.entries(hostile))("with %s is refused with a sentence", async (_, text) => {
    const file = join(folder, "hostile.gz");
    await writeFile(file, gzipSync(`${text}\n`));
    await expect(Replay.open(file)).rejects.toThrow(RecordingError);
  });

  it("that unpacks to a gigabyte is refused at its first lines", async () => {
    const file = join(folder, "bomb.gz");
    await writeFile(file, gzipSync(Buffer.alloc(100_000_000, " ")));
    await expect(Replay.open(file)).rejects.toThrow("longer than any frame");
  });

  it("reports why it cannot be written, and the show continues", async () => {
    const node = await listen();
    const { play, shelf, stage } = stageWithShelf([output(node)], join(folder, "file", "recordings"));
    await writeFile(join(folder, "file"), "");
    stage.draw(drawingOf(movingPlan()));
    play(0);
    await expect(shelf.start("Friday", "Ada")).rejects.toThrow("Recordings cannot be kept");
    const before = node.packets.length;
    await until(() => node.packets.length > before + 10);
  });
});

describe("the shelf of recordings", () => {
  it("refuses impossible requests with a sentence, and lists the recordings", async () => {
    const node = await listen();
    const { play, shelf, stage } = stageWithShelf([output(node)]);
    stage.draw(drawingOf(movingPlan()));
    play(0);
    const first = await shelf.start("One", "Ada");
    await expect(shelf.start("Two", "Ada")).rejects.toThrow("A recording is going on already. Stop it first.");
    await expect(shelf.play(first.id)).rejects.toThrow("It is still being recorded. Stop it first.");
    await expect(shelf.remove(first.id)).rejects.toThrow("Stop it first");
    expect((await shelf.tell()).recordings).toMatchObject([{ id: first.id, state: "recording" }]);
    await shelf.stop();
    await expect(shelf.play(first.id)).rejects.toThrow("A song has the lights. Pause it and leave its page first.");
    play(undefined);
    const second = await shelf.start("Two", "Ada");
    await shelf.stop();
    const { recordings, patch } = await shelf.tell();
    expect(recordings.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(recordings.every((recording) => recording.patch === patch && recording.bytes > 0)).toBe(true);
    await shelf.remove(first.id);
    await expect(shelf.play(first.id)).rejects.toThrow("not there any more");
    expect((await readdir(folder)).every((name) => name.startsWith(second.id))).toBe(true);
  });

  it("omits previewed slots while there is no output", async () => {
    const node = await listen();
    const { play, shelf, stage } = stageWithShelf([output(node)]);
    stage.draw(drawingOf(movingPlan()));
    play(0);
    await until(() => node.packets.length > 5);
    let previewed = 0;
    stage.tap(({ isPreview }) => void (isPreview && previewed++));
    stage.setRig(parsRig(4), []);
    await until(() => previewed > 5);
    await shelf.start("Friday", "Ada");
    await until(() => previewed > 40);
    expect((await shelf.stop())!.frames).toBeLessThan(5);
  });

  it("names the owner of the lights if it is not a song", async () => {
    const file = await write({}, [[0, { 1: [255] }]]);
    const { lamps, shelf } = stageWithShelf([output(await listen())]);
    const { id } = await shelf.start("One", "Ada");
    await shelf.stop();
    await rename(file, join(folder, `${id}.frames.gz`));
    const calibration = new SongShow(calibrationOf(), ADA);
    lamps.request(calibration, 0);
    lamps.ready(calibration);
    await expect(shelf.play(id)).rejects.toThrow("An output is being calibrated. End that first.");
    expect(lamps.sources).toEqual([calibration]);
    lamps.release(calibration);
    const queue = new SongShow("song", ADA, { kind: "queue" });
    lamps.request(queue, 0);
    lamps.ready(queue);
    await expect(shelf.play(id)).rejects.toThrow("The show queue has the lights. Stop the music first.");
  });

  it("ends a replay when a song takes over the fixtures", async () => {
    const file = await write({}, [
      [0, { 1: [255] }],
      [30, { 1: [10] }],
    ]);
    const { lamps, play, shelf } = stageWithShelf([output(await listen())]);
    const { id } = await shelf.start("One", "Ada");
    await shelf.stop();
    await rename(file, join(folder, `${id}.frames.gz`));
    await shelf.play(id);
    expect((await shelf.tell()).replay).toMatchObject({ id });
    play(3);
    expect((await shelf.tell()).replay).toBeNull();
    expect(lamps.sources.map(({ kind }) => kind)).toEqual(["song"]);
  });

  it("refuses to record without an enabled output", async () => {
    const { shelf } = stageWithShelf([]);
    await expect(shelf.start("One", "Ada")).rejects.toThrow("There is nothing to record: no output is on.");
  });

  it("marks a recording as cut off if its stage was killed", async () => {
    const node = await listen();
    const { play, shelf, stage } = stageWithShelf([output(node)]);
    stage.draw(drawingOf(movingPlan()));
    play(0);
    const { id } = await shelf.start("One", "Ada");
    const page = await readFile(join(folder, `${id}.json`));
    await shelf.stop();
    await writeFile(join(folder, `${id}.json`), page); // as it was when the stage ended
    const { recordings } = await shelf.tell();
    expect(recordings).toMatchObject([{ state: "cut_off", problem: "The stage ended before the recording did." }]);
  });

  it("records everything sent, including the dark end", async () => {
    const node = await listen();
    const { play, shelf, stage } = stageWithShelf([output(node)]);
    stage.draw(drawingOf(brightPlan()));
    play(1);
    await until(() => node.packets.some(({ bytes }) => bytes.subarray(18).some((slot) => slot > 0)));
    const { id } = await shelf.start("One", "Ada");
    play(undefined);
    await until(() => !stage.isSending);
    await until(() =>
      node.packets
        .at(-1)!
        .bytes.subarray(18)
        .every((slot) => slot === 0),
    );
    await shelf.stop();
    const lines = gunzipSync(await readFile(join(folder, `${id}.frames.gz`)))
      .toString()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines[0]).toEqual({ recording: 1, offsets: { 1: 0 } });
    expect(lines.at(-2)).toMatchObject({ universes: { 1: "" } });
    expect(lines.at(-1).end).toBeGreaterThanOrEqual(lines.at(-2).t);
  });
});

it("a universe added during a recording is recorded from then on", async () => {
  const one = await listen();
  const two = await listen();
  const { play, shelf, stage } = stageWithShelf([output(one)]);
  stage.draw(drawingOf(movingPlan()));
  play(0);
  await until(() => one.packets.length > 5);
  const { id } = await shelf.start("One", "Ada");
  stage.setRig(twoUniverses(), [output(one), outputOfUrl(`artnet://127.0.0.1:${two.port}/1`, 2)]);
  await until(() => two.packets.length > 20);
  await shelf.stop();
  const replay = await Replay.open(join(folder, `${id}.frames.gz`));
  expect(replay.universes).toEqual([1, 2]);
});

const SILENT_LOG = pino({ level: "silent" });
const ADA = { person: "ada", page: "1", connection: "1" };

function stageWithShelf(outputs: readonly Output[], where = folder) {
  const lamps = new Lamps();
  let song: SongShow | undefined;
  const stage = new Stage({ cid: Buffer.alloc(16, 1), name: "test" }, (ms) => lamps.sceneAt(ms));
  const rig = parsRig(4);
  const shelf = new RecordingShelf({
    folder: where,
    tap: (onSent) => stage.tap(onSent),
    rig: () => ({ rig, outputs }),
    lamps,
    log: SILENT_LOG,
    nextTickMs: () => stage.nextTickMs,
    refresh: () => stage.refresh(),
  });
  stage.setRig(rig, outputs);
  openUntil(onTestFinished, stage);
  openUntil(onTestFinished, shelf);
  return {
    stage,
    shelf,
    lamps,
    /** Makes Ada play from a position on; undefined stops. */
    play: (position: number | undefined) => {
      if (song) lamps.release(song);
      song = undefined;
      if (position !== undefined) {
        song = new SongShow("song", ADA);
        song.follow({ type: "play", position }, monotonicMs());
        lamps.request(song, monotonicMs());
        lamps.ready(song);
      }
      stage.refresh();
    },
  };
}

async function write(
  offsets: Record<string, number>,
  frames: readonly (readonly [number, Readonly<Record<number, readonly number[]>>])[],
): Promise<string> {
  const path = join(folder, "written.frames.gz");
  const writer = new RecordingWriter(path, offsets, (error) => expect(error).toBeUndefined());
  for (const [t, universes] of frames) {
    const slots = Object.entries(universes).map(([universe, head]) => {
      const all = new Uint8Array(512);
      all.set(head);
      return [Number(universe), all] as const;
    });
    writer.add({ ms: 5000 + t * 1000, isPreview: false, universes: slots });
  }
  await writer.close(5000 + frames.at(-1)![0] * 1000 + 1000);
  return path;
}

async function countFrames(path: string): Promise<number> {
  let count = 0;
  for await (const line of readRecording(path)) if (line.kind === "frame") count++;
  return count;
}

/** Returns incompressible bytes. */
function noise(seed: number): number[] {
  let state = seed * 2654435761 + 1;
  return Array.from({ length: 512 }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  });
}

async function listen(): Promise<DmxNode> {
  return openUntil(onTestFinished, await listenForDmx());
}

const output = (node: DmxNode) => outputOfUrl(`artnet://127.0.0.1:${node.port}/0`, 1);
const slotsOf = (packet: Buffer) => packet.subarray(18).toString("hex");
const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;
