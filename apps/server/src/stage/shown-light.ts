import { LiveLimiter, newFrame, writeStates, type CompiledShow, type Frame } from "@followspot/lighting";
import { TICK_HZ } from "./outputs/frame-ring.ts";

/** A second and a tick. The planner's window is longer, 46 of its 44 Hz, so what it let through passes. */
const LIMITER_TICKS = Math.ceil(TICK_HZ) + 1;

/**
 * What lamps show at outputs of one offset: the flash limiter over it, and its bytes. Ticks that are not sent yet can be
 * drawn again; the limiter then forgets what it saw of them.
 */
export class ShownLight {
  /** Of the tick drawn last. */
  frame: Frame;
  #show: CompiledShow;
  #limiter: LiveLimiter;
  /** The limiter before each tick that is drawn and not sent. */
  #before: { tick: number; state: LiveLimiter }[] = [];
  /** Of ticks that are over, to be used again. */
  #spare: LiveLimiter[] = [];

  /** @param like what lamps have shown up to now */
  constructor(show: CompiledShow, like?: ShownLight) {
    this.#show = show;
    this.frame = newFrame(show);
    this.#limiter = new LiveLimiter(show, LIMITER_TICKS);
    if (like) this.#limiter.carry(like.#limiter);
  }

  /**
   * Limits the states of the show as they stand and draws them. Returns whether anything had to be dimmed.
   *
   * @param isForetold they are those of an undisturbed plan
   */
  show(tick: number, isForetold = false): boolean {
    const before = this.#spare.pop() ?? new LiveLimiter(this.#show, LIMITER_TICKS);
    before.copyFrom(this.#limiter);
    this.#before.push({ tick, state: before });
    const isLimited = this.#limiter.limit(tick, isForetold);
    writeStates(this.#show, this.frame);
    return isLimited;
  }

  /** Ticks before `sent` are over; `first` and those after it are about to be drawn. */
  rewind(sent: number, first: number): void {
    while (this.#before[0] && this.#before[0].tick < sent) this.#spare.push(this.#before.shift()!.state);
    const at = this.#before.findIndex(({ tick }) => tick >= first);
    if (at < 0) return;
    const [before, ...later] = this.#before.splice(at).map(({ state }) => state);
    this.#spare.push(this.#limiter, ...later);
    this.#limiter = before!;
  }

  /** Another show from a tick on; lamps remember what they have shown. */
  bind(show: CompiledShow, tick: number): void {
    this.rewind(tick, tick);
    const limiter = new LiveLimiter(show, LIMITER_TICKS);
    limiter.carry(this.#limiter);
    this.#show = show;
    this.#limiter = limiter;
    this.#before = [];
    this.#spare = [];
    this.frame = newFrame(show);
  }

  /** A tick on which nothing is sent. */
  rest(tick: number): void {
    this.#limiter.rest(tick);
    this.#before = [];
  }
}
