import { LIGHTING_PLAN_VERSION, type LightingPlan } from "@followspot/contract";

/** Length of the calibration, seconds. It flashes and clicks once per second. */
export const CALIBRATION_SECONDS = 120;
/** Length of a flash, seconds: long enough to be visible beside stage light, short enough for a sharp edge. */
const FLASH_SECONDS = 0.1;

/** Times of the flashes and clicks, seconds. */
export const CALIBRATION_TIMES: readonly number[] = Array.from({ length: CALIBRATION_SECONDS - 1 }, (_, i) => i + 1);

/**
 * Creates a plan that lights the whole rig white briefly at each of {@link CALIBRATION_TIMES}, and is dark in between.
 */
export function calibrationPlan(songId: string): LightingPlan {
  const palette = ["#ffffff"];
  const flash = { intent: "snap", palette, section: "calibration", energy: 1, reason: "A flash to set the offset by" };
  return {
    version: LIGHTING_PLAN_VERSION,
    song_id: songId,
    duration: CALIBRATION_SECONDS,
    seed: 0,
    palette,
    beats: [...CALIBRATION_TIMES],
    downbeats: [],
    curves: { hop_seconds: 1, bass: [], mid: [], high: [], energy: [] },
    event_lanes: {
      all: CALIBRATION_TIMES.map((time) => ({
        ...flash,
        time,
        duration: FLASH_SECONDS,
        params: { level: 1, white: 1 },
      })),
    },
    safety: { max_flashes_per_second: 1, limited_share: 0, strobe_share: 0, profile: "default" },
  };
}
