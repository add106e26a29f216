import { z } from "zod";

/** A show that was recorded as it went out, as the stage tells of it. */
export const recordingSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** RFC 3339 */
  started_at: z.string(),
  /** Name of the person who pressed record. */
  started_by: z.string(),
  seconds: z.number(),
  /** Moments at which something changed. */
  frames: z.number(),
  bytes: z.number(),
  universes: z.array(z.number()).readonly(),
  /** `recording`: it goes on. `cut_off`: the stage ended before it did; what there is can be replayed. */
  state: z.enum(["recording", "whole", "cut_off"]),
  /** Why it was cut off; "" otherwise. */
  problem: z.string(),
  /** What was patched where: another one now means that lamps do something else when it is replayed. */
  patch: z.string(),
});
export type Recording = z.infer<typeof recordingSchema>;

/** What GET /recordings of the stage answers, newest first. */
export const recordingsSchema = z.object({
  recordings: z.array(recordingSchema).readonly(),
  /** Of the rig there is now. */
  patch: z.string(),
  replay: z.object({ id: z.string(), position: z.number() }).nullable(),
  /** Why the last replay ended before its end; "" otherwise. */
  replay_problem: z.string(),
});
export type Recordings = z.infer<typeof recordingsSchema>;
