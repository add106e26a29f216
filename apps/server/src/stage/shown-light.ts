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

/**
 * Window of the flash limiter: one second and one tick. The planner's window is longer, 46 frames at 44 Hz, so
 * everything it allowed passes.
 */
const LIMITER_TICKS = Math.ceil(TICK_HZ) + 1;

/** State carried from tick to tick: flashes, head positions and the haze used. */
interface Memory {
  readonly limiter: LiveLimiter;
  readonly pace: HeadPace;
  readonly puffs: PuffBudget;
}

/**
 * Renders the light of all outputs with one offset: it limits head speed and flashes and writes the slots. Ticks that
 * are not sent yet can be rendered again; their effect on the state is then undone.
 */
export class ShownLight {
  /** Frame of the tick rendered last. */
  frame: Frame;
  #show: CompiledShow;
  #memory: Memory;
  /** State before each tick that is rendered but not sent. */
  #before: { tick: number; state: Memory }[] = [];
  /** States of past ticks, for reuse. */
  #spare: Memory[] = [];

  /** @param like light whose history it continues */
  constructor(show: CompiledShow, like?: ShownLight) {
    this.#show = show;
    this.frame = newFrame(show);
    this.#memory = memoryOf(show, like && like.#memory);
  }

  /**
   * Limits the current states of the show and renders them. Returns whether anything had to be dimmed.
   *
   * @param isForetold whether the states are those of an undisturbed plan
   * @param isFree whether the desk or live sound moves the heads, beside the plan
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

  /** Discards the states of ticks before `sent`; `first` and later ticks are about to be rendered. */
  rewind(sent: number, first: number): void {
    while (this.#before[0] && this.#before[0].tick < sent) this.#spare.push(this.#before.shift()!.state);
    const at = this.#before.findIndex(({ tick }) => tick >= first);
    if (at < 0) return;
    const [before, ...later] = this.#before.splice(at).map(({ state }) => state);
    this.#spare.push(this.#memory, ...later);
    this.#memory = before!;
  }

  /** Switches to another show from a tick on; the history of the fixtures stays. */
  bind(show: CompiledShow, tick: number): void {
    this.rewind(tick, tick);
    this.#memory = memoryOf(show, this.#memory);
    this.#show = show;
    this.#before = [];
    this.#spare = [];
    this.frame = newFrame(show);
  }

  /** Records a tick on which nothing is sent. */
  rest(tick: number): void {
    this.#memory.limiter.rest(tick);
    this.#memory.pace.rest();
    this.#before = [];
  }
}

/** @param like history to continue, of this show or another */
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
