import {
  compileShow,
  houseLook,
  LiveLimiter,
  newFrame,
  renderFrame,
  type CompiledShow,
  type Frame,
} from "@followspot/lighting";
import type { LightingPlan, Output, Rig } from "@followspot/contract";
import { MODE, monotonicMs, SLOTS, TICK_HZ, type FrameRing } from "./frame-ring.ts";
import { OutputLink, type OutputHealth, type OutputLinkOptions } from "./output-link.ts";
import type { Scene } from "./playback.ts";
import type { SacnSource } from "./sacn-packet.ts";

/** Frames are rendered this far ahead, so a busy main thread does not reach the lamps. */
const AHEAD_TICKS = Math.ceil(0.8 * TICK_HZ);
const RENDER_EVERY_MS = 100;
/** A second and a tick. The planner's window is longer, 46 of its 44 Hz, so what it let through passes. */
const LIMITER_TICKS = Math.ceil(TICK_HZ) + 1;

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

/**
 * Draws the scene ahead of time into the ring the output thread sends from.
 * Owns the output thread; `close` leaves the rig dark.
 */
export class Stage {
  readonly #sceneAt: (ms: number) => Scene;
  readonly #link: OutputLink;
  #plan = EMPTY_PLAN;
  #rig = EMPTY_RIG;
  #show: CompiledShow;
  #frame: Frame;
  #house: Frame;
  /** Tick up to which the ring is written; ticks after it are still to be drawn. */
  #written = -1;
  /** Limiter state before each tick still in the ring, so that ticks can be drawn again. */
  #limiters: { tick: number; state: LiveLimiter }[] = [];
  /** Limiters of ticks that are over, to be used again. */
  #spareLimiters: LiveLimiter[] = [];
  #limiter: LiveLimiter;
  #limiterActions = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(source: SacnSource, sceneAt: (ms: number) => Scene, options?: OutputLinkOptions) {
    this.#sceneAt = sceneAt;
    this.#link = new OutputLink(source, options);
    this.#show = compileShow(EMPTY_PLAN, EMPTY_RIG);
    this.#frame = newFrame(this.#show);
    this.#house = newFrame(this.#show);
    this.#limiter = new LiveLimiter(this.#show, LIMITER_TICKS);
    this.#timer = setInterval(() => this.#draw(), RENDER_EVERY_MS);
  }

  /** Those that are enabled. */
  get outputs(): readonly Output[] {
    return this.#link.outputs;
  }

  /** The show to draw from now on, on the rig there is. */
  setPlan(plan: LightingPlan): void {
    this.#plan = plan;
    this.#bind();
    this.refresh();
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

  /** Something changed: draw again everything that has not been sent. */
  refresh(): void {
    this.#written = Math.min(this.#written, this.#link.ring.tick);
    this.#draw();
  }

  health(): StageHealth {
    return {
      ...this.#link.health(),
      sending: this.#link.ring.mode === MODE.live,
      limiter_actions: this.#limiterActions,
      universes: this.#show.universes,
    };
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#link.close();
  }

  #bind(): void {
    this.#show = compileShow(this.#plan, this.#rig);
    this.#rewindLimiter(this.#nextTick());
    const limiter = new LiveLimiter(this.#show, LIMITER_TICKS);
    limiter.carry(this.#limiter);
    this.#limiter = limiter;
    this.#limiters = [];
    this.#spareLimiters = [];
    this.#frame = newFrame(this.#show);
    this.#house = newFrame(this.#show);
    houseLook(this.#show, this.#house);
    this.#writeSafeLooks();
  }

  #draw(): void {
    const { ring } = this.#link;
    const now = monotonicMs();
    if (this.#sceneAt(now).kind === "silent") {
      this.#link.stop();
      this.#limiter.rest(ring.tick);
      this.#limiters = [];
      this.#written = -1;
      return;
    }
    const next = this.#nextTick();
    while (this.#limiters[0] && this.#limiters[0].tick < next) this.#spareLimiters.push(this.#limiters.shift()!.state);
    const first = Math.max(next, this.#written + 1);
    this.#rewindLimiter(first);
    for (let tick = first; tick <= next + AHEAD_TICKS; tick++) this.#drawTick(ring, tick);
    this.#link.start();
  }

  /** The first tick that has not been sent. */
  #nextTick(): number {
    const { ring } = this.#link;
    return Math.max(ring.tick, ring.tickAt(monotonicMs()) - 1) + 1;
  }

  #drawTick(ring: FrameRing, tick: number): void {
    const ms = ring.timeOf(tick);
    const scene = this.#sceneAt(ms);
    this.#written = tick;
    if (scene.kind === "silent") return;
    this.#limit(scene, tick);
    const { gains } = this.#limiter;
    let drawnOffset = Number.NaN;
    ring.write(tick, (i, slots) => {
      const output = this.#link.outputs[i]!;
      // Light of an output with an offset is that much ahead of the music.
      const shown = output.offsetMs === 0 ? scene : this.#sceneAt(ms + output.offsetMs);
      if (shown.kind === "silent") return slots.fill(0);
      if (output.offsetMs !== drawnOffset) {
        renderFrame(this.#show, scene.allowsStrobe ? shown.position : scene.position, this.#frame, scene.master, gains);
        drawnOffset = output.offsetMs;
      }
      const drawn = this.#frame.get(output.universe);
      if (!drawn) return slots.fill(0);
      slots.set(drawn);
      if (!scene.allowsStrobe) this.#silenceStrobes(ring, i, slots);
      if (scene.houseMix > 0) this.#mixHouse(output.universe, slots, scene.houseMix * scene.master);
    });
  }

  /** The plan is limited already; what this catches are the jumps of seeking, taking over and blackout. */
  #limit(scene: Scene & { kind: "show" }, tick: number): void {
    const before = this.#spareLimiters.pop() ?? new LiveLimiter(this.#show, LIMITER_TICKS);
    before.copyFrom(this.#limiter);
    this.#limiters.push({ tick, state: before });
    if (this.#limiter.limit(scene.position, scene.master, tick)) this.#limiterActions++;
  }

  /** Back to the state before `tick` was drawn for the first time. */
  #rewindLimiter(tick: number): void {
    const at = this.#limiters.findIndex((entry) => entry.tick >= tick);
    if (at < 0) return;
    this.#limiter.copyFrom(this.#limiters[at]!.state);
    this.#spareLimiters.push(...this.#limiters.splice(at).map(({ state }) => state));
  }

  #silenceStrobes(ring: FrameRing, i: number, slots: Uint8Array): void {
    for (let s = 0; s < SLOTS; s++) if (ring.strobes[i * SLOTS + s]) slots[s] = 0;
  }

  #mixHouse(universe: number, slots: Uint8Array, mix: number): void {
    const house = this.#house.get(universe);
    if (!house) return;
    for (let s = 0; s < SLOTS; s++) slots[s] = Math.round(slots[s]! + (house[s]! - slots[s]!) * mix);
  }

  #writeSafeLooks(): void {
    const { ring, outputs } = this.#link;
    const dark = renderFrame(this.#show, 0, newFrame(this.#show), 0);
    const strobeSlots = strobeSlotsOf(this.#show);
    for (const [i, { universe }] of outputs.entries()) {
      const at = i * SLOTS;
      ring.dark.set(dark.get(universe) ?? new Uint8Array(SLOTS), at);
      ring.house.set(this.#house.get(universe) ?? new Uint8Array(SLOTS), at);
      ring.strobes.set(strobeSlots.get(universe) ?? new Uint8Array(SLOTS), at);
    }
  }
}

function strobeSlotsOf(show: CompiledShow): Frame {
  const marks = newFrame(show);
  for (const write of show.writes) {
    if (write.head >= 0 && show.isStrobe[write.head]) marks.get(write.universe)![write.slot] = 1;
  }
  return marks;
}
