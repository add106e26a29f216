import { z } from "zod";
import { boundedList } from "./bounded-list.ts";

/**
 * What the box at a venue says to its office over HTTP, with the token of that venue. A standby says the same to the machine it
 * stands by for.
 */
export const VENUE_PATHS = {
  hello: "/api/venue/hello",
  /** A mark for each table of tonight. */
  marks: "/api/venue/marks",
  tonight: "/api/venue/tonight",
  /** Files of tonight's songs; song and name stand behind it. */
  files: "/api/venue/files",
  settle: "/api/venue/settle",
  rig: "/api/venue/rig",
  /** Four times a second, from a standby: who drives the lamps, and what plays. */
  now: "/api/venue/now",
} as const;

export const VENUE_HEADERS = {
  /** Tells two processes with one token apart: made up at each start. */
  instance: "x-followspot-box",
  /** SHA-256 of a whole file, in hex. */
  sha256: "x-followspot-sha256",
} as const;

/** A box says that it is there so often, and hears whether tonight is another. */
export const VENUE_HELLO_MS = 5000;
/** Most things that happened which one request tells. */
export const MOST_SETTLED = 200;

const id = z.string().min(1).max(64);
const time = z.iso.datetime({ offset: true });
const count = z.number().int().min(0).max(1e12);

/** What is at a box whole, and what waits there. */
export const boxHoldsSchema = z.object({
  /** Title of the event. */
  event: z.string().max(300),
  /** Empty without one, and from a server of an earlier version. */
  event_id: z.string().max(100).default(""),
  songs: count,
  /** Songs of tonight's playlists, those without sound included. */
  songs_of: count,
  people: count,
  bytes: count,
  /** When all of it was there; "" while it is not. */
  whole_at: time.or(z.literal("")),
  /** Things that happened at the venue and were not told yet. */
  waiting: count,
  /** Why tonight cannot be fetched; "" where it can. */
  says: z.string().max(1000),
});
export type BoxHolds = z.infer<typeof boxHoldsSchema>;

export const boxHelloSchema = z.object({
  /** The first one of a process: from now on no other process has its token. */
  is_start: z.boolean(),
  version: z.string().max(60),
  /** Last change of its database, such as "074-venues". */
  migration: z.string().max(80),
  holds: boxHoldsSchema,
});
export type BoxHello = z.infer<typeof boxHelloSchema>;

export const boxWelcomeSchema = z.object({
  /** What the office's community and this venue are called. */
  office: z.string(),
  venue: z.string(),
  version: z.string(),
  /** What the office's clock shows. */
  time,
  /** Why this box is given nothing now; "" where it is. */
  says: z.string(),
  /** Stands for everything of tonight: another tonight has another mark. "" where no event is chosen. */
  mark: z.string(),
  /** Whether the office keeps lamps and outputs of this venue. */
  has_rig: z.boolean(),
  /** This box stands by for the machine that answers. */
  is_standby: z.boolean(),
});
export type BoxWelcome = z.infer<typeof boxWelcomeSchema>;

/** By table: what stands for all its rows. */
export const tableMarksSchema = z.record(z.string().max(40), z.string().max(64));
export type TableMarks = z.infer<typeof tableMarksSchema>;

/** What a box holds already. */
export const askTonightSchema = z.object({
  /** Tables of which it holds all rows, with the marks that it was told. */
  same: tableMarksSchema,
  /** Of all others, by table and key: the mark of each row. */
  held: z.record(z.string().max(40), z.record(z.string().max(200), z.string().max(64))),
});
export type AskTonight = z.infer<typeof askTonightSchema>;

export const tonightSchema = z.object({
  /** "" where a table that was the same has changed since its mark was told: the box asks once more. */
  mark: z.string(),
  event: z.object({ id, title: z.string() }),
  /** In the order in which rows are written. */
  tables: z.array(
    z.object({
      name: z.string(),
      /** A JSON array, kept as text: its numbers may be too large for JavaScript. */
      rows: z.string(),
      /** Keys and marks of these rows. */
      marks: z.record(z.string(), z.string()),
      /** Keys that the box holds and tonight has no more. */
      gone: z.array(z.string()),
    }),
  ),
  files: z.array(
    z.object({
      song_id: z.string().regex(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      name: z.string().regex(/^[a-z0-9]+(\.[a-z0-9]+){1,2}$/),
      bytes: count,
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
  songs_of: count,
});
export type Tonight = z.infer<typeof tonightSchema>;

/** One thing that happened at a venue. Its item is counted once, however often it is told. */
export const happenedSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("check_in"),
    item: z.string().max(200),
    id,
    event_id: id,
    user_id: id,
    checked_in_at: time,
    checked_in_by: id.nullable(),
    admitted: z.enum(["", "not_registered", "waiting", "full", "early", "late"]),
    door: z.string().max(200),
  }),
  z.object({ kind: z.literal("undone"), item: z.string().max(200), event_id: id, user_id: id }),
  z.object({
    kind: z.literal("play"),
    item: z.string().max(200),
    id,
    song_id: id,
    title: z.string().max(1000),
    artist: z.string().max(1000),
    seconds: z.number().min(0).max(1e6),
    started_at: time,
    ended_at: time,
    heard_seconds: z.number().min(0).max(1e6),
    playlist: z.string().max(1000),
    event_id: id.nullable(),
    asked_by: id.nullable(),
  }),
]);
export type Happened = z.infer<typeof happenedSchema>;

export const settleSchema = z.object({
  happened: boundedList(happenedSchema, MOST_SETTLED).refine((happened) => happened.length > 0),
});

export const settledSchema = z.object({
  results: z.array(
    z.object({
      item: z.string(),
      /** `known`: it was counted before. */
      state: z.enum(["counted", "known", "refused"]),
      /** Why it is refused. */
      says: z.string(),
    }),
  ),
});
export type Settled = z.infer<typeof settledSchema>;

/** Lamps and outputs of a venue, table by table, each a JSON array as text. */
export const rigCopySchema = z.object({
  tables: boundedList(z.object({ name: z.string().max(40), rows: z.string().max(40_000_000) }), 10),
});
export type RigCopy = z.infer<typeof rigCopySchema>;

/** A standby asks so often what plays. */
export const STANDBY_ASKS_MS = 250;

/** The show queue as the other machine of a standby pair takes it over. Ids that it does not know are left out there. */
export const queueCopySchema = z.object({
  mode: z.enum(["stopped", "playing", "paused"]),
  playlist_id: id.nullable(),
  song_id: id.nullable(),
  /** Song second at the moment of the answer, below 0 in the gap before the song; null while nothing plays. */
  position: z.number().min(-1e6).max(1e6).nullable(),
  /** How long the song is. */
  seconds: z.number().min(0).max(1e6).nullable(),
  laid_out: id.nullable(),
  repeats: z.boolean(),
  gap_seconds: z.number().min(-12).max(600),
  fade_seconds: z.number().min(0).max(20),
  walk_in_db: z.number().nullable(),
  /** Effect of the current talk on the music, and its stage screen. An earlier version leaves both out. */
  for_talk: z.enum(["paused", "quiet"]).nullable().default(null),
  talk_screen: id.nullable().default(null),
  note: z.string().max(1000),
  turn: count,
  run: count,
  /** The record of this playing of the song, and how much of it was heard, seconds; null while nothing plays. */
  play: z.object({ id, heard_seconds: z.number().min(0).max(1e6) }).nullable(),
  /** Songs of the playlist that have played in this run; null where the asker said that it is in the same turn. */
  played: z.array(id).max(100_000).nullable(),
});
export type QueueCopy = z.infer<typeof queueCopySchema>;

export const standbyAskSchema = z.object({
  /** `asks` after its start, before it knows whether it still leads. */
  part: z.enum(["asks", "follows", "leads"]),
  /**
   * Ms since the lamps of the first machine were last known to be driven by it, where the standby took over for that reason;
   * null where a person told it to.
   */
  silent_ms: z.number().min(0).max(1e12).nullable(),
  /** Turn of its own queue. */
  turn: count,
  /** What plays, from a standby that leads. */
  queue: queueCopySchema.nullable(),
});
export type StandbyAsk = z.infer<typeof standbyAskSchema>;

export const firstNowSchema = z.object({
  /** The standby drives the lamps. */
  yields: z.boolean(),
  /** How long the stage of the first machine has been up, ms; 0 while it does not answer. */
  stage_up_ms: z.number().min(0),
  blackout: z.boolean(),
  /** Another number: lamps or outputs have changed. */
  rig: z.number(),
  queue: queueCopySchema,
});
export type FirstNow = z.infer<typeof firstNowSchema>;
