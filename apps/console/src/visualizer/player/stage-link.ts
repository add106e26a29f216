import type { LampsHolder, PlaybackCommand, PlaybackMessage, Seconds } from "@followspot/contract";
import type { Connection } from "@followspot/contract/connection";
import { newKey } from "../../lib/new-key.ts";
import { openStageSocket } from "../../lib/stage-socket.ts";
import { visualizerStrings } from "../visualizer.strings.ts";

const text = visualizerStrings.stage;

/** What the header says about the lamps. */
export type StageState =
  | { readonly kind: "offline" }
  /** Connected, nothing asked of it yet. */
  | { readonly kind: "ready"; readonly outputs: number }
  /** This console drives the lamps. `driftMs` is stage minus console, undefined until measured. */
  | {
      readonly kind: "following";
      readonly driftMs: number | undefined;
      readonly blackout: boolean;
      /** Outputs that are on and not down; without one no lamp hears of it. */
      readonly outputs: number;
    }
  /** Another holder has the lamps; who, where the stage says so. */
  | { readonly kind: "busy"; readonly holder: LampsHolder | undefined }
  | { readonly kind: "refused"; readonly message: string };

export interface StageLinkOptions {
  readonly url: string;
  /** Song time now. */
  readonly position: () => Seconds;
  /** Song seconds in a second. */
  readonly rate?: () => number;
  /** Opening it ends nothing; otherwise it ends what the same person has left on the lamps. */
  readonly keepsShow?: boolean;
  readonly onChange: (state: StageState) => void;
  readonly connect?: (url: string) => WebSocket;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
  /** Names this page over all its connections, so that the stage knows it again. */
  readonly page?: string;
}

const SYNC_MS = 1000;
/** A position is as old as its way to the stage was long: half of the shortest of so many ways there and back. */
const WAYS = 8;
/** A longer way there and back says nothing of the way there. */
const LONGEST_WAY_MS = 500;

/**
 * Mirrors playback to the stage. Opened once, told of play, pause and seek, closed with the page.
 * The sound never waits for it: without a connection every call is remembered or dropped, none fails.
 */
export class StageLink {
  readonly #options: StageLinkOptions;
  readonly #now: () => number;
  readonly #page: string;
  #connection: Connection | undefined;
  #state: StageState = { kind: "offline" };
  #isPlaying = false;
  /** The stage was asked for the lamps over this connection, and has not refused or taken them since. */
  #isPrepared = false;
  /** It has not answered yet: what it says meanwhile is about the time before. */
  #isAsked = false;
  /** It had them, or was asked for them, when the connection before was lost. */
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

  /** Ends what this page has on the lamps, and closes. */
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

  /** Tells where the song is and how fast it goes, before it is time to. */
  sync(): void {
    if (this.#syncTimer) this.#sendSync();
  }

  /** Take the lamps from the console that has them. */
  takeOver(): void {
    this.#prepare(true);
    this.#change({ kind: "following", driftMs: undefined, blackout: false, outputs: this.#outputs });
    if (!this.#isPlaying) return;
    this.#sendPlay();
    this.#startSync();
  }

  /** A new connection is open: this page gets back what it had, as it runs. */
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
        // What is on the lamps stays there while the show of this page loads.
        if (message.loading || this.#isAsked) return;
        // A show of another page on the lamps; an idle stage is free to be taken.
        if (message.mode !== "idle") return this.#state.kind === "refused" ? undefined : this.#lose();
        // Free again: the other console has stopped, or the stage has started anew and forgotten us.
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
        // The stop sent on opening is refused while another page plays; its state message says so.
        if (message.code === "not_owner") return;
        this.#isAsked = false;
        if (message.code === "busy") return this.#lose();
        // A seek before the first play; what is played starts at the place that was sought.
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

  /** The lights were lent and are back, with the show as it was. */
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

  /** Where the song will be when the stage hears of it. */
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

  /** Said only where it is not one. */
  #pace(): { readonly rate?: number } {
    const rate = this.#options.rate?.();
    return rate === undefined || rate === 1 ? {} : { rate };
  }

  #send(command: PlaybackCommand): void {
    this.#connection?.send(JSON.stringify(command));
  }
}

/** Who has the lamps. */
function busyText(holder: LampsHolder | undefined): string {
  if (!holder) return text.busy;
  if (holder.is_you) return text.yours;
  return text.has[holder.kind](holder.name || text.unnamed);
}

/** The header's words for it. */
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
