import { z } from "zod";
import { SOUND_RATE, type SoundSource } from "./live-sound-words.ts";

/*
 * Live sound: a show for music that is not imported, led by what a microphone or a line hears. What is heard goes from
 * the analysis (`LiveEar`) to the show (`LiveShow`); sound comes over `/lights/sound`, where all connections see who leads.
 */

/** The beat as it is known at one moment, always from the past alone. */
export interface HeardPulse {
  /** Beats since the sound began, fractional; whole on a beat. It only grows. */
  readonly beat: number;
  readonly bpm: number;
  /** 0..1; below 0.3 it is a guess. */
  readonly confidence: number;
  readonly beatsPerBar: number;
  /** Number of some beat that begins a bar, 0 .. beatsPerBar - 1. */
  readonly downbeat: number;
}

/** What is heard at one moment. Levels are 0..1 within what was heard of late, so that a far microphone does as well. */
export interface HeardSound {
  /** Seconds of sound heard so far: the moment everything here is about. */
  readonly seconds: number;
  readonly isSilent: boolean;
  /** Loudness now, and of its bass, middle and treble. */
  readonly level: number;
  readonly bass: number;
  readonly mid: number;
  readonly high: number;
  /** How strongly something has just been struck, 0 for nothing. */
  readonly onset: number;
  /** Loudness of the last seconds within the last minutes. */
  readonly energy: number;
  /** How much louder the last half second is than the seconds before, -1..1. */
  readonly surge: number;
  /** Undefined until something like a beat is heard. */
  readonly pulse: HeardPulse | undefined;
}

/** Client → stage on `/lights/sound`, beside the blocks themselves, which are binary. */
export const soundCommandSchema = z.discriminatedUnion("type", [
  /** From now on this connection leads: its sound is the show's. */
  z.object({
    type: z.literal("start"),
    sample_rate: z.number().int().min(SOUND_RATE.least).max(SOUND_RATE.most).multipleOf(SOUND_RATE.step),
    /** The microphone's name, for people. */
    device: z.string().max(200),
    /** How old sound is when it is sent, ms, as far as the client knows. */
    latency_ms: z.number().min(0).max(500).optional(),
    /**
     * `run` of the stage that this connection led before it was lost: it comes back only if live sound was not given back since,
     * or the stage was started again and no song has the lamps.
     */
    back_to: z.string().max(64).optional(),
  }),
  z.object({ type: z.literal("stop") }),
]);
export type SoundCommand = z.infer<typeof soundCommandSchema>;

/** Stage → everybody on `/lights/sound`, ten times a second while sound leads, else once a second. */
export interface SoundState {
  readonly type: "sound";
  /** Another one: the stage was started again. */
  readonly run: string;
  /** Who leads; undefined without a leader: songs have the lamps. */
  readonly lead:
    | {
        readonly source: SoundSource;
        readonly owner: string;
        readonly owner_name: string;
        readonly device: string;
        /** Sound comes in. Without it the show goes on for a few seconds, then waits in the idle look. */
        readonly isHeard: boolean;
      }
    | undefined;
  /** `owner` of what is started over this connection. */
  readonly you: string;
  /** This connection leads. */
  readonly you_lead: boolean;
  /** The stage has a device of its own that can be asked for. */
  readonly has_device: boolean;
  /** Why the device gives no sound; "" when nothing is wrong. */
  readonly problem: string;
  readonly heard: Pick<HeardSound, "isSilent" | "level" | "energy"> & { readonly pulse?: HeardPulse | undefined };
}

/** Stage → client. */
export type SoundMessage = SoundState | { readonly type: "refused"; readonly message: string };
