import type { PlaybackCommand, PlaybackMessage, StageMode } from "@followspot/contract";
import { ShowClock } from "./show-clock.ts";

/** After the owner is gone: hold this long, then fade to the house look. */
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
      readonly master: number;
    };

/** What a command asks of the stage around the state machine. */
export type Request =
  | { readonly kind: "none" }
  /** Load the plan and rig, then call {@link Playback.prepared} or {@link Playback.failed}. */
  | { readonly kind: "load"; readonly songId: string };

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
  #isBlack = false;
  #isLoading = false;
  #playWhenReady: number | undefined;

  get mode(): StageMode {
    return this.#mode;
  }

  get songId(): string {
    return this.#songId;
  }

  get blackout(): boolean {
    return this.#isBlack;
  }

  setBlackout(on: boolean): void {
    this.#isBlack = on;
  }

  /** One command of one socket about one song. */
  handle(socket: string, songId: string, command: PlaybackCommand, nowMs: number): Answer {
    if (command.type === "hello") return answer();
    if (command.type === "prepare_playback") return this.#prepare(socket, songId, command.take_over === true);
    if (command.type === "stop" && this.#isFree()) {
      this.#goIdle();
      return answer(true);
    }
    if (this.#owner === undefined) return refuse("no_plan", "Prepare playback first.");
    if (this.#owner !== socket)
      return refuse("not_owner", "Another console has the lights; prepare playback to take them over.");
    switch (command.type) {
      case "stop":
        this.#goIdle();
        return answer(true);
      case "play":
        if (this.#isLoading) {
          this.#playWhenReady = command.position ?? 0;
          return answer();
        }
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
        return {
          reply: { type: "synced", sent_at: command.sent_at, stage_position: stage, drift_ms: drift },
          request: { kind: "none" },
          changed: this.#mode === "playing",
        };
      }
      default:
        return command satisfies never;
    }
  }

  #prepare(socket: string, songId: string, takesOver: boolean): Answer {
    if (this.#owner !== socket && !this.#isFree() && !takesOver)
      return refuse("busy", "Another console has the lights; send prepare_playback with take_over to take them.");
    this.#owner = socket;
    this.#songId = songId;
    this.#orphanedMs = undefined;
    this.#isLoading = true;
    this.#playWhenReady = undefined;
    return { reply: undefined, request: { kind: "load", songId }, changed: false };
  }

  /** The plan and rig asked for are there. */
  prepared(socket: string, songId: string, nowMs: number): void {
    if (this.#owner !== socket || this.#songId !== songId) return; // taken over while loading
    this.#isLoading = false;
    this.clock.hold(nowMs, 0);
    this.#mode = "prepared";
    if (this.#playWhenReady === undefined) return;
    this.clock.run(nowMs, this.#playWhenReady);
    this.#mode = "playing";
    this.#playWhenReady = undefined;
  }

  /** They could not be loaded. */
  failed(socket: string, songId: string): void {
    if (this.#owner === socket && this.#songId === songId) this.#goIdle();
  }

  /** A socket is gone. A show without its owner stops moving at once. */
  disconnect(socket: string, nowMs: number): boolean {
    if (this.#owner !== socket) return false;
    if (this.#mode === "idle") {
      this.#goIdle();
      return true;
    }
    this.clock.hold(nowMs);
    this.#mode = "paused";
    this.#orphanedMs = nowMs;
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
    this.#isLoading = false;
    this.#playWhenReady = undefined;
  }

  sceneAt(ms: number): Scene {
    if (this.#mode === "idle") return { kind: "silent" };
    const orphaned = this.#orphanedMs === undefined ? -1 : ms - this.#orphanedMs - ORPHAN_HOLD_MS;
    return {
      kind: "show",
      position: this.clock.positionAt(ms),
      allowsStrobe: this.#mode === "playing",
      houseMix: Math.min(1, Math.max(0, orphaned / ORPHAN_FADE_MS)),
      master: this.#isBlack ? 0 : 1,
    };
  }

  stateFor(socket: string, outputs: number, nowMs: number): PlaybackMessage {
    return {
      type: "state",
      mode: this.#mode,
      song_id: this.#songId,
      position: this.#mode === "idle" ? 0 : this.clock.positionAt(nowMs),
      owner: this.#owner === socket,
      outputs,
      blackout: this.#isBlack,
    };
  }
}

function answer(changed = false): Answer {
  return { reply: undefined, request: { kind: "none" }, changed };
}

function refuse(code: string, message: string): Answer {
  return { reply: { type: "error", code, message }, request: { kind: "none" }, changed: false };
}
