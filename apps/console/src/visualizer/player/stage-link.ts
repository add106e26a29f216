import type { PlaybackCommand, PlaybackMessage, Seconds } from "@followspot/contract";
import { CLOSE } from "@followspot/contract";
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
  | { readonly kind: "busy" }
  | { readonly kind: "refused"; readonly message: string };

export interface StageLinkOptions {
  readonly url: string;
  /** Song time now. */
  readonly position: () => Seconds;
  /** Song seconds in a second, where they are not one. */
  readonly rate?: () => number;
  /** What is on the lamps stays there until this plays; otherwise whoever opens it ends a show that nobody has. */
  readonly keepsShow?: boolean;
  readonly onChange: (state: StageState) => void;
  readonly connect?: (url: string) => WebSocket;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

const SYNC_MS = 1000;
const RECONNECT_MS = 5000;
/** A position is as old as its way to the stage was long: half of the shortest of so many ways there and back. */
const WAYS = 8;
/** A longer way there and back says nothing of the way there. */
const LONGEST_WAY_MS = 500;
const FINAL_CLOSES: readonly number[] = [CLOSE.unauthenticated, CLOSE.forbidden];

/**
 * Mirrors playback to the stage. Opened once, told of play, pause and seek, closed with the page.
 * The sound never waits for it: without a connection every call is remembered or dropped, none fails.
 */
export class StageLink {
  readonly #options: StageLinkOptions;
  readonly #now: () => number;
  #socket: WebSocket | undefined;
  #state: StageState = { kind: "offline" };
  #isPlaying = false;
  #isPrepared = false;
  #isClosed = true;
  #outputs = 0;
  #waysMs: number[] = [];
  #syncTimer: ReturnType<typeof setInterval> | undefined;
  #reconnectTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: StageLinkOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  get state(): StageState {
    return this.#state;
  }

  open(): void {
    this.#isClosed = false;
    if (this.#socket) return;
    clearTimeout(this.#reconnectTimer);
    const socket = this.#options.connect?.(this.#options.url) ?? new WebSocket(this.#options.url);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      if (socket !== this.#socket) return;
      if (!this.#options.keepsShow) this.#send({ type: "stop" });
      this.#change({ kind: "ready", outputs: this.#outputs });
      if (this.#isPlaying) this.#startStage();
    });
    socket.addEventListener("message", (event: MessageEvent) => {
      if (socket === this.#socket) this.#receive(event.data);
    });
    socket.addEventListener("close", (event: CloseEvent) => {
      if (socket === this.#socket) this.#clear(event.code);
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#isPlaying = false;
    clearTimeout(this.#reconnectTimer);
    this.#stopSync();
    const socket = this.#socket;
    this.#socket = undefined;
    this.#isPrepared = false;
    socket?.close();
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
    this.#isPrepared = true;
    this.#send({ type: "prepare_playback", take_over: true });
    this.#change({ kind: "following", driftMs: undefined, blackout: false, outputs: this.#outputs });
    if (!this.#isPlaying) return;
    this.#sendPlay();
    this.#startSync();
  }

  #startStage(): void {
    if (!this.#isOpen()) return;
    if (!this.#isPrepared) {
      this.#send({ type: "prepare_playback" });
      this.#isPrepared = true;
    }
    this.#sendPlay();
    this.#startSync();
  }

  #startSync(): void {
    this.#stopSync();
    this.#syncTimer = setInterval(() => this.#sendSync(), SYNC_MS);
  }

  #stopSync(): void {
    clearInterval(this.#syncTimer);
    this.#syncTimer = undefined;
  }

  #receive(text: unknown): void {
    const message = readMessage(text);
    if (!message) return;
    switch (message.type) {
      case "state":
        this.#outputs = message.outputs;
        if (message.owner && message.mode !== "idle") {
          if (this.#state.kind === "busy") this.#regain();
          const driftMs = this.#state.kind === "following" ? this.#state.driftMs : undefined;
          return this.#change({ kind: "following", driftMs, blackout: message.blackout, outputs: message.outputs });
        }
        // Somebody else's show on the lamps; an idle stage is free to be taken.
        if (message.mode !== "idle") return this.#lose();
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
        if (message.code === "busy") return this.#lose();
        // The stop sent on opening is refused while another console plays; its state message says so.
        if (message.code === "not_owner") return;
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
    this.#stopSync();
    this.#change({ kind: "busy" });
  }

  /** The lights were lent and are back, with the show as it was. */
  #regain(): void {
    this.#isPrepared = true;
    if (this.#isPlaying) this.#startStage();
    else this.#send({ type: "pause", position: this.#position() });
  }

  #clear(code: number): void {
    this.#socket = undefined;
    this.#waysMs = [];
    this.#isPrepared = false;
    this.#stopSync();
    this.#change({ kind: "offline" });
    if (this.#isClosed || FINAL_CLOSES.includes(code)) return;
    this.#reconnectTimer = setTimeout(() => this.open(), RECONNECT_MS);
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

  #isOpen(): boolean {
    return this.#socket?.readyState === 1;
  }

  #send(command: PlaybackCommand): void {
    if (this.#isOpen()) this.#socket?.send(JSON.stringify(command));
  }
}

/** The stage is ours, so a message is trusted to be one of its kinds once it is JSON with a type. */
function readMessage(text: unknown): PlaybackMessage | undefined {
  try {
    const message: unknown = JSON.parse(String(text));
    const type = typeof message === "object" && message !== null && "type" in message ? message.type : undefined;
    return type === "state" || type === "synced" || type === "error" ? (message as PlaybackMessage) : undefined;
  } catch {
    return undefined; // not a message of the stage; nothing depends on it
  }
}

/** The header's words for it. */
export function stageText(state: StageState): string {
  switch (state.kind) {
    case "offline":
      return text.offline;
    case "ready":
      return text.ready;
    case "busy":
      return text.busy;
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
