import type { Pattern } from "./pattern.ts";

export const backbeat: Pattern = {
  name: "backbeat",
  says: "all together on two and four",
  share: 0.25,
  cycle: 1,
  travels: false,
  intent: "beat_pulse",
  params: ({ beatsPerBar }) =>
    beatsPerBar % 2 === 0
      ? { step_beats: 2, offset_beats: 1, decay_beats: 1.3 }
      : { step_beats: beatsPerBar, offset_beats: 0, decay_beats: 1.5 },
};
