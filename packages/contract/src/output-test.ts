import { z } from "zod";

/** What main-api asks the stage for: light at one output for two seconds. */
export const outputTestOrderSchema = z.object({
  output: z.string().max(100),
  /** Id of the person. */
  by: z.string().max(100),
  /** Also while the lamps have a holder. */
  take_over: z.boolean(),
});

/** What the stage answers. */
export const outputTestAnswerSchema = z.discriminatedUnion("state", [
  /** Lit for so long; lamps of its universe that are on. */
  z.object({ state: z.literal("sent"), lamps: z.number().int(), seconds: z.number() }),
  /** The lamps have a holder: a kind of source, or the desk. */
  z.object({ state: z.literal("held"), holder: z.string(), holder_name: z.string() }),
  z.object({ state: z.literal("blackout"), holder_name: z.string() }),
  /** The stage has no such output that is on. */
  z.object({ state: z.literal("off") }),
]);
export type OutputTestAnswer = z.infer<typeof outputTestAnswerSchema>;
