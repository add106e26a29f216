import type { LightingPlan, Rig } from "@followspot/contract";
import { emptyPlan, limitInSlices } from "@followspot/lighting";
import { BoundShow } from "./bound-show.ts";
import type { Hands } from "./desk/desk-rules.ts";
import type { StageScene } from "./desk/desk-scene.ts";
import { monotonicMs, SLOTS } from "./outputs/frame-ring.ts";
import type { OutputLink } from "./outputs/output-link.ts";
import { PlanLimits } from "./plan-limits.ts";
import { ShownLight } from "./shown-light.ts";

const EMPTY_PLAN = emptyPlan(["role:wash", "all"]);

const EMPTY_RIG: Rig = { lights: [], groups: [] };

/** What lamps show at one moment: light of the show and the desk, or slots that were recorded, sent as they were. */
export type LampScene =
  | StageScene
  | {
      readonly kind: "recorded";
      /** At an output with this offset; undefined leaves the universe dark. */
      readonly slotsOf: (universe: number, offsetMs: number) => Uint8Array | undefined;
    };

/**
 * The light of a stage: a plan, or a guest's, on the rig there is, with what is in somebody's hand over it. It writes
 * one tick after the other into the ring the output thread sends from, for every output as far ahead as its offset says.
 */
export class StageLight {
  readonly #link: OutputLink;
  readonly #sceneAt: (ms: number) => LampScene;
  #plan = EMPTY_PLAN;
  /** Drawn in place of the plan for a while. */
  #guest: { readonly plan: LightingPlan; readonly output: string } | undefined;
  #rig = EMPTY_RIG;
  /** The plan is read at the tempo of what is heard. */
  #isLive = false;
  #hands: Hands = {};
  #bound = new BoundShow(EMPTY_PLAN, EMPTY_RIG, {});
  #limits: PlanLimits | undefined;
  /** What outputs with the same offset show, by that offset in ms. */
  readonly #shown = new Map<number, ShownLight>();
  #limiterActions = 0;

  constructor(link: OutputLink, sceneAt: (ms: number) => LampScene) {
    this.#link = link;
    this.#sceneAt = sceneAt;
  }

  /** Frames in which the live flash limiter dimmed a lamp or the rig. */
  get limiterActions(): number {
    return this.#limiterActions;
  }

  get universes(): readonly number[] {
    return this.#bound.show.universes;
  }

  /** Lights that are on and have something that shines. */
  get lightIds(): ReadonlySet<number> {
    return new Set(this.#bound.show.lightIds);
  }

  /** @param isLive scenes have a `live` light of it */
  setPlan(plan: LightingPlan, isLive: boolean): void {
    this.#plan = plan;
    this.#guest = undefined;
    this.#isLive = isLive;
    this.#bind();
  }

  /** Another plan over the show, until {@link endVisit}. @param output lamps of all others stay dark; empty means all */
  visit(plan: LightingPlan, output: string): void {
    this.#guest = { plan, output };
    this.#bind();
  }

  endVisit(): void {
    if (!this.#guest) return;
    this.#guest = undefined;
    this.#bind();
  }

  setRig(rig: Rig): void {
    const isSameRig = JSON.stringify(rig) === JSON.stringify(this.#rig);
    this.#rig = rig;
    // Nobody sees the plan of a show that is over; the next one is bound when it comes.
    if (this.#sceneAt(monotonicMs()).kind === "silent") this.#plan = EMPTY_PLAN;
    if (!isSameRig) this.#bind();
  }

  setDesk(hands: Hands): void {
    this.#hands = hands;
    this.#bound.setDesk(hands);
  }

  /** Gives the ring what it sends when nothing is drawn any more. */
  writeSafeLooks(): void {
    const { ring, outputs } = this.#link;
    this.#bound.writeSafeLooks(
      ring,
      outputs.map(({ universe }) => universe),
    );
  }

  /**
   * Ticks from `first` on are drawn again.
   * @param next the first that has not been sent
   */
  rewind(next: number, first: number): void {
    this.#sortOutputs();
    for (const light of this.#shown.values()) light.rewind(next, first);
  }

  /** Nothing shines from a tick on. */
  rest(tick: number): void {
    for (const light of this.#shown.values()) light.rest(tick);
  }

  /** What lamps show at a tick; of a silent scene nothing. */
  write(tick: number, scene: LampScene): void {
    if (scene.kind === "silent") return;
    if (scene.kind === "recorded") return this.#writeRecorded(tick, scene);
    const { ring, outputs } = this.#link;
    const ms = ring.timeOf(tick);
    for (const [offset, light] of this.#shown) {
      // Light of an output with an offset is that much ahead of the music; what is pressed is not.
      const shown = offset === 0 || !scene.allowsStrobe ? scene : this.#sceneAt(ms + offset);
      this.#bound.setStates(scene, shown.kind === "show" ? shown : undefined);
      if (light.show(tick)) this.#limiterActions++;
    }
    ring.write(tick, (i, slots) => {
      const { id, universe, offsetMs } = outputs[i]!;
      if (this.#guest?.output && this.#guest.output !== id)
        return slots.set(ring.dark.subarray(i * SLOTS, (i + 1) * SLOTS));
      const drawn = this.#shown.get(offsetMs)?.frame.get(universe);
      if (drawn) slots.set(drawn);
      else slots.fill(0);
    });
  }

  stop(): void {
    this.#limits?.stop();
  }

  #writeRecorded(tick: number, { slotsOf }: LampScene & { kind: "recorded" }): void {
    const { ring, outputs } = this.#link;
    this.rest(tick);
    ring.write(tick, (i, slots) => {
      const { universe, offsetMs } = outputs[i]!;
      slots.set(slotsOf(universe, offsetMs) ?? ring.dark.subarray(i * SLOTS, (i + 1) * SLOTS));
    });
  }

  #bind(): void {
    this.#bound = new BoundShow(this.#guest?.plan ?? this.#plan, this.#rig, this.#hands, this.#bound);
    // At another tempo other moments flash: what is heard is limited as it is drawn, and nowhere else.
    const needsLimits = !this.#isLive || this.#guest !== undefined;
    this.#limits?.stop();
    this.#limits = needsLimits ? new PlanLimits(limitInSlices(this.#bound.show), () => this.#positionNow()) : undefined;
    const next = this.#link.ring.nextTick();
    for (const light of this.#shown.values()) light.bind(this.#bound.show, next);
    this.writeSafeLooks();
  }

  /** Seconds of the show; undefined while none plays. */
  #positionNow(): number | undefined {
    const scene = this.#sceneAt(monotonicMs());
    return scene.kind === "show" ? scene.position : undefined;
  }

  /** One light for each offset of the outputs; a new one remembers what lamps have shown at the others. */
  #sortOutputs(): void {
    const wanted = new Set(this.#link.outputs.map(({ offsetMs }) => offsetMs));
    const [some] = this.#shown.values();
    for (const offset of wanted) {
      if (!this.#shown.has(offset)) this.#shown.set(offset, new ShownLight(this.#bound.show, some));
    }
    for (const offset of this.#shown.keys()) if (!wanted.has(offset)) this.#shown.delete(offset);
  }
}
