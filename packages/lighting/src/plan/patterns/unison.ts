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
