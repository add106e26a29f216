import type { Seconds } from "@followspot/contract";
import type { LeaderMove } from "./midi-time-code.ts";
import type { Sighting } from "./time-code.ts";

/** Time that the show continues after the leader's signal is lost; then the show is held. */
export const FREEWHEEL_MS = 2000;
/** Deviation from the expected position that counts as a jump of the leader. */
export const JUMP_MS = 250;
/** Longest gap between two sightings of a running leader: a frame at a quarter of 24 per second is 167 ms. */
const MISSING_MS = 300;
/** Time after an announced jump within which the leader must be detected to run; otherwise the show is held. */
const ANNOUNCED_MS = 200;
/** Time span of the sightings that the line is fitted to; and span and count from which its slope is used. */
const WINDOW_MS = 1000;
const SLOPE_MS = 300;
const SLOPE_SIGHTINGS = 6;
/**
 * Mean deviation of the latest sightings from the line at which the leader has changed its pace or was nudged. Older
 * sightings are then dropped.
 */
const BEND_SECONDS = 0.015;
const BEND_SIGHTINGS = 6;
const FASTEST = 4;
/**
 * Deviations in position and rate at which the follower is synchronized, and shortest interval between these orders.
 */
const TOLD_SECONDS = 0.005;
const TOLD_RATE = 0.003;
const TELL_MS = 200;
/** Deviation at which a held show is moved. */
const MOVED_SECONDS = 0.02;

export type LeaderState = "waiting" | "locked" | "freewheel" | "held";

/** Order for a player or stage. A seek and a pause keep the current rate. */
export interface ChaseOrder {
  readonly kind: "play" | "pause" | "seek" | "sync";
  readonly position: Seconds;
  /** Song seconds per second. */
  readonly rate: number;
}

/**
 * Follows a leader that is sighted at moments with errors of a few milliseconds, and returns the orders that keep a
 * show in sync with it. Time is an argument. Positions are song seconds.
 */
export class Chase {
  readonly #duration: Seconds;
  #sightings: Sighting[] = [];
  /** A sighting off the line: a jump if the next one agrees with it. */
  #odd: Sighting | undefined;
  /** Estimated position of the leader: a line through song seconds and ms. */
  #line: Sighting & { readonly rate: number };
  #state: "waiting" | "running" | "held" = "waiting";
  #seenMs = Number.NEGATIVE_INFINITY;
  #lostAfterMs = FREEWHEEL_MS;
  #told: (Sighting & { readonly rate: number; readonly isPlaying: boolean }) | undefined;

  /**
   * @param duration length of the song; outside it the show is held at the nearest end
   * @param place position until the leader is detected
   */
  constructor(duration: Seconds, place: Seconds = 0) {
    this.#duration = duration;
    this.#line = { seconds: place, atMs: 0, rate: 1 };
  }

  /** Song seconds per second; the last rate while held. */
  get rate(): number {
    return this.#line.rate;
  }

  /** Returns the song position, limited to the song. */
  positionAt(ms: number): Seconds {
    return Math.min(this.#duration, Math.max(0, this.#leaderAt(ms)));
  }

  stateAt(ms: number): LeaderState {
    if (this.#state !== "running") return this.#state;
    const silentMs = ms - this.#seenMs;
    return silentMs > this.#lostAfterMs ? "held" : silentMs > MISSING_MS ? "freewheel" : "locked";
  }

  hear(move: LeaderMove): void {
    if (move.kind === "runs") return this.#see(move);
    const { rate } = this.#line;
    if (move.kind === "goes") {
      const isRunning = this.stateAt(move.atMs) === "locked";
      this.#restart({ seconds: move.seconds, atMs: move.atMs, rate }, isRunning ? "running" : "held");
      this.#lostAfterMs = ANNOUNCED_MS;
    } else this.#restart({ seconds: this.#leaderAt(move.atMs), atMs: move.atMs, rate }, "held");
    this.#seenMs = move.atMs;
  }

  /** Returns the orders to execute now, assuming that the previous ones were executed. */
  turn(ms: number): readonly ChaseOrder[] {
    if (this.#state === "running" && ms - this.#seenMs > this.#lostAfterMs) {
      const atMs = this.#seenMs + this.#lostAfterMs;
      this.#restart({ seconds: this.#leaderAt(atMs), atMs, rate: this.#line.rate }, "held");
    }
    if (this.#state === "waiting") return [];
    const kind = this.#orderAt(ms);
    if (!kind) return [];
    const position = this.positionAt(ms);
    const rate = kind === "seek" ? (this.#told?.rate ?? 1) : this.#line.rate;
    const isPlaying = kind === "play" || (kind !== "pause" && this.#told?.isPlaying === true);
    this.#told = { seconds: position, atMs: ms, rate, isPlaying };
    return [{ kind, position, rate }];
  }

  #orderAt(ms: number): ChaseOrder["kind"] | undefined {
    const place = this.#leaderAt(ms);
    const plays = this.#state === "running" && place >= 0 && place < this.#duration;
    const told = this.#told;
    if (plays !== (told?.isPlaying ?? false)) return plays ? "play" : "pause";
    const since = told ? (ms - told.atMs) / 1000 : 0;
    const expected = told ? told.seconds + (told.isPlaying ? since * told.rate : 0) : Number.NEGATIVE_INFINITY;
    const off = Math.abs(this.positionAt(ms) - expected);
    if (!plays) return off > MOVED_SECONDS ? "seek" : undefined;
    if (off * 1000 > JUMP_MS) return "seek";
    const isOther = off > TOLD_SECONDS || Math.abs(this.#line.rate - told!.rate) > TOLD_RATE;
    return isOther && since * 1000 >= TELL_MS ? "sync" : undefined;
  }

  #leaderAt(ms: number): Seconds {
    const { seconds, atMs, rate } = this.#line;
    return this.#state === "running" ? seconds + ((ms - atMs) / 1000) * rate : seconds;
  }

  #see({ seconds, atMs }: Sighting): void {
    const sighting = { seconds, atMs };
    const isKnown = this.#state === "running" && Math.abs(this.#leaderAt(atMs) - seconds) * 1000 <= JUMP_MS;
    if (!isKnown) return this.#seeOdd(sighting);
    this.#odd = undefined;
    this.#seenMs = atMs;
    this.#lostAfterMs = FREEWHEEL_MS;
    this.#sightings.push(sighting);
    this.#sightings = this.#sightings.filter((each) => atMs - each.atMs <= WINDOW_MS);
    const newest = this.#sightings.slice(-BEND_SIGHTINGS);
    const bend = mean(newest.map((each) => each.seconds - this.#leaderAt(each.atMs)));
    if (newest.length === BEND_SIGHTINGS && Math.abs(bend) > BEND_SECONDS) this.#sightings = newest;
    this.#line = lineThrough(this.#sightings, this.#line.rate);
  }

  /** Handles a sighting off the line. A single one is ignored; two that agree are a jump. */
  #seeOdd(sighting: Sighting): void {
    const odd = this.#odd;
    this.#odd = sighting;
    if (!odd || sighting.atMs <= odd.atMs) return;
    const pace = ((sighting.seconds - odd.seconds) / (sighting.atMs - odd.atMs)) * 1000;
    const isTogether = Math.abs(sighting.seconds - odd.seconds) < JUMP_MS / 1000 && Math.abs(pace) < 2 * FASTEST;
    if (!isTogether) return;
    const known = this.#line.rate;
    // The rate stays the same, in the direction of the two sightings.
    const rate = pace < 0 !== known < 0 ? -known : known;
    this.#restart({ ...sighting, rate }, "running");
    this.#sightings = [odd, sighting];
    this.#seenMs = sighting.atMs;
    this.#lostAfterMs = FREEWHEEL_MS;
  }

  #restart(line: Sighting & { readonly rate: number }, state: "running" | "held"): void {
    this.#line = line;
    this.#state = state;
    this.#sightings = [];
    this.#odd = undefined;
  }
}

/**
 * Fits a line by least squares, positioned at the last sighting. Over a short span only the position is fitted, at the
 * previous rate.
 */
function lineThrough(sightings: readonly Sighting[], pace: number): Sighting & { readonly rate: number } {
  const { atMs } = sightings.at(-1)!;
  const ts = sightings.map((each) => (each.atMs - atMs) / 1000);
  const [t, s] = [mean(ts), mean(sightings.map(({ seconds }) => seconds))];
  let rate = pace;
  if (-ts[0]! * 1000 >= SLOPE_MS && sightings.length >= SLOPE_SIGHTINGS) {
    const spread = mean(ts.map((each) => (each - t) ** 2));
    const slope = mean(sightings.map(({ seconds }, i) => (ts[i]! - t) * (seconds - s))) / spread;
    rate = Math.min(FASTEST, Math.max(-FASTEST, slope));
  }
  return { seconds: s - t * rate, atMs, rate };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
