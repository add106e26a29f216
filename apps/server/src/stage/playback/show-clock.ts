/** Drift beyond this is jumped over; below it light speeds up or slows down until it fits. */
export const HARD_DRIFT_MS = 250;
const SLEW_MS = 1000;
/** Less than this is network noise. */
const IGNORED_DRIFT_MS = 2;
/** Part of a measured drift taken out at once, so one late message does not shake the show. */
const SLEW_SHARE = 0.6;

/** Song time as a function of the machine's clock: runs, stands, jumps, and slews towards the player. */
export class ShowClock {
  #anchorMs = 0;
  #anchorSeconds = 0;
  #speed = 0;
  /** Seconds still to be added, evenly, over SLEW_MS from the anchor. */
  #slewSeconds = 0;

  /** Song seconds at a moment of the machine's clock. */
  positionAt(ms: number): number {
    const elapsed = ms - this.#anchorMs;
    const slewed = this.#slewSeconds * Math.min(1, Math.max(0, elapsed / SLEW_MS));
    return Math.max(0, this.#anchorSeconds + (elapsed / 1000) * this.#speed + slewed);
  }

  /** Song seconds in a second; 0 while it stands. */
  get speed(): number {
    return this.#speed;
  }

  run(ms: number, seconds: number, speed = 1): void {
    this.#set(ms, seconds, speed);
  }

  hold(ms: number, seconds = this.positionAt(ms)): void {
    this.#set(ms, seconds, 0);
  }

  /** Take the player's position and speed; returns stage minus player in ms, before correction. */
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
