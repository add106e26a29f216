import type { Pattern } from "./pattern.ts";

export const unison: Pattern = {
  name: "unison",
  says: "all together on the beat",
  share: 0.3,
  cycle: 1,
  travels: false,
  intent: "beat_pulse",
  params: ({ step }) => ({ step_beats: step, decay_beats: Math.max(0.8, 0.6 * step) }),
};

/** Pulse on every beat for a kick on every beat, whatever the pace of the section. */
export const FOUR_ON_THE_FLOOR: Pattern = {
  ...unison,
  name: "four on the floor",
  says: "all together with the kick on every beat",
  isOwnRhythm: true,
  params: ({ fastest }) => ({ step_beats: fastest, decay_beats: 0.8 * fastest }),
};
