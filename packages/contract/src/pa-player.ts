import { z } from "zod";

/** Where a player's page and its socket are; the key of the link stands behind the stroke of the page's address. */
export const PLAYER_PATHS = { page: "/player", socket: "/ws/player", songs: "/api/player/songs" } as const;
/** Carries the key of the link with a request for a song. */
export const PLAYER_KEY_HEADER = "x-followspot-player-key";
/** A player says something at least so often, and the server answers; a player or server that is silent for longer than the second is away. */
export const PLAYER_BEAT_MS = 1000;
export const PLAYER_SILENCE_MS = 3500;

/** A song as a player needs it. */
export interface PlayerSong {
  readonly id: string;
  readonly title: string;
  readonly artist: string;
  /** Address of its picture; "" for none. */
  readonly cover: string;
  /** Length of its sound in seconds. */
  readonly seconds: number;
  /** dB by which it is made louder or quieter, so that all songs are as loud as each other. */
  readonly gain: number;
}

/** What plays. Times are of the server's steady clock, ms (see `PlayerMessage`). */
export interface PlayerQueue {
  readonly revision: number;
  /** Counts songs that were begun. */
  readonly turn: number;
  readonly mode: "stopped" | "playing" | "paused";
  /** undefined while nothing plays. */
  readonly song: PlayerSong | undefined;
  /** When song second 0 is heard; while it is paused, when it would have been. */
  readonly starts_at: number;
  /** Seconds of the song, while it is paused. */
  readonly paused_at: number;
  /** What comes next, the first first; votes may change it until a player has laid it out. */
  readonly next: readonly PlayerSong[];
  /** Seconds between two songs; below 0 both are heard for so long. */
  readonly gap_seconds: number;
  /** dB by which its songs are softer than their gain says, 0 or below: walk-in music. */
  readonly level_db: number;
  /** Reduction of the whole output during a talk, dB; 0 or below. The player fades to it. */
  readonly duck_db: number;
  /** What sounds goes within so many seconds when a person ends it or starts something else; 0 for at once. */
  readonly fade_away_seconds: number;
}

export interface PlayerSettings {
  /** 0..1 */
  readonly volume: number;
  readonly is_muted: boolean;
}

/**
 * Server → player. `server_ms` is a clock of the server that only runs forward; that of another server, or of one that was started
 * again, is another, and counts from its first `state` on.
 */
export type PlayerMessage =
  | {
      readonly type: "state";
      readonly server_ms: number;
      /** Whether this page is the one that is heard. */
      readonly is_heard: boolean;
      /** Name of the player that is heard; "" while none is. */
      readonly heard_name: string;
      readonly queue: PlayerQueue;
      readonly settings: PlayerSettings;
    }
  /** Answers a beat; `sent_at` is the player's own clock, as it was said. */
  | { readonly type: "beat"; readonly sent_at: number; readonly server_ms: number }
  /** The link was withdrawn. */
  | { readonly type: "withdrawn" };

const id = z.string().min(1).max(100);
const ms = z.number().min(0).max(1e15);
const position = z.number().min(0).max(86_400);

/**
 * What a player hears itself play: song second at a moment of the server's clock, and the revision of the queue it plays by. What
 * was heard before a person moved the song says nothing of where it is now.
 */
const heardSchema = z.object({ song_id: id, position, at: ms, revision: z.number().int() });

/** Player → server. */
export const playerCommandSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("hello"),
    key: z.string().max(100),
    /** Names the page, the same over all its connections: its machine, a full stop, and which page of it. */
    page: z.string().min(1).max(64),
    /** What a person calls this player. */
    name: z.string().max(60),
    /** Becomes the player that is heard, in place of another. */
    take_over: z.boolean().optional(),
    /** It has played on by itself while the connection was lost. */
    playing: z.object({ song_id: id, position }).optional(),
  }),
  z.object({
    type: z.literal("beat"),
    sent_at: z.number(),
    is_allowed: z.boolean(),
    loaded_ahead: z.number().int().min(0).max(10),
    /** A song it cannot play, and why; "" otherwise. */
    problem: z.string().max(300),
    /** How late its sound is heard was measured or set there; left out by players that cannot say. */
    is_delay_set: z.boolean().optional(),
    /** How loud left and right were at most since the last beat, dB below full scale; left out by players that cannot say. */
    levels_db: z.array(z.number().min(-100).max(0)).length(2).optional(),
    heard: heardSchema.optional(),
  }),
  /** This song is laid out to begin when the present one is over. */
  z.object({ type: z.literal("laid_out"), turn: z.number().int(), song_id: id }),
]);
export type PlayerCommand = z.infer<typeof playerCommandSchema>;
export type PlayerHeard = z.infer<typeof heardSchema>;
