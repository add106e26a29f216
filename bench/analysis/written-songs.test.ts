import { writeMidi, type MidiEvent } from "midi-file";
import { expect, test } from "vitest";
import { readGrid } from "./written-songs.ts";

const QUARTER = 96;

/** A file with a bass drum at each tick, after what else is said at its start or later. */
function midi(ticks: readonly number[], said: readonly (readonly [number, MidiEvent])[] = []): Uint8Array {
  const drum = (tick: number): [number, MidiEvent] => [
    tick,
    { deltaTime: 0, type: "noteOn", channel: 9, noteNumber: 36, velocity: 100 },
  ];
  let now = 0;
  const track = [...said, ...ticks.map(drum)]
    .sort(([a], [b]) => a - b)
    .map(([tick, event]) => {
      const deltaTime = tick - now;
      now = tick;
      return { ...event, deltaTime };
    });
  return Uint8Array.from(writeMidi({ header: { format: 0, numTracks: 1, ticksPerBeat: QUARTER }, tracks: [track] }));
}

const tempo = (bpm: number): MidiEvent => ({
  deltaTime: 0,
  type: "setTempo",
  microsecondsPerBeat: Math.round(6e7 / bpm),
});
const metre = (numerator: number, denominator: number): MidiEvent => ({
  deltaTime: 0,
  type: "timeSignature",
  numerator,
  denominator,
  metronome: 24,
  thirtyseconds: 8,
});
const quarters = (count: number) => Array.from({ length: count }, (_, i) => i * QUARTER);
const near = (times: readonly number[]) => times.map((t) => expect.closeTo(t, 5) as number);

test("beats follow a tempo that changes, bars begin where they are notated", () => {
  const grid = readGrid(midi(quarters(7), [[0, tempo(120)], [0, metre(3, 4)], [4 * QUARTER, tempo(60)]]))!; // prettier-ignore
  expect(grid.beats).toEqual(near([0, 0.5, 1, 1.5, 2, 3, 4]));
  expect(grid.downbeats).toEqual(near([0, 1.5, 4]));
  expect(grid.last).toBeCloseTo(4, 9);
});

test("without a word about it a file has 120 quarters a minute in bars of four", () => {
  const { beats, downbeats } = readGrid(midi(quarters(6)))!;
  expect(beats).toEqual(near([0, 0.5, 1, 1.5, 2, 2.5]));
  expect(downbeats).toEqual(near([0, 2]));
});

test("compound time is counted in dotted beats", () => {
  const { beats, downbeats } = readGrid(midi(quarters(7), [[0, metre(6, 8)]]))!;
  expect(beats).toEqual(near([0, 0.75, 1.5, 2.25, 3]));
  expect(downbeats).toEqual(near([0, 1.5, 3]));
});

test("notes between sixteenths and triplets speak against the grid", () => {
  expect(readGrid(midi([0, 24, 32, 48, 64, 72]))!.kept).toBe(1);
  expect(readGrid(midi([0, 10, 20, 48]))!.kept).toBe(0.5);
});

test("a file without notes has no grid", () => {
  expect(readGrid(midi([], [[0, tempo(90)]]))).toBeUndefined();
});
