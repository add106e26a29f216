import type { GroupType, ShowWishes } from "./lighting-plan.ts";
import type { SectionLabel } from "./song-analysis.ts";
import type { SongCorrections } from "./song-corrections.ts";

/** The three steps of the pipeline that run as jobs, in order. */
export const SONG_STEPS = ["download", "analysis", "lighting"] as const;
export type SongStep = (typeof SONG_STEPS)[number];

/**
 * What a job does. Stems are written after the pipeline, when no song waits: encoding them costs more
 * than everything else, and no show needs them.
 */
export type JobStep = SongStep | "stems";

/** How the reason of a song begins whose file is missing on the server: an upload is helped by the file alone, not by a retry. */
export const FILE_IS_MISSING = "This song's file is missing on the server.";

/** Whether a song waits for a file that only a person has: it was uploaded, and the server has it no more. */
export const needsItsFile = ({ url, errorMessage }: { readonly url: string; readonly errorMessage: string }): boolean =>
  url === "" && errorMessage.startsWith(FILE_IS_MISSING);

export type StepStatus = "pending" | "processing" | "ready" | "error";

/** JetStream names (RELIABILITY: PostgreSQL is the truth, these are the doorbell). */
export const STREAMS = {
  songs: { name: "SONGS", subjects: ["songs.*"] },
  stems: { name: "STEMS", subjects: ["stems"] },
  responses: { name: "RESPONSE_QUEUE", subjects: ["responses.>"] },
  failures: { name: "FAILURES", subjects: ["failures.songs.>"] },
  events: { name: "EVENTS", subjects: ["events.>"] },
} as const;

export const subjects = {
  job: (step: JobStep) => (step === "stems" ? "stems" : `songs.${step}`),
  /** Request/reply: a worker asks to start a job; the API counts the attempt and leases it. */
  claim: "rpc.songs.claim",
  /** Request/reply: a worker keeps its lease and reports progress. */
  heartbeat: "rpc.songs.heartbeat",
  /** Request/reply: the API asks any one worker to look something up on the video site. */
  videos: "rpc.videos",
  response: (step: JobStep) => `responses.songs.${step}`,
  failure: (step: JobStep) => `failures.songs.${step}`,
  /** What happened, as `noun.verb_past`: the message names the topics it is told on. */
  event: (type: string) => `events.${type}`,
  /** Envelopes for those who listen right now, on no stream: they are kept nowhere. */
  passing: "passing",
} as const;

/** On `songs.{step}` and `stems`: only an id. Everything else is read when the job is claimed. */
export interface JobMessage {
  readonly job_id: string;
}

export interface ClaimRequest {
  readonly job_id: string;
  readonly worker: string;
}

/** The grant a worker works under, or why there is nothing to do. */
export type ClaimReply =
  | { readonly kind: "granted"; readonly job: GrantedJob }
  | { readonly kind: "skipped"; readonly reason: string }
  /** Another worker holds the lease; ask again later. */
  | { readonly kind: "busy"; readonly retry_after_ms: number };

export interface GrantedJob {
  readonly job_id: string;
  readonly song_id: string;
  readonly step: JobStep;
  readonly attempt: number;
  readonly lease_token: string;
  readonly lease_seconds: number;
  /** Id of the job that this work on the song began with, by which its trace is known; earlier servers do not say. */
  readonly first_job_id?: string;
  /** Canonical link of the song; "" for an uploaded file. */
  readonly url: string;
  readonly title: string;
  /** Seconds; 0 or absent while it is not known. */
  readonly duration?: number;
  /** Groups a plan may address and the palette it starts from (lighting only). */
  readonly plan: PlanInputs | null;
}

export interface PlanInputs {
  readonly groups: readonly { readonly id: string; readonly type: GroupType }[];
  /** What people want of the show. */
  readonly wishes: ShowWishes;
  /** What a person corrected in the analysis; null without corrections. */
  readonly corrections: SongCorrections | null;
  /** Colours a person chose, #rrggbb: base, second, contrast. Absent or empty: the planner's own. */
  readonly palette?: readonly string[];
  /** The playlist the song stands in while it plays; absent when it does not. */
  readonly evening?: {
    /** What comes before it, the last first: colours #rrggbb, base first, and how they lie to each other. */
    readonly before: readonly { readonly palette: readonly string[]; readonly scheme?: string }[];
    /** Share of the playlist's time before it, 0..1. */
    readonly progress: number;
    /** The same for every song of one playing. */
    readonly seed: number;
  };
  /** The plan is written to `lighting.<number>.json`; no other grant has this number. */
  readonly number: number;
  /** Numbers of plans that are kept; files of earlier ones that are not among them may go. */
  readonly kept_numbers: readonly number[];
}

export interface HeartbeatRequest {
  readonly job_id: string;
  readonly lease_token: string;
  /** 0..1 */
  readonly progress: number;
  readonly note: string;
}

/** `lost`: another worker has the lease, or the song was deleted; stop and throw the work away. */
export type HeartbeatReply = { readonly kind: "kept" } | { readonly kind: "lost" };

/** What a finished step tells about the song besides the files it left. */
export interface StepResult {
  /** After a download: what the site or the file's own tags say; "" when they say nothing. */
  readonly title?: string;
  readonly artist?: string;
  /** After a download: `cover.webp` and `cover-small.webp` lie in the song's folder. */
  readonly has_cover?: boolean;
  readonly duration?: number;
  readonly tempo?: number;
  readonly key?: string;
  /** After an analysis: write stems too, after the pipeline. */
  readonly wants_stems?: boolean;
  readonly palette?: readonly string[];
  readonly warnings?: readonly string[];
  /** After a plan: what is kept of it beside its file. */
  readonly plan?: MadePlan;
  /** After a plan: the song at a glance, with the sections it was planned on. */
  readonly outline?: SongOutline;
}

/** A song at a glance, for a list: as JSON in the database and on the broker. */
export interface SongOutline {
  /** How loud each of {@link OUTLINE_LEVELS} equal parts of the song is: a byte each, the loudest 255, as base64. */
  readonly levels: string;
  readonly parts: readonly OutlinePart[];
}

export interface OutlinePart {
  readonly label: SectionLabel;
  /** Share of the song at which it ends, 0..1. */
  readonly until: number;
}

export const OUTLINE_LEVELS = 100;

export interface MadePlan {
  readonly seed: number;
  /** How its hues lie to each other; "" when the planner does not say. */
  readonly scheme: string;
  /** The first thing its judge says: "Form readable 0.71"; "" when it says nothing. */
  readonly remark: string;
  /** Whether it was planned as one of the playlist that plays. */
  readonly in_evening: boolean;
}

/** What a step waits for: room on the server's disk, or a site that asks us to slow down. */
export type JobWait = { readonly kind: "room"; readonly bytes: number } | { readonly kind: "site" };

/** On `responses.songs.{step}`; applied by compare-and-set on the lease token. */
export interface JobOutcome {
  readonly job_id: string;
  readonly lease_token: string;
  readonly outcome:
    | { readonly kind: "done"; readonly result: StepResult }
    /** The worker shuts down: the step goes back to the queue and the attempt does not count. */
    | { readonly kind: "released" }
    /** The step goes on by itself later; `reason` is said where it does not. */
    | { readonly kind: "waits"; readonly reason: string; readonly wait: JobWait }
    /** `retry`: the same step may succeed later (network); otherwise it ends in error. */
    | { readonly kind: "failed"; readonly reason: string; readonly retry: boolean };
}
