import type { Output, Rig } from "@followspot/contract";
import type { Hands } from "./desk/desk-rules.ts";
import { DrawnTicks } from "./drawn-ticks.ts";
import type { Drawing } from "./lamps/scene.ts";
import { MODE, monotonicMs, RING_TICKS, TICK_HZ } from "./outputs/frame-ring.ts";
import { OutputLink, type OutputHealth, type OutputLinkOptions } from "./outputs/output-link.ts";
import type { SentTick } from "./outputs/sent-tap.ts";
import type { SacnSource } from "./packets/sacn-packet.ts";
import { StageLight, type LampScene } from "./stage-light.ts";

/** Ticks rendered ahead, so that a busy main thread does not disturb the output. */
const AHEAD_TICKS = Math.ceil(0.8 * TICK_HZ);
const RENDER_EVERY_MS = 100;
/**
 * Time before sending at which a tick of live sound gets its final rendering, ms. Sound changes the light all the time.
 * The tick after it is rendered as well, in case the main thread is busy when that one is due.
 */
const LIVE_LEAD_MS = 7;
const LIVE_AHEAD_TICKS = 1;
/** A tick that is due within this time is not rendered again, ms: it could miss its deadline. */
const TOO_LATE_MS = 2.5;
/** How much too early a timer may fire, ms. */
const TIMER_MS = 1;
/** Ticks rendered at once after a press; later ticks are rendered right after. */
const AT_ONCE_TICKS = 4;
/** Shortest time between two renderings during rapid presses, ms. */
const REDRAW_MS = 8;
/** Longest rendering work before the main thread returns to its event loop, ms. */
const SLICE_MS = 10;

export interface StageHealth extends OutputHealth {
  readonly sending: boolean;
  /** Frames in which the live flash limiter dimmed a fixture or the rig (after seeks, takeovers, blackout). */
  readonly limiter_actions: number;
  readonly universes: readonly number[];
}

/**
 * Schedules the rendering of a stage: ahead of time into the ring that the output thread sends from, and again as soon
 * as something changes. Owns the output thread; `close` leaves the rig dark.
 */
export class Stage {
  readonly #sceneAt: (ms: number) => LampScene;
  readonly #link: OutputLink;
  readonly #light: StageLight;
  /** Tick up to which the ring is written; later ticks are not rendered yet. */
  #written = -1;
  #redraw: NodeJS.Timeout | undefined;
  /** While live sound owns the fixtures: timer that renders the next tick when it is due. */
  #due: NodeJS.Timeout | undefined;
  readonly #drawn = new DrawnTicks();
  /** Tick that was rendered at once because of an onset. */
  #struck = -1;
  #isHailing = false;
  /** Callbacks that receive the first tick rendered from now on. */
  #awaitDrawn: ((tick: number) => void)[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(source: SacnSource, sceneAt: (ms: number) => LampScene, options?: OutputLinkOptions) {
    this.#sceneAt = sceneAt;
    this.#link = new OutputLink(source, options);
    this.#light = new StageLight(this.#link, sceneAt);
    this.#timer = setInterval(() => this.#due || this.#draw(), RENDER_EVERY_MS);
  }

  /** Resolves when frames can be sent. */
  get ready(): Promise<void> {
    return this.#link.ready;
  }

  /** Enabled outputs. */
  get outputs(): readonly Output[] {
    return this.#link.outputs;
  }

  /** Number of enabled outputs that are not down. */
  get workingOutputs(): number {
    return this.#link.workingOutputs;
  }

  /** Universes that are sent or previewed. */
  get shownUniverses(): readonly number[] {
    return this.#link.rows.map(({ universe }) => universe);
  }

  /** True if no output is set up. {@link tap} still reports what would be sent. */
  get isPreview(): boolean {
    return this.#link.isPreview;
  }

  get isSending(): boolean {
    return this.#link.ring.mode === MODE.live;
  }

  /** Time of the next frame that can still be rendered, in `monotonicMs`. */
  get nextTickMs(): number {
    return this.#link.ring.timeOf(this.#link.ring.nextTick());
  }

  /** Sets the drawing to render on the current rig; the same drawing again changes nothing. */
  draw(drawing: Drawing): void {
    if (this.#light.draw(drawing)) this.refresh();
  }

  /**
   * Sets the rig and its outputs. A running show continues: its clock and the memory of the flash limiter stay, and
   * outputs that did not change are not touched.
   */
  setRig(rig: Rig, outputs: readonly Output[]): void {
    this.#light.setRig(rig);
    this.#link.setOutputs(outputs, this.#light.universes, () => {
      this.#light.writeSafeLooks();
      this.refresh();
    });
  }

  /** Enabled lights that have an emitter. */
  lightIds(): ReadonlySet<number> {
    return this.#light.lightIds;
  }

  /**
   * Returns what the plan and the desk request of one light at a moment. Call it between two ticks, because it uses
   * their state.
   */
  readonly lightOf: StageLight["lightOf"] = (...asked) => this.#light.lightOf(...asked);

  /** Returns the slots of a universe as last sent; undefined while nothing is sent there. */
  sentOf(universe: number): Uint8Array | undefined {
    return this.isSending ? this.#link.sentOf(universe) : undefined;
  }

  /** Sets the held controls of the desk; {@link refresh} makes them visible. */
  setDesk(hands: Hands): void {
    this.#light.setDesk(hands);
  }

  /**
   * Renders everything again that has not been sent. The next ticks are rendered at once, later ones when the main
   * thread is free: hundreds of presses per second must not delay any tick.
   */
  refresh(): void {
    this.#written = Math.min(this.#written, this.#link.ring.tick);
    if (this.#redraw) this.#isHailing = true;
    else this.#drawNext();
  }

  /**
   * Renders the next tick again at once, once, because of an onset in the sound; its scheduled rendering may come late.
   */
  follow(): void {
    const next = this.#link.ring.nextTick();
    if (next === this.#struck) return;
    this.#struck = next;
    this.#drawDue();
  }

  /** Calls back once with the first tick rendered from now on; never while nothing is shown. */
  onDrawn(tell: (tick: number) => void): void {
    this.#awaitDrawn.push(tell);
  }

  /**
   * Returns the first tick from this one on of which packets were sent, and when, in `monotonicMs`; undefined while
   * there is none.
   */
  firstSent(tick: number): { readonly tick: number; readonly ms: number } | undefined {
    return this.#link.ring.firstSent(tick);
  }

  /** Reports every sent tick from now on. @returns function that stops it */
  tap(onSent: (sent: SentTick) => void): () => void {
    return this.#link.tap(onSent);
  }

  health(): StageHealth {
    return {
      ...this.#link.health(),
      sending: this.isSending,
      limiter_actions: this.#light.limiterActions,
      universes: this.#light.universes,
    };
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    clearTimeout(this.#redraw);
    clearTimeout(this.#due);
    this.#light.stop();
    await this.#link.close();
  }

  #drawNext(): void {
    this.#draw(AT_ONCE_TICKS);
    this.#drawLater(REDRAW_MS);
  }

  #drawLater(ms: number): void {
    this.#redraw ??= setTimeout(() => {
      this.#redraw = undefined;
      if (!this.#isHailing) return this.#draw();
      this.#isHailing = false;
      this.#drawNext();
    }, ms);
  }

  /** Renders the ticks of live sound that can still be rendered in time, from the first one whose light has changed. */
  #drawDue(): void {
    const { ring } = this.#link;
    const from = Math.max(ring.nextTick(), ring.tickAt(monotonicMs() + TOO_LATE_MS) + 1);
    const changed = this.#drawn.firstChanged(from, (tick) => this.#sceneAt(ring.timeOf(tick)));
    if (changed !== undefined) this.#written = Math.min(this.#written, changed - 1);
    this.#draw();
  }

  #drawWhenDue(): void {
    const { ring } = this.#link;
    const now = monotonicMs();
    const tick = ring.tickAt(now + LIVE_LEAD_MS + TIMER_MS) + 1;
    this.#due = setTimeout(() => this.#drawDue(), ring.timeOf(tick) - LIVE_LEAD_MS - now);
  }

  /** @param atMost number of unsent ticks that the ring is to hold */
  #draw(atMost = AHEAD_TICKS): void {
    const { ring } = this.#link;
    const now = monotonicMs();
    const scene = this.#sceneAt(now);
    const isFollowing = scene.kind === "show" && scene.live !== undefined;
    clearTimeout(this.#due);
    this.#due = undefined;
    if (scene.kind === "silent") {
      this.#link.stop();
      this.#light.rest(ring.tick);
      this.#written = -1;
      this.#awaitDrawn = [];
      return;
    }
    // Ticks to render again are dropped from the ring first. A tick that is sent at this moment is then not rendered
    // again, and the flash limiter keeps what was really shown.
    const last = ring.tick + RING_TICKS - 2;
    for (let tick = this.#written + 1; tick <= last; tick++) ring.drop(tick);
    const next = ring.nextTick();
    const first = Math.max(next, this.#written + 1);
    this.#light.rewind(next, first);
    const ticks = isFollowing ? Math.min(atMost, LIVE_AHEAD_TICKS) : atMost;
    for (let tick = first; tick <= next + ticks; tick++) {
      const drawn = this.#sceneAt(ring.timeOf(tick));
      this.#written = tick;
      this.#drawn.note(tick, drawn, next);
      this.#light.write(tick, drawn);
      if (tick < next + AT_ONCE_TICKS || monotonicMs() - now < SLICE_MS) continue;
      this.#drawLater(0);
      break;
    }
    if (this.#written >= first) for (const tell of this.#awaitDrawn.splice(0)) tell(first);
    this.#link.start();
    if (isFollowing) this.#drawWhenDue();
  }
}
