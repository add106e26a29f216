import { z } from "zod";
import type { DeskMessage } from "../desk.ts";
import type { SoundMessage, SoundState } from "../live-sound.ts";
import { SOUND_SOURCES } from "../live-sound-words.ts";
import { HEAD_POSITIONS } from "../rig-words.ts";
import type { Envelope, PlaybackMessage } from "../sockets.ts";

/*
 * What the server sends, for the AsyncAPI document. Nothing reads messages with these: the types beside the sockets
 * are what counts, and the compiler holds these schemas against them.
 */

export const envelopeSchema: z.ZodType<Envelope> = z.object({
  id: z.string().describe("ULID"),
  topic: z.string(),
  type: z
    .string()
    .describe("`noun.verb_past`; on topic `control`: ServerAck, Subscribed, Unsubscribed, Reset, Error, Pong."),
  ts: z.string().describe("RFC 3339"),
  sequence: z.number().int().exactOptional(),
  payload: z.unknown(),
});

const mode = z.enum(["idle", "prepared", "playing", "paused"]);

export const playbackMessageSchema: z.ZodType<PlaybackMessage> = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("state"),
    mode,
    song_id: z.string(),
    position: z.number().describe("Song time of the stage, seconds."),
    owner: z.boolean().describe("Whether this socket has the lamps."),
    loading: z.boolean().exactOptional(),
    outputs: z.number().int().describe("Those that are on and not down."),
    blackout: z.boolean(),
  }),
  z.object({
    type: z.literal("synced"),
    sent_at: z.number(),
    stage_position: z.number().describe("Song time of the stage when the sync arrived, seconds."),
    drift_ms: z.number().describe("Stage minus client, before correction."),
  }),
  z.object({
    type: z.literal("error"),
    code: z.string().describe("busy, no_plan, bad_message, not_owner or unauthenticated."),
    message: z.string(),
  }),
]);

const hand = z.object({
  value: z.union([z.literal(true), z.number(), z.string()]),
  owner: z.string().describe("Id of the user; `osc` for the network."),
  owner_name: z.string(),
  since: z.number().describe("Milliseconds since 1970."),
  label: z.string().exactOptional(),
});

export const deskMessageSchema: z.ZodType<DeskMessage> = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("desk"),
    run: z.string(),
    revision: z.number().int(),
    hands: z.record(z.string(), hand),
    groups: z.array(z.object({ id: z.string(), name: z.string() })).exactOptional(),
    movers: z.array(z.number().int()).exactOptional(),
    positions: z.array(z.enum(HEAD_POSITIONS)).exactOptional(),
    hazers: z.number().int().exactOptional(),
    mode,
    song_id: z.string(),
    outputs: z.number().int(),
    you: z.string(),
    now: z.number().exactOptional(),
  }),
  z.object({ type: z.literal("taken"), id: z.string(), revision: z.number().int() }),
  z.object({ type: z.literal("refused"), id: z.string(), message: z.string() }),
]);

/** JSON leaves out the leader while there is none. */
type SoundJson = Exclude<SoundMessage, SoundState> | (Omit<SoundState, "lead"> & Partial<Pick<SoundState, "lead">>);

export const soundMessageSchema: z.ZodType<SoundJson> = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("sound"),
    run: z.string(),
    lead: z
      .object({
        source: z.enum(SOUND_SOURCES),
        owner: z.string(),
        owner_name: z.string(),
        device: z.string(),
        isHeard: z.boolean(),
      })
      .optional(),
    you: z.string(),
    you_lead: z.boolean(),
    has_device: z.boolean(),
    problem: z.string(),
    heard: z.object({
      isSilent: z.boolean(),
      level: z.number(),
      energy: z.number(),
      pulse: z
        .object({
          beat: z.number(),
          bpm: z.number(),
          confidence: z.number(),
          beatsPerBar: z.number(),
          downbeat: z.number(),
        })
        .optional(),
    }),
  }),
  z.object({ type: z.literal("refused"), message: z.string() }),
]);
