import { z } from "zod";

/** What the show queue wants on the lamps, as the stage asks for it. */
export const stageQueueSchema = z.object({
  /** Rises with every change of the queue. */
  revision: z.number(),
  /** Counts songs that were begun: a song that was paused or moved is still of the same turn. */
  turn: z.number(),
  /** "" while nothing plays. */
  song_id: z.string(),
  /** Song time in seconds at the moment of the answer; below 0 in the gap before the song. */
  position: z.number(),
  is_paused: z.boolean(),
  /** Seconds. */
  duration: z.number(),
  /** Seconds in which light fades between the song and the house look. */
  fade_seconds: z.number(),
  /** The last song is over and no person asked for darkness: the house look stays. */
  house_light: z.boolean(),
});

/** Where the player at the PA is, as the stage is told once a second. */
export const heardPositionSchema = z.object({
  turn: z.number(),
  /** Song second that was heard `age_ms` before this was sent. */
  position: z.number().min(0).max(86_400),
  age_ms: z.number().min(-1000).max(60_000),
});
export type HeardPosition = z.infer<typeof heardPositionSchema>;

export type StageQueue = z.infer<typeof stageQueueSchema>;
