import { calibratedOutput, type PlaybackCommand, type PlaybackMessage, type StageMode } from "@followspot/contract";
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

/** Who has the lamps, and what is on them. */
interface Show {
  readonly clock: ShowClock;
  mode: StageMode;
  songId: string;
  owner: string | undefined;
  orphanedMs: number | undefined;
  /** Fades between the house look and a show that plays by itself, in seconds; undefined: a console has the lights. */
  fades: { readonly duration: number; readonly seconds: number } | undefined;
  /** The house look is shown though nobody has the lights: a show was cut off, or the queue has ended. */
  isRecovering: boolean;
  isAccident: boolean;
}

/**
 * One show, one owner. Commands come from sockets, time is an argument, drawing is somebody else's work.
 * A calibration borrows the lamps: the show it found goes on underneath, and is back when the calibration ends.
 */
export class Playback {
  #show = noShow();
  /** What a calibration gives back; undefined while none is on. */
  #lent: Show | undefined;
  /** Every wish for a plan has its number; only the answer to the last one counts. */
  #lastTicket = 0;
  #awaited: number | undefined;
  /** Where the owner wants the show that is still loading; the sound does not wait for it. */
  readonly #wish = new ShowClock();
  #wishesToPlay = false;

  get clock(): ShowClock {
    return this.#show.clock;
  }

  get mode(): StageMode {
    return this.#show.mode;
  }

  get songId(): string {
    return this.#show.songId;
  }

  /** A show was there before the calibration that is on, and is to be drawn again when this ends. */
  get isLent(): boolean {
    return this.#lent !== undefined;
  }

  /** Also of lights that are lent to a calibration. */
  isOwner(socket: string): boolean {
    return this.#home.owner === socket || this.#show.owner === socket;
  }

  /**
   * Begins and ends the show that is bound in the house look, which stays after it and during a wait for its start.
   * Ends with the next show. @param duration of the song, seconds @param seconds of each fade
   */
  fadeThroughHouse(duration: number, seconds: number): void {
    this.#show.fades = { duration, seconds };
  }

  /** One command of one socket about one song. */
  handle(socket: string, songId: string, command: PlaybackCommand, nowMs: number): Answer {
    if (command.type === "hello") return answer();
    if (command.type === "prepare_playback") return this.#prepare(socket, songId, command.take_over === true, nowMs);
    if (command.type === "stop" && this.#isFree()) {
      this.#goIdle();
      return answer(true);
    }
    const show = this.#show;
    if (command.type === "stop" && this.#lent?.owner === socket) {
      this.#lent = noShow();
      return answer(true);
    }
    if (show.owner === undefined) return refuse("no_plan", "Prepare playback first.");
    if (show.owner !== socket)
      return refuse("not_owner", "Another console has the lights; prepare playback to take them over.");
    if (this.#awaited !== undefined && command.type !== "stop") return this.#remember(command, nowMs);
    const { clock } = show;
    switch (command.type) {
      case "stop":
        this.#goIdle();
        return answer(true);
      case "play":
        if (show.mode === "idle") return refuse("no_plan", "Prepare playback first.");
        clock.run(nowMs, command.position ?? clock.positionAt(nowMs), command.rate);
        show.mode = "playing";
        return answer(true);
      case "pause":
        if (show.mode !== "playing") return answer();
        clock.hold(nowMs, command.position ?? clock.positionAt(nowMs));
        show.mode = "paused";
        return answer(true);
      case "seek":
        if (show.mode === "playing") clock.run(nowMs, command.position, clock.speed);
        else clock.hold(nowMs, command.position);
        return answer(true);
      case "sync": {
        const stage = clock.positionAt(nowMs);
        const drift = show.mode === "playing" ? clock.follow(nowMs, command.position, command.rate) : 0;
        return answer(show.mode === "playing", syncedReply(command, stage, drift));
      }
      default:
        return command satisfies never;
    }
  }

  #prepare(socket: string, songId: string, takesOver: boolean, nowMs: number): Answer {
    if (this.#show.owner !== socket && !this.#isFree() && !takesOver)
      return refuse("busy", "Another console has the lights; send prepare_playback with take_over to take them.");
    if (calibratedOutput(songId) === undefined) this.#lent = undefined;
    else this.#lent ??= this.#show;
    // What is on the lamps stays there until the plan has come.
    this.#show = { ...this.#show, owner: socket, songId, orphanedMs: undefined };
    this.#awaited = ++this.#lastTicket;
    this.#wish.hold(nowMs, 0);
    this.#wishesToPlay = false;
    return { reply: undefined, request: { kind: "load", songId, ticket: this.#awaited }, changed: false };
  }

  /** A command for the show that is still loading; the one on the lamps is over for its owner. */
  #remember(command: Exclude<OwnerCommand, { type: "stop" }>, nowMs: number): Answer {
    const position = command.position ?? this.#wish.positionAt(nowMs);
    const kept = this.#wish.speed || 1;
    const speed = command.type === "sync" ? (command.rate ?? kept) : command.type === "play" ? command.rate : kept;
    if (command.type === "play") this.#wishesToPlay = true;
    if (command.type === "pause") this.#wishesToPlay = false;
    if (this.#wishesToPlay) this.#wish.run(nowMs, position, speed);
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
    const { owner, songId } = this.#show;
    const show = { ...noShow(), owner, songId };
    const position = this.#wish.positionAt(nowMs);
    if (this.#wishesToPlay) show.clock.run(nowMs, position, this.#wish.speed);
    else show.clock.hold(nowMs, position);
    show.mode = this.#wishesToPlay ? "playing" : "prepared";
    this.#show = show;
  }

  /** It could not be loaded. */
  failed(ticket: number): void {
    if (this.awaits(ticket)) this.#goIdle();
  }

  /** The house look, until somebody takes the lights or stops them. @param isAccident a show was cut off by a crash */
  recover(isAccident = true): void {
    const show = this.#home;
    if (show.mode !== "idle") return;
    show.isRecovering = true;
    show.isAccident = isAccident;
  }

  /**
   * A socket is gone. A show that plays goes on by itself for a while: most often a line or the API is back within seconds,
   * and the sound never stopped. Somebody who was sent away leaves a show that stands at once.
   */
  disconnect(socket: string, nowMs: number, isSentAway = false): boolean {
    const show = this.#lent?.owner === socket ? this.#lent : this.#show;
    if (show.owner !== socket) return false;
    if (show === this.#show) this.#awaited = undefined;
    if (show === this.#show && this.#lent) {
      this.#goIdle(); // nobody misses the rest of a calibration
      return true;
    }
    if (show.mode === "idle") {
      show.owner = undefined;
      show.songId = "";
      return true;
    }
    show.orphanedMs = nowMs;
    if (isSentAway) {
      show.clock.hold(nowMs);
      show.mode = "paused";
    }
    return true;
  }

  /** A song has the lights: somebody holds it, or it plays on alone. */
  isTakenAt(nowMs: number): boolean {
    return this.#show.mode !== "idle" && !(this.#isFree() && !this.#isPlayingAt(nowMs));
  }

  /** A song that stands and that nobody holds is over. */
  letGo(nowMs: number): void {
    if (!this.isTakenAt(nowMs)) this.#goIdle();
  }

  /** Nobody holds the lights: no owner, or one whose socket is gone. */
  #isFree(): boolean {
    return this.#show.owner === undefined || this.#show.orphanedMs !== undefined;
  }

  /** The show of the evening, whether a calibration is on or not. */
  get #home(): Show {
    return this.#lent ?? this.#show;
  }

  /** Nothing any more; after a calibration what was there before. */
  #goIdle(): void {
    const back = this.#lent ?? noShow();
    this.#show = back;
    this.#lent = undefined;
    this.#awaited = undefined;
    // What it was still loading when the lights were lent is asked for anew.
    if (back.mode === "idle") [back.owner, back.songId] = [undefined, ""];
  }

  sceneAt(ms: number): Scene {
    const master = 1;
    if (this.#show.mode === "idle") {
      if (!this.#show.isRecovering) return { kind: "silent" };
      return { kind: "show", position: 0, allowsStrobe: false, houseMix: 1, isSafe: this.#show.isAccident, master };
    }
    const position = this.#positionAt(ms);
    const houseMix = Math.max(this.#orphanMixAt(ms), this.#fadeMixAt(position));
    const isSafe = this.#show.orphanedMs !== undefined;
    return { kind: "show", position, allowsStrobe: this.#isPlayingAt(ms) && houseMix < 1, houseMix, isSafe, master };
  }

  #isPlayingAt(ms: number): boolean {
    return this.#show.mode === "playing" && ms < this.#aloneUntilMs;
  }

  #positionAt(ms: number): number {
    return this.clock.positionAt(Math.min(ms, this.#aloneUntilMs));
  }

  /** A show whose owner is gone stands from then on. */
  get #aloneUntilMs(): number {
    return this.#show.orphanedMs === undefined ? Number.POSITIVE_INFINITY : this.#show.orphanedMs + ORPHAN_HOLD_MS;
  }

  #orphanMixAt(ms: number): number {
    if (this.#show.orphanedMs === undefined) return 0;
    return clamp((ms - this.#show.orphanedMs - ORPHAN_HOLD_MS) / ORPHAN_FADE_MS);
  }

  #fadeMixAt(position: number): number {
    if (!this.#show.fades) return 0;
    const { duration, seconds } = this.#show.fades;
    // A fade of no length is a cut at the ends of the song.
    const length = Math.max(seconds, 0.001);
    return clamp(1 - Math.min(position, duration - position) / length);
  }

  stateFor(socket: string, outputs: number, blackout: boolean, nowMs: number): PlaybackMessage {
    return {
      type: "state",
      mode: this.#show.mode === "playing" && !this.#isPlayingAt(nowMs) ? "paused" : this.#show.mode,
      song_id: this.#show.songId,
      position: this.#show.mode === "idle" ? 0 : this.#positionAt(nowMs),
      owner: this.#show.owner === socket,
      outputs,
      blackout,
    };
  }
}

function noShow(): Show {
  return {
    clock: new ShowClock(),
    mode: "idle",
    songId: "",
    owner: undefined,
    orphanedMs: undefined,
    fades: undefined,
    isRecovering: false,
    isAccident: false,
  };
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
