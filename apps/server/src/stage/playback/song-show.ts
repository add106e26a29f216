import { calibratedOutput, type LightingPlan, type PlaybackCommand, type PlaybackMessage } from "@followspot/contract";
import type { Holder, Source } from "../lamps/lamps.ts";
import { drawingOf, type Drawing, type ShowScene } from "../lamps/scene.ts";
import { ShowClock } from "./show-clock.ts";

/**
 * After the loss of the holder's connection: time the show plays on, then stands without strobes and fades to the
 * default look, ms.
 */
export const ORPHAN_HOLD_MS = 10_000;
export const ORPHAN_FADE_MS = 5_000;

/** Command that moves a song. */
export type SongCommand = Extract<PlaybackCommand, { type: "play" | "pause" | "seek" | "sync" }>;

export interface SongShowOptions {
  readonly kind?: "song" | "queue";
  /** Called when another source took over the fixtures. */
  readonly onReplaced?: () => void;
}

/**
 * A song that is played by a console or the show queue, or the flashes of a calibration. Its clock runs from the first
 * command on, so that a show with a late plan begins at the position of the sound.
 */
export class SongShow implements Source {
  readonly id: string;
  readonly kind: "song" | "queue" | "calibration";
  readonly clock = new ShowClock();
  #holder: Holder;
  #mode: "prepared" | "playing" | "paused" = "prepared";
  #lostMs: number | undefined;
  #drawing: Drawing | undefined;
  readonly #onReplaced: (() => void) | undefined;
  #fades: { readonly duration: number; readonly seconds: number } | undefined;

  constructor(id: string, holder: Holder, { kind = "song", onReplaced }: SongShowOptions = {}) {
    this.id = id;
    this.kind = calibratedOutput(id) === undefined ? kind : "calibration";
    this.#holder = holder;
    this.#onReplaced = onReplaced;
  }

  get holder(): Holder {
    return this.#holder;
  }

  get isHeld(): boolean {
    return this.#lostMs === undefined;
  }

  get drawing(): Drawing | undefined {
    return this.#drawing;
  }

  /** Sets the plan to show. */
  setPlan(plan: LightingPlan): void {
    this.#drawing = drawingOf(plan, { output: calibratedOutput(this.id) ?? "" });
  }

  /**
   * Makes the show begin and end in the default look, which also stays before its start.
   * @param duration duration of the song, seconds; 0 stays in the default look @param seconds length of each fade
   */
  fadeThroughHouse(duration: number, seconds: number): void {
    this.#fades = { duration, seconds };
  }

  /** @returns the answer to a sync */
  follow(command: SongCommand, nowMs: number): PlaybackMessage | undefined {
    const { clock } = this;
    switch (command.type) {
      case "play":
        clock.run(nowMs, command.position ?? clock.positionAt(nowMs), command.rate);
        this.#mode = "playing";
        return undefined;
      case "pause":
        if (this.#mode === "playing") this.#mode = "paused";
        clock.hold(nowMs, command.position ?? clock.positionAt(nowMs));
        return undefined;
      case "seek":
        if (this.#mode === "playing") clock.run(nowMs, command.position, clock.speed);
        else clock.hold(nowMs, command.position);
        return undefined;
      case "sync": {
        const stage_position = clock.positionAt(nowMs);
        const drift_ms = this.#mode === "playing" ? clock.follow(nowMs, command.position, command.rate) : 0;
        return { type: "synced", sent_at: command.sent_at, stage_position, drift_ms };
      }
      default:
        return command satisfies never;
    }
  }

  /**
   * Handles the loss of the holder's connection. A running show continues for a while: usually the connection or the
   * API is back within seconds, and the sound never stopped. The show of a user who lost the permission stops at once.
   */
  lose(ms: number, isSentAway: boolean): void {
    this.#lostMs = ms;
    if (!isSentAway) return;
    this.clock.hold(ms);
    if (this.#mode === "playing") this.#mode = "paused";
  }

  /**
   * Restores the holder after a reconnect: a running show continues, one that has stopped since the loss stays stopped.
   */
  giveBack(holder: Holder, ms: number): void {
    if (!this.isRunningAt(ms)) {
      this.clock.hold(ms, this.positionAt(ms));
      if (this.#mode === "playing") this.#mode = "paused";
    }
    this.#holder = holder;
    this.#lostMs = undefined;
  }

  replaced(): void {
    this.#onReplaced?.();
  }

  modeAt(ms: number): "prepared" | "playing" | "paused" {
    return this.#mode === "playing" && !this.isRunningAt(ms) ? "paused" : this.#mode;
  }

  isRunningAt(ms: number): boolean {
    return this.#mode === "playing" && ms < this.#aloneUntilMs;
  }

  /** Returns the song time at a moment, seconds. */
  positionAt(ms: number): number {
    return this.clock.positionAt(Math.min(ms, this.#aloneUntilMs));
  }

  sceneAt(ms: number): ShowScene {
    const position = this.positionAt(ms);
    const houseMix = Math.max(this.#orphanMixAt(ms), this.#fadeMixAt(position));
    const allowsStrobe = this.isRunningAt(ms) && houseMix < 1;
    return { kind: "show", position, allowsStrobe, houseMix, isSafe: !this.isHeld, master: 1 };
  }

  /** Time from which a show without a connection stands. */
  get #aloneUntilMs(): number {
    return this.#lostMs === undefined ? Number.POSITIVE_INFINITY : this.#lostMs + ORPHAN_HOLD_MS;
  }

  #orphanMixAt(ms: number): number {
    return this.#lostMs === undefined ? 0 : clamp((ms - this.#lostMs - ORPHAN_HOLD_MS) / ORPHAN_FADE_MS);
  }

  #fadeMixAt(position: number): number {
    if (!this.#fades) return 0;
    const { duration, seconds } = this.#fades;
    // A fade of zero length is a cut at the ends of the song.
    return clamp(1 - Math.min(position, duration - position) / Math.max(seconds, 0.001));
  }
}

const clamp = (share: number) => Math.min(1, Math.max(0, share));
