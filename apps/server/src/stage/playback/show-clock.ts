/** Drift above which the light jumps, ms; below it the light speeds up or slows down until it fits. */
export const HARD_DRIFT_MS = 250;
const SLEW_MS = 1000;
/** Drift below which it is network noise, ms. */
const IGNORED_DRIFT_MS = 2;
/** Share of a measured drift corrected at once, so that one late message does not shake the show. */
const SLEW_SHARE = 0.6;

/** Song time as a function of the machine's clock: runs, stands, jumps, and slews toward the player. */
export class ShowClock {
  #anchorMs = 0;
  #anchorSeconds = 0;
  #speed = 0;
  /** Seconds still to be added, evenly, over SLEW_MS from the anchor. */
  #slewSeconds = 0;

  /** Returns the song time at a moment of the machine's clock, seconds. */
  positionAt(ms: number): number {
    const elapsed = ms - this.#anchorMs;
    const slewed = this.#slewSeconds * Math.min(1, Math.max(0, elapsed / SLEW_MS));
    return Math.max(0, this.#anchorSeconds + (elapsed / 1000) * this.#speed + slewed);
  }

  /** Song seconds per second; 0 while it stands. */
  get speed(): number {
    return this.#speed;
  }

  run(ms: number, seconds: number, speed = 1): void {
    this.#set(ms, seconds, speed);
  }

  hold(ms: number, seconds = this.positionAt(ms)): void {
    this.#set(ms, seconds, 0);
  }

  /** Adopts the player's position and speed; returns stage minus player, ms, before the correction. */
  follow(ms: number, playerSeconds: number, speed = this.#speed): number {
    const stage = this.positionAt(ms);
    const driftMs = (stage - playerSeconds) * 1000;
    if (Math.abs(driftMs) > HARD_DRIFT_MS) this.#set(ms, playerSeconds, speed);
    else {
      this.#set(ms, stage, speed);
      if (Math.abs(driftMs) > IGNORED_DRIFT_MS) this.#slewSeconds = (-driftMs / 1000) * SLEW_SHARE;
    }
    return driftMs;
  }

  #set(ms: number, seconds: number, speed: number): void {
    this.#anchorMs = ms;
    this.#anchorSeconds = seconds;
    this.#speed = speed;
    this.#slewSeconds = 0;
  }
}
