import { z } from "zod";

// ---- /ws/events -------------------------------------------------------------------------------

/** First message of a client. A browser signed in by cookie may leave the token empty. */
export const clientHelloSchema = z.object({
  token: z.string().max(8192),
  device_id: z.string().max(200).optional(),
  app_version: z.string().max(100).optional(),
  platform: z.enum(["ios", "android", "web"]).optional(),
  subscriptions: z.array(z.string().max(200)).max(200).optional(),
});

export const subscribeSchema = z.object({
  topic: z.string().max(200),
  /** Replay what came after this envelope. */
  last_event_id: z.string().max(26).optional(),
});

/** Client → server on /ws/events. */
export const eventsClientMessageSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ClientHello"), payload: clientHelloSchema }),
  z.object({ type: z.literal("Subscribe"), payload: subscribeSchema }),
  z.object({ type: z.literal("Unsubscribe"), payload: z.object({ topic: z.string().max(200) }) }),
  z.object({ type: z.literal("Ping"), payload: z.object({}).optional() }),
]);

export interface ServerAck {
  readonly connection_id: string;
  readonly heartbeat_sec: number;
}

/** Every event; also the frame of the server's own answers (topic "control"). */
export interface Envelope<Payload = unknown> {
  /** ULID */
  readonly id: string;
  readonly topic: string;
  /** `noun.verb_past`; on topic "control": ServerAck, Subscribed, Unsubscribed, Reset, Error, Pong. */
  readonly type: string;
  /** RFC 3339 */
  readonly ts: string;
  /** Sequence in the EVENTS stream. */
  readonly sequence?: number;
  readonly payload: Payload;
}

/** Payload of `song.progress` on topics `songs` and `song.{id}`. */
export interface SongProgress {
  readonly song_id: string;
  readonly step: "download" | "analysis" | "lighting";
  /** 0..1 */
  readonly progress: number;
  readonly note: string;
}

// ---- /lights/playback/{id} --------------------------------------------------------------------

/**
 * First message on each socket below /lights/ that was opened without a token in its headers and without the cookie of a
 * page of Followspot itself: a page of another origin can send neither. Where the headers have said it, hello is passed over.
 */
export const stageHelloSchema = z.object({ type: z.literal("hello"), token: z.string().max(8192) });

/** Largest message either side may send. */
export const MAX_PLAYBACK_BYTES = 16_384;

/** What main-api and main-stage tell each other with every request: the shared secret, and whose socket it is. */
export const STAGE_HEADERS = {
  secret: "x-followspot-stage-secret",
  user: "x-followspot-user",
  /** Their name, percent-encoded. */
  name: "x-followspot-user-name",
} as const;

const seconds = z.number().min(0).max(86_400);
/** How fast song time passes for who leads; absent means as the clock does. Below zero it runs back. */
const rate = z.number().min(-4).max(4);

/** Client → stage. `position` is song time in seconds. */
export const playbackCommandSchema = z.discriminatedUnion("type", [
  stageHelloSchema,
  z.object({ type: z.literal("stop") }),
  /**
   * Asks for the lamps. `page` names the page that asks, the same over all its connections: a page whose
   * connection was lost gets its show back as it runs.
   */
  z.object({
    type: z.literal("prepare_playback"),
    take_over: z.boolean().optional(),
    page: z.string().min(1).max(64).optional(),
  }),
  z.object({ type: z.literal("play"), position: seconds.optional(), rate: rate.optional() }),
  z.object({ type: z.literal("pause"), position: seconds.optional() }),
  z.object({ type: z.literal("seek"), position: seconds }),
  /** Once a second while playing; sent_at is the client's own clock in ms, echoed back. */
  z.object({ type: z.literal("sync"), position: seconds, sent_at: z.number(), rate: rate.optional() }),
]);

/** Stands where a song's id stands on `/lights/playback/{id}`: the calibration on all outputs, or `calibration:OUTPUT` on one. */
const CALIBRATION = "calibration";

/** @param outputId undefined means all outputs */
export const calibrationOf = (outputId?: string): string => (outputId ? `${CALIBRATION}:${outputId}` : CALIBRATION);

/** The output a calibration is for: empty means all; undefined for the id of a song. */
export function calibratedOutput(songId: string): string | undefined {
  if (songId === CALIBRATION) return "";
  return songId.startsWith(`${CALIBRATION}:`) ? songId.slice(CALIBRATION.length + 1) : undefined;
}

export type StageMode = "idle" | "prepared" | "playing" | "paused";

/** Who has the lamps with a song: a person at a page, the show queue, or a person who calibrates. */
export interface LampsHolder {
  readonly kind: "song" | "queue" | "calibration";
  /** Of the person; empty for the queue and for a person without a name. */
  readonly name: string;
  /** The same person as at this socket, most often at another page. */
  readonly is_you: boolean;
}

/** Stage → client. */
export type PlaybackMessage =
  | {
      readonly type: "state";
      readonly mode: StageMode;
      readonly song_id: string;
      /** Stage song time in seconds. */
      readonly position: number;
      /** Whether this socket owns the lights. */
      readonly owner: boolean;
      /** Whether the plan this socket asked for is being loaded; absent from older stages. */
      readonly loading?: boolean;
      /** Those that are on and not down. */
      readonly outputs: number;
      readonly blackout: boolean;
      /** Left out while no song has the lamps, and by older stages. */
      readonly holder?: LampsHolder;
    }
  | {
      readonly type: "synced";
      readonly sent_at: number;
      /** Stage song time when the sync arrived. */
      readonly stage_position: number;
      /** Stage minus client, in ms, before correction. */
      readonly drift_ms: number;
    }
  /** code: `busy` (another owner; send prepare_playback with take_over), `no_plan`, `bad_message`, `not_owner`, `unauthenticated`. */
  | { readonly type: "error"; readonly code: string; readonly message: string };

// ---- /lights/desk -----------------------------------------------------------------------------

/** Largest state of the desk: every control of some hundred groups held. */
export const MAX_DESK_BYTES = 262_144;

/** Client → stage; what it means is in `desk.ts`. */
export const deskPressSchema = z.object({
  type: z.literal("press"),
  id: z.string().min(1).max(64),
  control: z.string().min(1).max(300),
  value: z.union([z.literal(true), z.number(), z.string().max(60), z.null()]),
  pressed_at: z.number().exactOptional(),
});

// ---- /lights/sound: `live-sound.ts` -----------------------------------------------------------
// ---- /lights/lamps: `sent-lamps.ts` -----------------------------------------------------------

export type EventsClientMessage = z.infer<typeof eventsClientMessageSchema>;
export type ClientHello = z.infer<typeof clientHelloSchema>;
export type PlaybackCommand = z.infer<typeof playbackCommandSchema>;
