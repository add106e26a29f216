import type { LightingPlan } from "@followspot/contract";

/** Returns a plan without cues, for fixtures that are shown individually. The heads that its lanes reach stay dark. */
export function emptyPlan(lanes: readonly string[]): LightingPlan {
  return {
    version: 1,
    song_id: "",
    duration: 0,
    seed: 0,
    palette: ["#ffffff"],
    beats: [],
    downbeats: [],
    curves: { hop_seconds: 0.1, bass: [], mid: [], high: [], energy: [] },
    event_lanes: Object.fromEntries(lanes.map((lane) => [lane, []])),
    safety: { max_flashes_per_second: 0, limited_share: 0, strobe_share: 0, profile: "default" },
  };
}
