import type { PlaybackCommand, PlaybackMessage, StageMode } from "@followspot/contract";
import { ShowClock } from "./show-clock.ts";

/** After the owner is gone: play on this long, then stand, strobes off, and fade to the house look. */
export const ORPHAN_HOLD_MS = 10_000;
export const ORPHAN_FADE_MS = 5_000;

/** What the renderer should draw at one moment. */
export type Scene =
  | { readonly kind: "silent" }
  | {
      readonly kind: "show";
      readonly position: number;
      /** Strobe lamps stay dark while nothing moves on. */
      readonly allowsStrobe: boolean;
      /** 0 = the show, 1 = the house look. */
      readonly houseMix: number;
      /** The house look comes of an accident, not of a pause between songs. */
      readonly isSafe?: boolean;
      readonly master: number;
    };

/** What a command asks of the stage around the state machine. */
export type Request =
  | { readonly kind: "none" }
  /** Fetch the plan, then call {@link Playback.prepared} or {@link Playback.failed} with the ticket. */
  | { readonly kind: "load"; readonly songId: string; readonly ticket: number };

type OwnerCommand = Exclude<PlaybackCommand, { type: "hello" | "prepare_playback" }>;

type Answer = { readonly reply: PlaybackMessage | undefined; readonly request: Request; readonly changed: boolean };

/**
 * One show, one owner. Commands come from sockets, time is an argument, drawing is somebody else's work.
 */
export class Playback {
  readonly clock = new ShowClock();
  #mode: StageMode = "idle";
  #songId = "";
  #owner: string | undefined;
  #orphanedMs: number | undefined;
  /** Every wish for a plan has its number; only the answer to the last one counts. */
  #lastTicket = 0;
  #awaited: number | undefined;
  /** Where the owner wants the show that is still loading; the sound does not wait for it. */
  readonly #wish = new ShowClock();
  #wishesToPlay = false;
  /** Fades between the house look and a show that plays by itself, in seconds; undefined: a console has the lights. */
  #fades: { readonly duration: number; readonly seconds: number } | undefined;
  /** The house look is shown though nobody has the lights: a show was cut off, or the queue has ended. */
  #isRecovering = false;
  #isAccident = false;

  get mode(): StageMode {
    return this.#mode;
  }

  get songId(): string {
    return this.#songId;
  }

  isOwner(socket: string): boolean {
    return this.#owner === socket;
  }

  /**
   * Begins and ends the show that is bound in the house look, which stays after it and during a wait for its start.
   * Ends with the next show. @param duration of the song, seconds @param seconds of each fade
   */
  fadeThroughHouse(duration: number, seconds: number): void {
    this.#fades = { duration, seconds };
  }

  /** One command of one socket about one song. */
  handle(socket: string, songId: string, command: PlaybackCommand, nowMs: number): Answer {
    if (command.type === "hello") return answer();
    if (command.type === "prepare_playback") return this.#prepare(socket, songId, command.take_over === true, nowMs);
    if (command.type === "stop" && this.#isFree()) {
      this.#goIdle();
      return answer(true);
    }
    if (this.#owner === undefined) return refuse("no_plan", "Prepare playback first.");
    if (this.#owner !== socket)
      return refuse("not_owner", "Another console has the lights; prepare playback to take them over.");
    if (this.#awaited !== undefined && command.type !== "stop") return this.#remember(command, nowMs);
    switch (command.type) {
      case "stop":
        this.#goIdle();
        return answer(true);
      case "play":
        if (this.#mode === "idle") return refuse("no_plan", "Prepare playback first.");
        this.clock.run(nowMs, command.position ?? this.clock.positionAt(nowMs));
        this.#mode = "playing";
        return answer(true);
      case "pause":
        if (this.#mode !== "playing") return answer();
        this.clock.hold(nowMs, command.position ?? this.clock.positionAt(nowMs));
        this.#mode = "paused";
        return answer(true);
      case "seek":
        if (this.#mode === "playing") this.clock.run(nowMs, command.position);
        else this.clock.hold(nowMs, command.position);
        return answer(true);
      case "sync": {
        const stage = this.clock.positionAt(nowMs);
        const drift = this.#mode === "playing" ? this.clock.follow(nowMs, command.position) : 0;
        return answer(this.#mode === "playing", syncedReply(command, stage, drift));
      }
      default:
        return command satisfies never;
    }
  }

  #prepare(socket: string, songId: string, takesOver: boolean, nowMs: number): Answer {
    if (this.#owner !== socket && !this.#isFree() && !takesOver)
      return refuse("busy", "Another console has the lights; send prepare_playback with take_over to take them.");
    this.#owner = socket;
    this.#songId = songId;
    this.#orphanedMs = undefined;
    this.#awaited = ++this.#lastTicket;
    this.#wish.hold(nowMs, 0);
    this.#wishesToPlay = false;
    return { reply: undefined, request: { kind: "load", songId, ticket: this.#awaited }, changed: false };
  }

  /** A command for the show that is still loading; the one on the lamps is over for its owner. */
  #remember(command: Exclude<OwnerCommand, { type: "stop" }>, nowMs: number): Answer {
    const position = command.position ?? this.#wish.positionAt(nowMs);
    if (command.type === "play") this.#wishesToPlay = true;
    if (command.type === "pause") this.#wishesToPlay = false;
    if (this.#wishesToPlay) this.#wish.run(nowMs, position);
    else this.#wish.hold(nowMs, position);
    return command.type === "sync" ? answer(false, syncedReply(command, position, 0)) : answer();
  }

  /** False once the wish is out of date: another was made since, or the owner is gone. */
  awaits(ticket: number): boolean {
    return this.#awaited === ticket;
  }

  /** The plan asked for is bound. */
  prepared(ticket: number, nowMs: number): void {
    if (!this.awaits(ticket)) return;
    this.#awaited = undefined;
    this.#fades = undefined;
    this.#isRecovering = false;
    this.#mode = this.#wishesToPlay ? "playing" : "prepared";
    if (this.#wishesToPlay) this.clock.run(nowMs, this.#wish.positionAt(nowMs));
    else this.clock.hold(nowMs, this.#wish.positionAt(nowMs));
  }

  /** It could not be loaded. */
  failed(ticket: number): void {
    if (this.awaits(ticket)) this.#goIdle();
  }

  /** The house look, until somebody takes the lights or stops them. @param isAccident a show was cut off by a crash */
  recover(isAccident = true): void {
    if (this.#mode !== "idle") return;
    this.#isRecovering = true;
    this.#isAccident = isAccident;
  }

  /**
   * A socket is gone. A show that plays goes on by itself for a while: most often a line or the API is back within seconds,
   * and the sound never stopped. Somebody who was sent away leaves a show that stands at once.
   */
  disconnect(socket: string, nowMs: number, isSentAway = false): boolean {
    if (this.#owner !== socket) return false;
    this.#awaited = undefined;
    if (this.#mode === "idle") {
      this.#owner = undefined;
      this.#songId = "";
      return true;
    }
    this.#orphanedMs = nowMs;
    if (isSentAway) {
      this.clock.hold(nowMs);
      this.#mode = "paused";
    }
    return true;
  }

  /** Nobody holds the lights: no owner, or one whose socket is gone. */
  #isFree(): boolean {
    return this.#owner === undefined || this.#orphanedMs !== undefined;
  }

  #goIdle(): void {
    this.#mode = "idle";
    this.#owner = undefined;
    this.#songId = "";
    this.#orphanedMs = undefined;
    this.#awaited = undefined;
    this.#fades = undefined;
    this.#isRecovering = false;
  }

  sceneAt(ms: number): Scene {
    const master = 1;
    if (this.#mode === "idle") {
      if (!this.#isRecovering) return { kind: "silent" };
      return { kind: "show", position: 0, allowsStrobe: false, houseMix: 1, isSafe: this.#isAccident, master };
    }
    const position = this.#positionAt(ms);
    const houseMix = Math.max(this.#orphanMixAt(ms), this.#fadeMixAt(position));
    const isSafe = this.#orphanedMs !== undefined;
    return { kind: "show", position, allowsStrobe: this.#isPlayingAt(ms) && houseMix < 1, houseMix, isSafe, master };
  }

  #isPlayingAt(ms: number): boolean {
    return this.#mode === "playing" && ms < this.#aloneUntilMs;
  }

  #positionAt(ms: number): number {
    return this.clock.positionAt(Math.min(ms, this.#aloneUntilMs));
  }

  /** A show whose owner is gone stands from then on. */
  get #aloneUntilMs(): number {
    return this.#orphanedMs === undefined ? Number.POSITIVE_INFINITY : this.#orphanedMs + ORPHAN_HOLD_MS;
  }

  #orphanMixAt(ms: number): number {
    if (this.#orphanedMs === undefined) return 0;
    return clamp((ms - this.#orphanedMs - ORPHAN_HOLD_MS) / ORPHAN_FADE_MS);
  }

  #fadeMixAt(position: number): number {
    if (!this.#fades) return 0;
    const { duration, seconds } = this.#fades;
    // A fade of no length is a cut at the ends of the song.
    const length = Math.max(seconds, 0.001);
    return clamp(1 - Math.min(position, duration - position) / length);
  }

  stateFor(socket: string, outputs: number, blackout: boolean, nowMs: number): PlaybackMessage {
    return {
      type: "state",
      mode: this.#mode === "playing" && !this.#isPlayingAt(nowMs) ? "paused" : this.#mode,
      song_id: this.#songId,
      position: this.#mode === "idle" ? 0 : this.#positionAt(nowMs),
      owner: this.#owner === socket,
      outputs,
      blackout,
    };
  }
}

const clamp = (share: number) => Math.min(1, Math.max(0, share));

function answer(changed = false, reply?: PlaybackMessage): Answer {
  return { reply, request: { kind: "none" }, changed };
}

function syncedReply({ sent_at }: { readonly sent_at: number }, stage: number, drift: number): PlaybackMessage {
  return { type: "synced", sent_at, stage_position: stage, drift_ms: drift };
}

function refuse(code: string, message: string): Answer {
  return { reply: { type: "error", code, message }, request: { kind: "none" }, changed: false };
}
