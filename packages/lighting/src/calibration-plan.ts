import { LIGHTING_PLAN_VERSION, type LightingPlan } from "@followspot/contract";

/** The calibration: a flash and a click each second, for so many seconds. */
export const CALIBRATION_SECONDS = 120;
/** Long enough to be seen beside stage light, short enough to have an edge. */
const FLASH_SECONDS = 0.1;

/** When it flashes and clicks, seconds. */
export const CALIBRATION_TIMES: readonly number[] = Array.from({ length: CALIBRATION_SECONDS - 1 }, (_, i) => i + 1);

/** An invented song whose whole rig is lit white for a moment at each of {@link CALIBRATION_TIMES}, and dark between. */
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
