import type { LightingPlan } from "@followspot/contract";

/** Ten minutes of a wave fast enough to change every frame. */
export function movingPlan(): LightingPlan {
  const beats = Array.from({ length: 1200 }, (_, i) => i / 2);
  return {
    version: 1,
    song_id: "bench",
    duration: 600,
    seed: 0,
    palette: ["#ff8800"],
    beats,
    downbeats: beats.filter((_, i) => i % 4 === 0),
    curves: { hop_seconds: 0.1, bass: [], mid: [], high: [], energy: [] },
    event_lanes: {
      all: [
        {
          time: 0,
          duration: 600,
          intent: "wave",
          palette: ["#ff8800"],
          section: "verse",
          energy: 0.5,
          params: { level: 1, depth: 1, period_beats: 2 },
          reason: "moves in every frame",
        },
      ],
    },
    safety: { max_flashes_per_second: 0, limited_share: 0, strobe_share: 0, profile: "default" },
  };
}
