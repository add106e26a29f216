import type { Seconds } from "@followspot/contract";
import type { LeaderMove } from "./midi-time-code.ts";
import type { Sighting } from "./time-code.ts";

/** A leader that is not heard any more is believed to go on for so long; then the show stands. */
export const FREEWHEEL_MS = 2000;
/** A leader this far from where it was expected has jumped. */
export const JUMP_MS = 250;
/** Longest time between two sightings of a leader that is there: a frame at a quarter of 24 a second is 167 ms. */
const MISSING_MS = 300;
/** After a jump that was announced it may stand: it does unless it is heard to run in this time. */
const ANNOUNCED_MS = 200;
/** Sightings the line is drawn through, and from which length on its slope is believed. */
const WINDOW_MS = 1000;
const SLOPE_MS = 300;
const SLOPE_SIGHTINGS = 6;
/** The last sightings lie this far from the line: the leader has changed its pace or was pushed, the rest is old. */
const BEND_SECONDS = 0.015;
const BEND_SIGHTINGS = 6;
const FASTEST = 4;
/** A jump of which a follower is told at once, and how often it is told at the most. */
const TOLD_SECONDS = 0.005;
const TOLD_RATE = 0.003;
const TELL_MS = 200;
/** A show that stands is moved from here on. */
const MOVED_SECONDS = 0.02;

export type LeaderState = "waiting" | "locked" | "freewheel" | "held";

/** What a player or stage is to do; a seek and a pause leave its pace as it is. */
export interface ChaseOrder {
  readonly kind: "play" | "pause" | "seek" | "sync";
  readonly position: Seconds;
  /** Song seconds in a second. */
  readonly rate: number;
}

/**
 * Follows a leader who is seen in moments, each a few milliseconds wrong, and says what a show has to do to be where the
 * leader is. Time is an argument. Positions are song seconds.
 */
export class Chase {
  readonly #duration: Seconds;
  #sightings: Sighting[] = [];
  /** One that fits no line: a jump if the next one goes with it. */
  #odd: Sighting | undefined;
  /** Where the leader is believed to be: a line through song seconds and ms. */
  #line: Sighting & { readonly rate: number };
  #state: "waiting" | "running" | "held" = "waiting";
  #seenMs = Number.NEGATIVE_INFINITY;
  #lostAfterMs = FREEWHEEL_MS;
  #told: (Sighting & { readonly rate: number; readonly isPlaying: boolean }) | undefined;

  /**
   * @param duration of the song: before and after it the show stands at its ends
   * @param place where it stands until the leader is heard
   */
  constructor(duration: Seconds, place: Seconds = 0) {
    this.#duration = duration;
    this.#line = { seconds: place, atMs: 0, rate: 1 };
  }

  /** Song seconds in a second; of the last pace while it stands. */
  get rate(): number {
    return this.#line.rate;
  }

  /** Where the song is; outside of it at its nearest end. */
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

  /** What has to be done now, for the last time it was asked was obeyed. */
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

  /** One false sighting moves nothing; two that go together do. */
  #seeOdd(sighting: Sighting): void {
    const odd = this.#odd;
    this.#odd = sighting;
    if (!odd || sighting.atMs <= odd.atMs) return;
    const pace = ((sighting.seconds - odd.seconds) / (sighting.atMs - odd.atMs)) * 1000;
    const isTogether = Math.abs(sighting.seconds - odd.seconds) < JUMP_MS / 1000 && Math.abs(pace) < 2 * FASTEST;
    if (!isTogether) return;
    const known = this.#line.rate;
    // Its pace is the one it had, in the direction it is seen to go.
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

/** Least squares; over a short time only the place is fitted, at the pace that was. Told at the last sighting. */
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
