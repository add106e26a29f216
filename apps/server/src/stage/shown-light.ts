import {
  HeadPace,
  LiveLimiter,
  newFrame,
  PuffBudget,
  writeStates,
  type CompiledShow,
  type Frame,
} from "@followspot/lighting";
import { TICK_HZ } from "./outputs/frame-ring.ts";

/** A second and a tick. The planner's window is longer, 46 of its 44 Hz, so what it let through passes. */
const LIMITER_TICKS = Math.ceil(TICK_HZ) + 1;

/** What is remembered from tick to tick: what flashed, where heads are, and how much was puffed. */
interface Memory {
  readonly limiter: LiveLimiter;
  readonly pace: HeadPace;
  readonly puffs: PuffBudget;
}

/**
 * What lamps show at outputs of one offset: heads no faster than they are, the flash limiter over it, and its bytes. Ticks that
 * are not sent yet can be drawn again; what was seen of them is then forgotten.
 */
export class ShownLight {
  /** Of the tick drawn last. */
  frame: Frame;
  #show: CompiledShow;
  #memory: Memory;
  /** The memory before each tick that is drawn and not sent. */
  #before: { tick: number; state: Memory }[] = [];
  /** Of ticks that are over, to be used again. */
  #spare: Memory[] = [];

  /** @param like what lamps have shown up to now */
  constructor(show: CompiledShow, like?: ShownLight) {
    this.#show = show;
    this.frame = newFrame(show);
    this.#memory = memoryOf(show, like && like.#memory);
  }

  /**
   * Limits the states of the show as they stand and draws them. Returns whether anything had to be dimmed.
   *
   * @param isForetold they are those of an undisturbed plan
   * @param isFree heads are led by more than a plan: the desk, or what is heard
   */
  show(tick: number, isForetold = false, isFree = false): boolean {
    const before = this.#spare.pop() ?? memoryOf(this.#show);
    before.limiter.copyFrom(this.#memory.limiter);
    before.pace.copyFrom(this.#memory.pace);
    before.puffs.copyFrom(this.#memory.puffs);
    this.#before.push({ tick, state: before });
    this.#memory.pace.pace(tick, isFree);
    this.#memory.puffs.spend(this.#show.haze);
    const isLimited = this.#memory.limiter.limit(tick, isForetold);
    writeStates(this.#show, this.frame);
    return isLimited;
  }

  /** Ticks before `sent` are over; `first` and those after it are about to be drawn. */
  rewind(sent: number, first: number): void {
    while (this.#before[0] && this.#before[0].tick < sent) this.#spare.push(this.#before.shift()!.state);
    const at = this.#before.findIndex(({ tick }) => tick >= first);
    if (at < 0) return;
    const [before, ...later] = this.#before.splice(at).map(({ state }) => state);
    this.#spare.push(this.#memory, ...later);
    this.#memory = before!;
  }

  /** Another show from a tick on; lamps remember what they have shown. */
  bind(show: CompiledShow, tick: number): void {
    this.rewind(tick, tick);
    this.#memory = memoryOf(show, this.#memory);
    this.#show = show;
    this.#before = [];
    this.#spare = [];
    this.frame = newFrame(show);
  }

  /** A tick on which nothing is sent. */
  rest(tick: number): void {
    this.#memory.limiter.rest(tick);
    this.#memory.pace.rest();
    this.#before = [];
  }
}

/** @param like what lamps have shown up to now, in this show or another */
function memoryOf(show: CompiledShow, like?: Memory): Memory {
  const memory = {
    limiter: new LiveLimiter(show, LIMITER_TICKS),
    pace: new HeadPace(show, TICK_HZ),
    puffs: new PuffBudget(TICK_HZ),
  };
  if (!like) return memory;
  memory.limiter.carry(like.limiter);
  memory.pace.carry(like.pace);
  memory.puffs.copyFrom(like.puffs);
  return memory;
}
