import type { Output, Rig } from "@followspot/contract";
import type { Hands } from "./desk/desk-rules.ts";
import { DrawnTicks } from "./drawn-ticks.ts";
import type { Drawing } from "./lamps/scene.ts";
import { MODE, monotonicMs, RING_TICKS, TICK_HZ } from "./outputs/frame-ring.ts";
import { OutputLink, type OutputHealth, type OutputLinkOptions } from "./outputs/output-link.ts";
import type { SentTick } from "./outputs/sent-tap.ts";
import type { SacnSource } from "./packets/sacn-packet.ts";
import { StageLight, type LampScene } from "./stage-light.ts";

/** Frames are rendered this far ahead, so a busy main thread does not reach the lamps. */
const AHEAD_TICKS = Math.ceil(0.8 * TICK_HZ);
const RENDER_EVERY_MS = 100;
/**
 * What is heard changes light all the time, so a tick of live sound is drawn for good so long before it is sent. The one
 * after it is drawn as well: it is sent if the main thread is busy then.
 */
const LIVE_LEAD_MS = 7;
const LIVE_AHEAD_TICKS = 1;
/** A tick that is sent this soon stays as it is: drawn again, it could miss its moment. */
const TOO_LATE_MS = 2.5;
/** How much earlier than wanted a timer may fire. */
const TIMER_MS = 1;
/** Drawn at once when something is pressed; what is further away is drawn right after. */
const AT_ONCE_TICKS = 4;
/** Shortest time between two drawings while presses hail down. */
const REDRAW_MS = 8;
/** The main thread listens again after so much drawing. */
const SLICE_MS = 10;

export interface StageHealth extends OutputHealth {
  readonly sending: boolean;
  /** Frames in which the live flash limiter dimmed a lamp or the rig (seeks, takeovers, blackout). */
  readonly limiter_actions: number;
  readonly universes: readonly number[];
}

/**
 * When the light of a stage is drawn: ahead of time into the ring the output thread sends from, and again as soon as
 * something changes. Owns the output thread; `close` leaves the rig dark.
 */
export class Stage {
  readonly #sceneAt: (ms: number) => LampScene;
  readonly #link: OutputLink;
  readonly #light: StageLight;
  /** Tick up to which the ring is written; ticks after it are still to be drawn. */
  #written = -1;
  #redraw: NodeJS.Timeout | undefined;
  /** While live sound has the lamps: draws the next tick when it is time. */
  #due: NodeJS.Timeout | undefined;
  readonly #drawn = new DrawnTicks();
  /** The tick that was drawn at once for what was struck. */
  #struck = -1;
  #isHailing = false;
  /** Told which tick is drawn first from now on. */
  #awaitDrawn: ((tick: number) => void)[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(source: SacnSource, sceneAt: (ms: number) => LampScene, options?: OutputLinkOptions) {
    this.#sceneAt = sceneAt;
    this.#link = new OutputLink(source, options);
    this.#light = new StageLight(this.#link, sceneAt);
    this.#timer = setInterval(() => this.#due || this.#draw(), RENDER_EVERY_MS);
  }

  /** Resolves when frames can leave. */
  get ready(): Promise<void> {
    return this.#link.ready;
  }

  /** Those that are enabled. */
  get outputs(): readonly Output[] {
    return this.#link.outputs;
  }

  /** How many of them something can go out at. */
  get workingOutputs(): number {
    return this.#link.workingOutputs;
  }

  /** Universes that are sent somewhere, or previewed. */
  get shownUniverses(): readonly number[] {
    return this.#link.rows.map(({ universe }) => universe);
  }

  /** No output is set up: what would be sent is told to {@link tap} all the same. */
  get isPreview(): boolean {
    return this.#link.isPreview;
  }

  get isSending(): boolean {
    return this.#link.ring.mode === MODE.live;
  }

  /** When the next frame that can still be drawn is due, in `monotonicMs`. */
  get nextTickMs(): number {
    return this.#link.ring.timeOf(this.#link.ring.nextTick());
  }

  /** What to draw from now on, on the rig there is; the same drawing again changes nothing. */
  draw(drawing: Drawing): void {
    if (this.#light.draw(drawing)) this.refresh();
  }

  /**
   * The rig and where it is sent. A show that plays goes on where it is: its clock and the memory of the flash limiter
   * stay, outputs that did not change are not touched.
   */
  setRig(rig: Rig, outputs: readonly Output[]): void {
    this.#light.setRig(rig);
    this.#link.setOutputs(outputs, this.#light.universes, () => {
      this.#light.writeSafeLooks();
      this.refresh();
    });
  }

  /** Lights that are on and have something that shines. */
  lightIds(): ReadonlySet<number> {
    return this.#light.lightIds;
  }

  /** What is asked of one light at a moment, and what the desk leaves of it; between two ticks, whose states it uses. */
  readonly lightOf: StageLight["lightOf"] = (...asked) => this.#light.lightOf(...asked);

  /** Slots of a universe as they left last; undefined while nothing leaves there. */
  sentOf(universe: number): Uint8Array | undefined {
    return this.isSending ? this.#link.sentOf(universe) : undefined;
  }

  /** The held controls of the desk from now on; {@link refresh} shows it. */
  setDesk(hands: Hands): void {
    this.#light.setDesk(hands);
  }

  /**
   * Something changed: draw again everything that has not been sent. The ticks next to be sent are drawn at once,
   * those after them when nothing waits: hundreds of presses a second must not make one of them late.
   */
  refresh(): void {
    this.#written = Math.min(this.#written, this.#link.ring.tick);
    if (this.#redraw) this.#isHailing = true;
    else this.#drawNext();
  }

  /** Something was struck in the sound: the next tick is drawn again at once, once; its own time may come late. */
  follow(): void {
    const next = this.#link.ring.nextTick();
    if (next === this.#struck) return;
    this.#struck = next;
    this.#drawDue();
  }

  /** Tells the first tick that is drawn from now on, once; nothing while nothing is shown. */
  onDrawn(tell: (tick: number) => void): void {
    this.#awaitDrawn.push(tell);
  }

  /** The first tick from this one on of which packets left, and when, in `monotonicMs`; undefined while there is none. */
  firstSent(tick: number): { readonly tick: number; readonly ms: number } | undefined {
    return this.#link.ring.firstSent(tick);
  }

  /** Tells what is sent from now on. @returns ends it */
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

  /** Ticks of live sound that can still be drawn in time, from the first on whose light has changed. */
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

  /** @param atMost so many ticks that are not sent yet are to stand in the ring */
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
    // What is drawn again is taken out of the ring first: a tick sent in this moment is not drawn again, and the flash
    // limiter does not forget what was really shown.
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
