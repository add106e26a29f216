import type { LampsHolder, PlaybackCommand, PlaybackMessage, Seconds } from "@followspot/contract";
import type { Connection } from "@followspot/contract/connection";
import { newKey } from "../../lib/new-key.ts";
import { openStageSocket } from "../../lib/stage-socket.ts";
import { visualizerStrings } from "../visualizer.strings.ts";

const text = visualizerStrings.stage;

/** State of the stage, as the header shows it. */
export type StageState =
  | { readonly kind: "offline" }
  /** Connected, without a request so far. */
  | { readonly kind: "ready"; readonly outputs: number }
  /** This console drives the fixtures. `driftMs` is stage minus console, undefined until measured. */
  | {
      readonly kind: "following";
      readonly driftMs: number | undefined;
      readonly blackout: boolean;
      /** Number of working outputs: enabled and not failed. Without one, no fixture receives the show. */
      readonly outputs: number;
    }
  /** Another holder controls the fixtures; `holder` is undefined if the stage does not report it. */
  | { readonly kind: "busy"; readonly holder: LampsHolder | undefined }
  | { readonly kind: "refused"; readonly message: string };

export interface StageLinkOptions {
  readonly url: string;
  /** Returns the current song time. */
  readonly position: () => Seconds;
  /** Returns the playback rate, song seconds per second. */
  readonly rate?: () => number;
  /**
   * Whether opening the link leaves a running show alone. Otherwise it stops what the same user left on the fixtures.
   */
  readonly keepsShow?: boolean;
  readonly onChange: (state: StageState) => void;
  readonly connect?: (url: string) => WebSocket;
  /** Returns ms of a monotonic clock. */
  readonly now?: () => number;
  /** ID of this page across reconnects, so that the stage recognizes it. */
  readonly page?: string;
}

const SYNC_MS = 1000;
/**
 * Number of round trips whose shortest is used. Half of it is the estimated latency of a position on its way to the
 * stage.
 */
const WAYS = 8;
/** Round trips longer than this are ignored. */
const LONGEST_WAY_MS = 500;

/**
 * Mirrors playback to the stage. Opened once, notified of play, pause and seek, closed with the page. The audio never
 * waits for the link: without a connection each call is stored or dropped, and none fails.
 */
export class StageLink {
  readonly #options: StageLinkOptions;
  readonly #now: () => number;
  readonly #page: string;
  #connection: Connection | undefined;
  #state: StageState = { kind: "offline" };
  #isPlaying = false;
  /**
   * Whether the fixtures were requested over this connection and the stage has neither refused nor revoked them since.
   */
  #isPrepared = false;
  /** Whether that request is unanswered; state messages until then describe the time before it. */
  #isAsked = false;
  /** Whether this page had the fixtures, or had requested them, when the previous connection was lost. */
  #hadLamps = false;
  #outputs = 0;
  #holder: LampsHolder | undefined;
  #waysMs: number[] = [];
  #syncTimer: ReturnType<typeof setInterval> | undefined;

  constructor(options: StageLinkOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#page = options.page ?? newKey();
  }

  get state(): StageState {
    return this.#state;
  }

  open(): void {
    if (this.#connection) return;
    const { url, connect, keepsShow } = this.#options;
    let isFirst = true;
    this.#connection = openStageSocket<PlaybackMessage>({
      url,
      connect,
      types: ["state", "synced", "error"],
      onOpen: () => {
        if (isFirst && !keepsShow) this.#send({ type: "stop" });
        isFirst = false;
        this.#change({ kind: "ready", outputs: this.#outputs });
        this.#resume();
      },
      onMessage: (message) => this.#receive(message),
      onLost: () => this.#connectionLost(),
    });
  }

  close(): void {
    this.#isPlaying = false;
    this.#isPrepared = false;
    this.#hadLamps = false;
    this.#stopSync();
    this.#connection?.close();
    this.#connection = undefined;
  }

  /** Stops the show of this page on the fixtures and closes the link. */
  end(): void {
    this.#send({ type: "stop" });
    this.close();
  }

  play(): void {
    this.#isPlaying = true;
    this.#startStage();
  }

  pause(): void {
    this.#isPlaying = false;
    this.#stopSync();
    this.#send({ type: "pause", position: this.#position() });
  }

  seek(position: Seconds): void {
    this.#send({ type: "seek", position });
  }

  /** Sends the position and playback rate immediately, ahead of the next interval. */
  sync(): void {
    if (this.#syncTimer) this.#sendSync();
  }

  /** Takes the fixtures from the console that has them. */
  takeOver(): void {
    this.#prepare(true);
    this.#change({ kind: "following", driftMs: undefined, blackout: false, outputs: this.#outputs });
    if (!this.#isPlaying) return;
    this.#sendPlay();
    this.#startSync();
  }

  /** Restores the state of this page after a connect: playing, or paused at the current position. */
  #resume(): void {
    if (this.#isPlaying) return this.#startStage();
    if (!this.#hadLamps) return;
    this.#prepare();
    this.#send({ type: "pause", position: this.#position() });
  }

  #startStage(): void {
    if (this.#state.kind === "offline") return;
    if (!this.#isPrepared) this.#prepare();
    this.#sendPlay();
    this.#startSync();
  }

  #prepare(takesOver = false): void {
    this.#isPrepared = true;
    this.#isAsked = true;
    this.#send({ type: "prepare_playback", page: this.#page, ...(takesOver && { take_over: true }) });
  }

  #startSync(): void {
    this.#stopSync();
    this.#syncTimer = setInterval(() => this.#sendSync(), SYNC_MS);
  }

  #stopSync(): void {
    clearInterval(this.#syncTimer);
    this.#syncTimer = undefined;
  }

  #receive(message: PlaybackMessage): void {
    switch (message.type) {
      case "state":
        this.#outputs = message.outputs;
        this.#holder = message.holder;
        if (message.owner || message.loading) this.#isAsked = false;
        if (message.owner && message.mode !== "idle") {
          if (this.#state.kind === "busy") this.#regain();
          const driftMs = this.#state.kind === "following" ? this.#state.driftMs : undefined;
          return this.#change({ kind: "following", driftMs, blackout: message.blackout, outputs: message.outputs });
        }
        // The current show stays on the fixtures while the show of this page loads.
        if (message.loading || this.#isAsked) return;
        // Another page's show is on the fixtures. An idle stage, by contrast, can be taken.
        if (message.mode !== "idle") return this.#state.kind === "refused" ? undefined : this.#lose();
        // The stage is free again: the other console has stopped, or the stage has restarted and lost this page's
        // request.
        if (!message.owner && (this.#state.kind === "busy" || this.#state.kind === "following")) {
          this.#isPrepared = false;
          this.#stopSync();
          this.#change({ kind: "ready", outputs: message.outputs });
          if (this.#isPlaying) this.#startStage();
        }
        return;
      case "synced": {
        this.#learnWay(this.#now() - message.sent_at);
        const blackout = this.#state.kind === "following" && this.#state.blackout;
        return this.#change({ kind: "following", driftMs: message.drift_ms, blackout, outputs: this.#outputs });
      }
      case "error":
        // The stop sent on opening is refused while another page plays; the state message reports that.
        if (message.code === "not_owner") return;
        this.#isAsked = false;
        if (message.code === "busy") return this.#lose();
        // A seek before the first play. Play then starts at the position of the seek.
        if (message.code === "no_plan" && !this.#isPrepared) return;
        this.#isPrepared = false;
        this.#stopSync();
        return this.#change({ kind: "refused", message: message.message });
      default:
        message satisfies never;
    }
  }

  #lose(): void {
    this.#isPrepared = false;
    this.#hadLamps = false;
    this.#stopSync();
    this.#change({ kind: "busy", holder: this.#holder });
  }

  /** Resumes after another holder borrowed the fixtures and returned them with the show unchanged. */
  #regain(): void {
    this.#isPrepared = true;
    if (this.#isPlaying) this.#startStage();
    else this.#send({ type: "pause", position: this.#position() });
  }

  #connectionLost(): void {
    this.#waysMs = [];
    this.#hadLamps = this.#isPrepared || this.#hadLamps;
    this.#isPrepared = false;
    this.#isAsked = false;
    this.#stopSync();
    this.#change({ kind: "offline" });
  }

  #change(state: StageState): void {
    this.#state = state;
    this.#options.onChange(state);
  }

  #position(): Seconds {
    return Math.max(0, this.#options.position());
  }

  /** Returns the song position at the time the message arrives at the stage. */
  #arrival(): Seconds {
    const wayMs = this.#waysMs.length > 0 ? Math.min(...this.#waysMs) / 2 : 0;
    return Math.max(0, this.#options.position() + (wayMs / 1000) * (this.#options.rate?.() ?? 1));
  }

  #learnWay(ms: number): void {
    if (ms < 0 || ms > LONGEST_WAY_MS) return;
    this.#waysMs = [...this.#waysMs, ms].slice(-WAYS);
  }

  #sendPlay(): void {
    this.#send({ type: "play", position: this.#arrival(), ...this.#pace() });
  }

  #sendSync(): void {
    this.#send({ type: "sync", position: this.#arrival(), sent_at: this.#now(), ...this.#pace() });
  }

  /** Includes the rate only if it is not 1. */
  #pace(): { readonly rate?: number } {
    const rate = this.#options.rate?.();
    return rate === undefined || rate === 1 ? {} : { rate };
  }

  #send(command: PlaybackCommand): void {
    this.#connection?.send(JSON.stringify(command));
  }
}

/** Describes the holder of the fixtures. */
function busyText(holder: LampsHolder | undefined): string {
  if (!holder) return text.busy;
  if (holder.is_you) return text.yours;
  return text.has[holder.kind](holder.name || text.unnamed);
}

/** Returns the text of a state for the header. */
export function stageText(state: StageState): string {
  switch (state.kind) {
    case "offline":
      return text.offline;
    case "ready":
      return text.ready;
    case "busy":
      return busyText(state.holder);
    case "refused":
      return text.refused(state.message);
    case "following": {
      if (state.blackout) return text.blackout;
      if (state.outputs === 0) return text.noOutput;
      if (state.driftMs === undefined) return text.inSync;
      const ms = Math.round(state.driftMs);
      const sign = ms < 0 ? "−" : ms > 0 ? "+" : "";
      return `${Math.abs(ms) > 100 ? text.catchingUp : text.inSync} · ${sign}${Math.abs(ms)} ms`;
    }
  }
}
