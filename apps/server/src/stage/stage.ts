import type { LightingPlan, Output, Rig } from "@followspot/contract";
import { limitInSlices } from "@followspot/lighting";
import { BoundShow } from "./bound-show.ts";
import type { Hands } from "./desk/desk-rules.ts";
import type { StageScene } from "./desk/desk-scene.ts";
import { MODE, monotonicMs, RING_TICKS, SLOTS, TICK_HZ, type FrameRing } from "./outputs/frame-ring.ts";
import { OutputLink, type OutputHealth, type OutputLinkOptions } from "./outputs/output-link.ts";
import type { SacnSource } from "./packets/sacn-packet.ts";
import type { SentTick } from "./outputs/sent-tap.ts";
import { DrawnTicks } from "./drawn-ticks.ts";
import { PlanLimits } from "./plan-limits.ts";
import { ShownLight } from "./shown-light.ts";

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

const EMPTY_PLAN: LightingPlan = {
  version: 1,
  song_id: "",
  duration: 0,
  seed: 0,
  palette: ["#ffffff"],
  beats: [],
  downbeats: [],
  curves: { hop_seconds: 0.1, bass: [], mid: [], high: [], energy: [] },
  event_lanes: { "role:wash": [], all: [] },
  safety: { max_flashes_per_second: 0, limited_share: 0, strobe_share: 0, profile: "default" },
};

const EMPTY_RIG: Rig = { lights: [], groups: [] };

export interface StageHealth extends OutputHealth {
  readonly sending: boolean;
  /** Frames in which the live flash limiter dimmed a lamp or the rig (seeks, takeovers, blackout). */
  readonly limiter_actions: number;
  readonly universes: readonly number[];
}

/** What lamps show at one moment: light of the show and the desk, or slots that were recorded, sent as they were. */
export type LampScene =
  | StageScene
  | {
      readonly kind: "recorded";
      /** At an output with this offset; undefined leaves the universe dark. */
      readonly slotsOf: (universe: number, offsetMs: number) => Uint8Array | undefined;
    };

/**
 * Draws the scene ahead of time into the ring the output thread sends from.
 * Owns the output thread; `close` leaves the rig dark.
 */
export class Stage {
  readonly #sceneAt: (ms: number) => LampScene;
  readonly #link: OutputLink;
  #plan = EMPTY_PLAN;
  /** Drawn in place of the plan for a while. */
  #guest: { readonly plan: LightingPlan; readonly output: string } | undefined;
  #rig = EMPTY_RIG;
  #bound: BoundShow;
  /** The plan is read at the tempo of what is heard. */
  #isLive = false;
  #hands: Hands = {};
  /** Tick up to which the ring is written; ticks after it are still to be drawn. */
  #written = -1;
  /** What outputs with the same offset show, by that offset in ms. */
  #lights = new Map<number, ShownLight>();
  #limiterActions = 0;
  #redraw: NodeJS.Timeout | undefined;
  /** While live sound has the lamps: draws the next tick when it is time. */
  #due: NodeJS.Timeout | undefined;
  readonly #drawn = new DrawnTicks();
  /** The tick that was drawn at once for what was struck. */
  #struck = -1;
  #isHailing = false;
  #limits: PlanLimits | undefined;
  readonly #timer: NodeJS.Timeout;

  constructor(source: SacnSource, sceneAt: (ms: number) => LampScene, options?: OutputLinkOptions) {
    this.#sceneAt = sceneAt;
    this.#link = new OutputLink(source, options);
    this.#bound = new BoundShow(EMPTY_PLAN, EMPTY_RIG, {});
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

  get isSending(): boolean {
    return this.#link.ring.mode === MODE.live;
  }

  /** When the next frame that can still be drawn is due, in `monotonicMs`. */
  get nextTickMs(): number {
    return this.#link.ring.timeOf(this.#nextTick());
  }

  /** The show to draw from now on, on the rig there is. @param isLive scenes have a `live` light of it */
  setPlan(plan: LightingPlan, isLive = false): void {
    this.#plan = plan;
    this.#guest = undefined;
    this.#isLive = isLive;
    this.#bind();
    this.refresh();
  }

  /** Another plan over the show, until {@link endVisit}. @param output lamps of all others stay dark; empty means all */
  visit(plan: LightingPlan, output: string): void {
    this.#guest = { plan, output };
    this.#bind();
    this.refresh();
  }

  /** Draws the show again that was there before. */
  endVisit(): void {
    if (!this.#guest) return;
    this.#guest = undefined;
    this.#bind();
  }

  /**
   * The rig and where it is sent. A show that plays goes on where it is: its clock and the memory of the flash limiter
   * stay, outputs that did not change are not touched.
   */
  setRig(rig: Rig, outputs: readonly Output[]): void {
    const isSameRig = JSON.stringify(rig) === JSON.stringify(this.#rig);
    this.#rig = rig;
    // Nobody sees the plan of a show that is over; the next one is bound when it comes.
    if (this.#sceneAt(monotonicMs()).kind === "silent") this.#plan = EMPTY_PLAN;
    if (!isSameRig) this.#bind();
    this.#link.setOutputs(outputs, () => {
      this.#writeSafeLooks();
      this.refresh();
    });
  }

  /** Lights that are on and have something that shines. */
  lightIds(): ReadonlySet<number> {
    return new Set(this.#bound.show.lightIds);
  }

  /** What is in somebody's hand at the desk from now on; {@link refresh} shows it. */
  setDesk(hands: Hands): void {
    this.#hands = hands;
    this.#bound.setDesk(hands);
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
    const next = this.#nextTick();
    if (next === this.#struck) return;
    this.#struck = next;
    this.#drawDue();
  }

  /** Tells what is sent, from now on or no more. */
  tap(onSent: ((sent: SentTick) => void) | undefined): void {
    this.#link.tap(onSent);
  }

  health(): StageHealth {
    return {
      ...this.#link.health(),
      sending: this.isSending,
      limiter_actions: this.#limiterActions,
      universes: this.#bound.show.universes,
    };
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    clearTimeout(this.#redraw);
    clearTimeout(this.#due);
    this.#limits?.stop();
    await this.#link.close();
  }

  #bind(): void {
    this.#bound = new BoundShow(this.#guest?.plan ?? this.#plan, this.#rig, this.#hands, this.#bound);
    // At another tempo other moments flash: what is heard is limited as it is drawn, and nowhere else.
    const needsLimits = !this.#isLive || this.#guest !== undefined;
    this.#limits?.stop();
    this.#limits = needsLimits ? new PlanLimits(limitInSlices(this.#bound.show), () => this.#positionNow()) : undefined;
    const next = this.#nextTick();
    for (const light of this.#lights.values()) light.bind(this.#bound.show, next);
    this.#writeSafeLooks();
  }

  /** Seconds of the show; undefined while none plays. */
  #positionNow(): number | undefined {
    const scene = this.#sceneAt(monotonicMs());
    return scene.kind === "show" ? scene.position : undefined;
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
    const from = Math.max(this.#nextTick(), ring.tickAt(monotonicMs() + TOO_LATE_MS) + 1);
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
      for (const light of this.#lights.values()) light.rest(ring.tick);
      this.#written = -1;
      return;
    }
    // What is drawn again is taken out of the ring first: a tick sent in this moment is not drawn again, and the flash
    // limiter does not forget what was really shown.
    const last = ring.tick + RING_TICKS - 2;
    for (let tick = this.#written + 1; tick <= last; tick++) ring.drop(tick);
    const next = this.#nextTick();
    this.#sortLights();
    const first = Math.max(next, this.#written + 1);
    for (const light of this.#lights.values()) light.rewind(next, first);
    const ticks = isFollowing ? Math.min(atMost, LIVE_AHEAD_TICKS) : atMost;
    for (let tick = first; tick <= next + ticks; tick++) {
      this.#drawTick(ring, tick, next);
      if (tick < next + AT_ONCE_TICKS || monotonicMs() - now < SLICE_MS) continue;
      this.#drawLater(0);
      break;
    }
    this.#link.start();
    if (isFollowing) this.#drawWhenDue();
  }

  /** The first tick that has not been sent. */
  #nextTick(): number {
    const { ring } = this.#link;
    return Math.max(ring.tick, ring.tickAt(monotonicMs()) - 1) + 1;
  }

  /** One light for each offset of the outputs; a new one remembers what lamps have shown at the others. */
  #sortLights(): void {
    const wanted = new Set(this.#link.outputs.map(({ offsetMs }) => offsetMs));
    const [some] = this.#lights.values();
    for (const offset of wanted) {
      if (!this.#lights.has(offset)) this.#lights.set(offset, new ShownLight(this.#bound.show, some));
    }
    for (const offset of this.#lights.keys()) if (!wanted.has(offset)) this.#lights.delete(offset);
  }

  #drawTick(ring: FrameRing, tick: number, next: number): void {
    const ms = ring.timeOf(tick);
    const scene = this.#sceneAt(ms);
    this.#written = tick;
    this.#drawn.note(tick, scene, next);
    if (scene.kind === "silent") return;
    if (scene.kind === "recorded") return this.#writeRecorded(tick, scene);
    for (const [offset, light] of this.#lights) {
      // Light of an output with an offset is that much ahead of the music; what is pressed is not.
      const shown = offset === 0 || !scene.allowsStrobe ? scene : this.#sceneAt(ms + offset);
      this.#bound.setStates(scene, shown.kind === "show" ? shown : undefined);
      if (light.show(tick)) this.#limiterActions++;
    }
    ring.write(tick, (i, slots) => {
      const { id, universe, offsetMs } = this.#link.outputs[i]!;
      if (this.#guest?.output && this.#guest.output !== id)
        return slots.set(ring.dark.subarray(i * SLOTS, (i + 1) * SLOTS));
      const drawn = this.#lights.get(offsetMs)?.frame.get(universe);
      if (drawn) slots.set(drawn);
      else slots.fill(0);
    });
  }

  #writeRecorded(tick: number, { slotsOf }: LampScene & { kind: "recorded" }): void {
    const { ring, outputs } = this.#link;
    for (const light of this.#lights.values()) light.rest(tick);
    ring.write(tick, (i, slots) => {
      const { universe, offsetMs } = outputs[i]!;
      slots.set(slotsOf(universe, offsetMs) ?? ring.dark.subarray(i * SLOTS, (i + 1) * SLOTS));
    });
  }

  #writeSafeLooks(): void {
    const { ring, outputs } = this.#link;
    this.#bound.writeSafeLooks(
      ring,
      outputs.map(({ universe }) => universe),
    );
  }
}
