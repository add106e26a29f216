import type { Pattern } from "./pattern.ts";

export const ripple: Pattern = {
  name: "ripple",
  says: "a soft wave across the stage",
  share: 0.62,
  cycle: 4,
  travels: true,
  intent: "soft_wave",
  params: ({ step, direction }) => ({ depth: 0.75, period_beats: 4 * step, direction }),
};
