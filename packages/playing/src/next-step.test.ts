import type { PlayerQueue } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { nextStep, type Situation, type Sounding } from "./next-step.ts";

const song = { id: "one", title: "One", artist: "", cover: "", seconds: 100, gain: 0 };
const queue: PlayerQueue = { revision: 1, turn: 5, mode: "playing", song, starts_at: 50_000, paused_at: 0, next: [], gap_seconds: 0, level_db: 0, duck_db: 0, fade_away_seconds: 0 }; // prettier-ignore
/** Twenty seconds into the song. */
const at20: Situation = { queue, isHeard: true, serverMs: 70_000, sounding: undefined, seenBeginOf: undefined };
const sounding = (position: number): Sounding => ({ songId: "one", turn: 5, startsAt: 50_000, position });

describe("a player", () => {
  it("joins a song at its current position when opened in the middle", () => {
    expect(nextStep(at20)).toEqual({ kind: "start", song, at: 20 });
  });

  it("plays a song from its first second if it saw the start, even after a delay in loading", () => {
    expect(nextStep({ ...at20, serverMs: 53_000, seenBeginOf: 5 })).toEqual({ kind: "start", song, at: 0 });
    expect(nextStep({ ...at20, serverMs: 48_500, seenBeginOf: 5 })).toEqual({ kind: "start", song, at: -1.5 });
    // Minutes later the start is no longer relevant.
    expect(nextStep({ ...at20, seenBeginOf: 5 })).toEqual({ kind: "start", song, at: 20 });
  });

  it("keeps playing when the queue is sent again, however late the player is", () => {
    expect(nextStep({ ...at20, sounding: sounding(17) })).toEqual({ kind: "keep" });
  });

  it("keeps playing when the queue has adjusted to its position", () => {
    const followed = { ...queue, starts_at: 53_000 };
    expect(nextStep({ ...at20, queue: followed, sounding: sounding(17.02) })).toEqual({ kind: "keep" });
  });

  it("seeks when a user has moved the song", () => {
    const moved = { ...queue, starts_at: 10_000 };
    expect(nextStep({ ...at20, queue: moved, sounding: sounding(20) })).toEqual({ kind: "start", song, at: 60 });
  });

  it("restarts when the same song is started again", () => {
    const again = { ...queue, turn: 6, starts_at: 69_900 };
    const step = nextStep({ ...at20, queue: again, sounding: sounding(20), seenBeginOf: 6 });
    expect(step).toEqual({ kind: "start", song, at: 0 });
  });

  it("is silent while nothing plays, while paused, after the end, and while another player is active", () => {
    for (const mode of ["stopped", "paused"] as const)
      expect(nextStep({ ...at20, queue: { ...queue, mode }, sounding: sounding(20) })).toEqual({ kind: "silence" });
    expect(nextStep({ ...at20, serverMs: 151_000 })).toEqual({ kind: "silence" });
    expect(nextStep({ ...at20, isHeard: false })).toEqual({ kind: "silence" });
  });
});
