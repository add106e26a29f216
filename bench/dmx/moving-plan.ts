import type { LightingPlan } from "@followspot/contract";
import { emptyPlan } from "@followspot/lighting";

/** Ten minutes of a wave fast enough to change every frame. */
export function movingPlan(): LightingPlan {
  const beats = Array.from({ length: 1200 }, (_, i) => i / 2);
  return {
    ...emptyPlan([]),
    song_id: "bench",
    duration: 600,
    palette: ["#ff8800"],
    beats,
    downbeats: beats.filter((_, i) => i % 4 === 0),
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
  };
}
