import { z } from "zod";

const share = z.number().min(0).max(1);

/** Who has the lamps: a source, controls of the desk alone, the idle look, or "nobody". */
export const LAMP_HOLDERS = [
  "song",
  "queue",
  "sound",
  "replay",
  "calibration",
  "test",
  "desk",
  "idle",
  "nobody",
] as const;
export type LampHolder = (typeof LAMP_HOLDERS)[number];

/** What the stage does with one light now, from what is asked of it to what left, as GET /lights/ID answers. */
export const lightOnStageSchema = z.object({
  holder: z.enum(LAMP_HOLDERS),
  /** Of the song, recording or input that has them; "" for the others. */
  source_id: z.string(),
  /** Seconds of the show. */
  position: z.number(),
  /** What lamps show while nothing plays; "" until a person chose it. */
  idle: z.string(),
  blackout: z.boolean(),
  /** Of the desk. */
  master: share,
  /** The light is on, in the rig of the stage, and has something that shines. */
  is_known: z.boolean(),
  /** Light of its brightest head; absent where slots of a recording are sent. */
  light: z
    .object({
      /** By the plan or the idle look. */
      asked: share,
      /** After the controls of the desk. */
      after_desk: share,
      /** After master and blackout. */
      shown: share,
      /** #rrggbb at full. */
      color: z.string(),
    })
    .optional(),
  /** Lanes of the plan that it follows. */
  lanes: z.array(z.string()).readonly(),
  /** Seconds of the show at which a cue lights it next; absent: none does. */
  next_at: z.number().optional(),
  /** Controls of the desk that keep it dark. */
  darkened_by: z.array(z.string()).readonly(),
  /** Bytes of its channels as they left last; empty when nothing leaves. */
  sent: z.array(z.number().int().min(0).max(255)).readonly(),
});
export type LightOnStage = z.infer<typeof lightOnStageSchema>;
