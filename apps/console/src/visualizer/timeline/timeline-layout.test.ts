import { describe, expect, it } from "vitest";
import type { Cue } from "@followspot/contract";
import {
  activeCues,
  centredScroll,
  clampZoom,
  contentWidth,
  cueNear,
  fitText,
  fitZoom,
  followScroll,
  gridOf,
  intentColor,
  isOnBlock,
  labelInChunk,
  laneAt,
  levelAt,
  laneBlocks,
  LANES_TOP,
  mountedChunks,
  neighbouringTime,
  scrollFor,
  seekTime,
  targetLabel,
  tempoLevel,
  timeOf,
  type TimelineLane,
  xOf,
  wholeZoom,
} from "./timeline-layout.ts";

const cue = (time: number, duration: number, intent = "beat_pulse"): Cue => ({
  time,
  duration,
  intent,
  palette: ["#ff0000"],
  params: {},
  section: "verse",
  energy: 0.5,
  reason: "",
});

const lane = (cues: readonly Cue[]): TimelineLane => ({
  target: "role:wash",
  label: "Wash",
  cues,
  longest: Math.max(0, ...cues.map((c) => c.duration)),
});

describe("time and pixels", () => {
  it("starts the song 100 px in", () => {
    expect(xOf(0, 100)).toBe(100);
    expect(timeOf(300, 100)).toBe(2);
  });

  it("seeks only inside the song", () => {
    expect(seekTime(99, 100, 10)).toBeUndefined();
    expect(seekTime(100, 100, 10)).toBe(0);
    expect(seekTime(1100, 100, 10)).toBe(10);
    expect(seekTime(1101, 100, 10)).toBeUndefined();
  });

  it("keeps zoom within 20 and 500 px per second", () => {
    expect(clampZoom(1)).toBe(20);
    expect(clampZoom(9000)).toBe(500);
    expect(fitZoom(10, 1000)).toBeCloseTo(88.8);
    expect(fitZoom(7200, 1000)).toBe(20);
  });

  it("fits a song of any length, and does not scroll it during playback", () => {
    const zoom = wholeZoom(7200, 1000);
    expect(xOf(7200, zoom)).toBeCloseTo(988);
    expect(followScroll(7000, 7200, zoom, 1000)).toBe(0);
    expect(followScroll(30, 60, 100, 1000)).toBe(centredScroll(30, 100, 1000));
  });

  it("maps a height in a lane to a level", () => {
    const lane = LANES_TOP + 2 * 44;
    expect([16, 27, 38].map((y) => levelAt(lane + y))).toEqual([1, 0.5, 0]);
    expect([0, 43].map((y) => levelAt(lane + y))).toEqual([1, 0]);
  });

  it("centers the playhead after it has moved to the center", () => {
    expect(centredScroll(0, 100, 1000)).toBe(0);
    expect(centredScroll(30, 100, 1000)).toBe(2600);
    expect(contentWidth(60, 100, 1000) - 1000).toBe(centredScroll(60, 100, 1000));
  });

  it("keeps the time under the pointer while zooming", () => {
    const scroll = scrollFor(30, 250, 150);
    expect(timeOf(scroll + 250, 150)).toBeCloseTo(30);
  });

  it("mounts the visible chunks and one on each side", () => {
    expect(mountedChunks(0, 1000, 100_000)).toEqual([0, 2]);
    expect(mountedChunks(6400, 1000, 100_000)).toEqual([9, 12]);
    expect(mountedChunks(0, 1000, 300)).toEqual([0, 0]);
  });

  it("scales tempo from 60 to 240 BPM", () => {
    expect([60, 150, 240, 400, 0].map(tempoLevel)).toEqual([0, 0.5, 1, 1, 0]);
  });
});

describe("lanes", () => {
  it("colors a block by the keyword in its intent", () => {
    for (const word of [
      "wave",
      "pulse",
      "chase",
      "strobe",
      "fade",
      "reactive",
      "breathing",
      "snap",
      "ramp",
      "crossfade",
    ])
      expect(intentColor(`slow_${word}_2`)).toBe(word);
    expect(intentColor("blackout")).toBe("other");
  });

  it("labels blocks wider than 50 px and merges the others per color", () => {
    const { labelled, merged } = laneBlocks(lane([cue(0, 0.51), cue(1, 0.5), cue(2, 0.1, "snap")]), 0, 100);
    expect(labelled.map((block) => block.cue.time)).toEqual([0]);
    expect([...merged.keys()]).toEqual(["pulse", "snap"]);
  });

  it("merges slivers less than 2 px apart into one run", () => {
    const slivers = Array.from({ length: 50 }, (_, i) => cue(i * 0.1, 0.09));
    expect(laneBlocks(lane(slivers), 0, 20).merged.get("pulse")?.match(/M/g)).toHaveLength(1);
  });

  it("draws a long block in every chunk it crosses, clipped at the edges", () => {
    const { labelled } = laneBlocks(lane([cue(0, 60)]), 3, 100);
    expect(labelled).toHaveLength(1);
    expect(labelled[0]!.x).toBeLessThan(0);
    expect(labelled[0]!.x + labelled[0]!.width).toBeGreaterThan(640);
  });

  it("finds the active cue of each lane, with the end excluded", () => {
    const lanes = [lane([cue(0, 2), cue(2, 2, "chase")]), lane([cue(10, 1)])];
    expect(activeCues(lanes, 2).map((a) => a.cue.intent)).toEqual(["chase"]);
    expect(activeCues(lanes, 4)).toEqual([]);
  });

  it("finds a long cue behind many short ones", () => {
    const busy = lane([cue(0, 100, "wave"), ...Array.from({ length: 500 }, (_, i) => cue(100 + i, 0.5))]);
    expect(activeCues([busy], 50)[0]?.cue.intent).toBe("wave");
  });

  it("finds a block of two pixels within the slack", () => {
    expect(cueNear(lane([cue(5, 0.02)]), 5.05, 0.04)?.time).toBe(5);
    expect(cueNear(lane([cue(5, 0.02)]), 5.5, 0.04)).toBeUndefined();
  });

  it("finds the lane and the block under the pointer", () => {
    expect(laneAt(LANES_TOP - 1, 3)).toBeUndefined();
    expect(laneAt(LANES_TOP + 50, 3)).toBe(1);
    expect(laneAt(LANES_TOP + 500, 3)).toBeUndefined();
    expect(isOnBlock(LANES_TOP + 20)).toBe(true);
    expect(isOnBlock(LANES_TOP + 4)).toBe(false);
  });

  it("names roles and groups, and returns unknown targets unchanged", () => {
    const names = new Map([["bars_left", "Left bars"]]);
    expect(["role:wash", "all", "bars_left", "x"].map((t) => targetLabel(t, names))).toEqual([
      "Wash",
      "All",
      "Left bars",
      "x",
    ]);
  });

  // kept: Console | A cue over the border of two chunks of the timeline had no label | failed with the fault put back
  it("labels every block wider than 50 px once, wherever a border of chunks cuts it", () => {
    for (let from = 520; from <= 680; from++) {
      const texts = [0, 1].flatMap((chunk) =>
        laneBlocks(lane([cue(timeOf(from, 100), 0.51, "slow_wave")]), chunk, 100)
          .labelled.filter(({ label }) => label)
          .map(({ label, labelX }) => `${label} at ${Math.round(chunk * 640 + labelX)}`),
      );
      expect(new Set(texts), `a block at ${from}`).toEqual(new Set([`slow… at ${from + 8}`]));
    }
  });

  it("draws the label of a long block at its start only, not in later chunks", () => {
    expect(labelInChunk("breathing", 600, 2000)).toBe("breathing");
    expect(labelInChunk("breathing", -40, 1360)).toBe("breathing");
    expect(labelInChunk("breathing", -200, 1200)).toBe("");
    expect(labelInChunk("breathing", 640, 1200)).toBe("");
  });

  it("truncates a label that does not fit", () => {
    expect(fitText("slow wave", 100)).toBe("slow wave");
    expect(fitText("slow wave", 40)).toBe("slow…");
    expect(fitText("slow wave", 10)).toBe("");
  });
});

describe("grid", () => {
  const beats = Array.from({ length: 400 }, (_, i) => i * 0.5);
  const song = { beats, downbeats: beats.filter((_, i) => i % 4 === 0) };

  it("numbers bars from one at the downbeats", () => {
    expect(gridOf(song, 0, 100).numbers.slice(0, 2)).toEqual([
      { x: 100, bar: 1 },
      { x: 300, bar: 2 },
    ]);
  });

  it("thins out the numbers of narrow bars, and omits beats that are too dense", () => {
    const song200 = { beats: beats.map((t) => t / 2), downbeats: song.downbeats.map((t) => t / 2) };
    const grid = gridOf(song200, 0, 20);
    expect(grid.numbers.map((n) => n.bar).slice(0, 3)).toEqual([1, 3, 5]);
    expect(grid.beats).toEqual([]);
  });

  it("draws nothing for a song without beats", () => {
    expect(gridOf({ beats: [], downbeats: [] }, 0, 100)).toEqual({ beats: [], bars: [], numbers: [] });
  });

  it("returns the neighboring beats", () => {
    expect(neighbouringTime(beats, 1, 1)).toBe(1.5);
    expect(neighbouringTime(beats, 1.2, -1)).toBe(1);
    expect(neighbouringTime(beats, 0, -1)).toBeUndefined();
  });
});
