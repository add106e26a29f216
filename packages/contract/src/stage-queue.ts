import { z } from "zod";

/** What the show queue wants on the lamps, as the stage asks for it. */
export const stageQueueSchema = z.object({
  /** Rises with every change of the queue. */
  revision: z.number(),
  /** "" while nothing plays. */
  song_id: z.string(),
  /** Song time in seconds at the moment of the answer; below 0 in the gap before the song. */
  position: z.number(),
  /** Seconds. */
  duration: z.number(),
  /** Seconds in which light fades between the song and the house look. */
  fade_seconds: z.number(),
  /** The last song is over and nobody asked for darkness: the house look stays. */
  house_light: z.boolean(),
});

export type StageQueue = z.infer<typeof stageQueueSchema>;
