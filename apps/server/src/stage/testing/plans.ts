import type { LightingPlan } from "@followspot/contract";
import { emptyPlan, parsRig, type LivePlan } from "@followspot/lighting";
import type { ShowScene } from "../lamps/scene.ts";

/** Returns the scene of a running show at a position. */
export function showAt(position: number): ShowScene {
  return { kind: "show", position, allowsStrobe: true, houseMix: 0, master: 1 };
}

/** Returns a minute of a wave: different bytes in every frame. */
export function movingPlan(): LightingPlan {
  return planOf([{ time: 0, duration: 60, intent: "wave", params: { level: 1, depth: 0.9, period_beats: 2 } }]);
}

/** Returns a minute of static white light. */
export function brightPlan(): LightingPlan {
  return planOf([{ time: 0, duration: 60, intent: "snap", params: { level: 1 } }]);
}

/** Returns ten dark seconds, then white light. */
export function halfDarkPlan(): LightingPlan {
  return planOf([{ time: 10, duration: 50, intent: "snap", params: { level: 1 } }]);
}

/**
 * Returns white light for live sound: hits on every beat (pulse), moves from fixture to fixture with it (chase), or
 * only follows the loudness (snap).
 */
export function liveOf(intent: "pulse" | "chase" | "snap"): LivePlan {
  const params = { level: 1, floor: 0, step_beats: 1, decay_beats: 0.7, cells: 4, glide: 0.02 };
  const plan = planOf([{ time: 0, duration: 60, intent, params }]);
  const sections = ([0, 1, 2, 3, 4] as const).map((level) => ({ level, start: 16 * level, beats: 16 }));
  return { plan, sections, bpm: 120, beatsPerBar: 4 };
}

/** Returns eight pars, every other one in universe 2. */
export function twoUniverses() {
  const rig = parsRig(8);
  return { ...rig, lights: rig.lights.map((light, i) => (i % 2 === 0 ? light : { ...light, universe: 2 })) };
}

function planOf(
  cues: { time: number; duration: number; intent: string; params: Record<string, number> }[],
): LightingPlan {
  const palette = ["#ffffff"];
  return {
    ...emptyPlan([]),
    song_id: "test",
    duration: 60,
    palette,
    beats: Array.from({ length: 120 }, (_, i) => i / 2),
    event_lanes: {
      all: cues.map((cue) => ({ ...cue, palette, section: "verse", energy: 0.5, reason: "test" })),
    },
  };
}
