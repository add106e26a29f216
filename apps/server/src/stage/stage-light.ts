import type { Rig } from "@followspot/contract";
import { emptyPlan, limitInSlices, pairNamed, recolorPlan } from "@followspot/lighting";
import { BoundShow } from "./bound-show.ts";
import type { Hands } from "./desk/desk-rules.ts";
import type { StageScene } from "./desk/desk-scene.ts";
import { drawingOf, type Drawing, type RecordedScene } from "./lamps/scene.ts";
import { monotonicMs, SLOTS } from "./outputs/frame-ring.ts";
import type { OutputLink } from "./outputs/output-link.ts";
import { PlannedLight } from "./planned-light.ts";
import { PlanLimits } from "./plan-limits.ts";
import { ShownLight } from "./shown-light.ts";

const EMPTY = drawingOf(emptyPlan(["role:wash", "all"]));

const EMPTY_RIG: Rig = { lights: [], groups: [] };

/** Scene at one moment: light of the show and the desk, or recorded slots. */
export type LampScene = StageScene | RecordedScene;

/**
 * Renders a drawing on the current rig with the held controls of the desk. It writes one tick after the other into the
 * ring that the output thread sends from, for every output shifted by its offset.
 */
export class StageLight {
  readonly #link: OutputLink;
  readonly #sceneAt: (ms: number) => LampScene;
  #drawing = EMPTY;
  #rig = EMPTY_RIG;
  #hands: Hands = {};
  #bound = new BoundShow(EMPTY.plan, EMPTY_RIG, {});
  #limits: PlanLimits | undefined;
  /** Light by output offset, ms: outputs with the same offset share it. */
  readonly #shown = new Map<number, ShownLight>();
  readonly #planned = new PlannedLight();
  #limiterActions = 0;

  constructor(link: OutputLink, sceneAt: (ms: number) => LampScene) {
    this.#link = link;
    this.#sceneAt = sceneAt;
  }

  /** Frames in which the live flash limiter dimmed a fixture or the rig. */
  get limiterActions(): number {
    return this.#limiterActions;
  }

  get universes(): readonly number[] {
    return this.#bound.show.universes;
  }

  /** Enabled lights that have an emitter. */
  get lightIds(): ReadonlySet<number> {
    return new Set(this.#bound.show.lightIds);
  }

  /** Returns the values requested of one light at a moment, and what remains after the desk. */
  lightOf(lightId: number, scene: StageScene & { readonly kind: "show" }): ReturnType<BoundShow["lightOf"]> {
    return this.#bound.lightOf(lightId, scene);
  }

  /** @returns false if it renders this drawing already */
  draw(drawing: Drawing): boolean {
    if (drawing === this.#drawing) return false;
    this.#drawing = drawing;
    this.#bind();
    return true;
  }

  setRig(rig: Rig): void {
    const isSameRig = JSON.stringify(rig) === JSON.stringify(this.#rig);
    this.#rig = rig;
    // The plan of an ended show is no longer visible; the next plan is bound when it arrives.
    if (this.#sceneAt(monotonicMs()).kind === "silent") this.#drawing = EMPTY;
    if (!isSameRig) this.#bind();
  }

  setDesk(hands: Hands): void {
    const isRecolored = hands["pair"]?.value !== this.#hands["pair"]?.value;
    this.#hands = hands;
    if (isRecolored) this.#bind();
    else this.#bound.setDesk(hands);
  }

  /** Writes the looks that the ring falls back to when rendering stops. */
  writeSafeLooks(): void {
    const { ring, rows } = this.#link;
    this.#bound.writeSafeLooks(
      ring,
      rows.map(({ universe }) => universe),
    );
  }

  /**
   * Prepares to render the ticks from `first` on again.
   * @param next first tick that has not been sent
   */
  rewind(next: number, first: number): void {
    this.#sortOutputs();
    for (const light of this.#shown.values()) light.rewind(next, first);
  }

  /** Records that the rig is dark from a tick on. */
  rest(tick: number): void {
    for (const light of this.#shown.values()) light.rest(tick);
  }

  /** Renders a tick; a silent scene writes nothing. */
  write(tick: number, scene: LampScene): void {
    if (scene.kind === "silent") return;
    if (scene.kind === "recorded") return this.#writeRecorded(tick, scene);
    const { ring, rows } = this.#link;
    const ms = ring.timeOf(tick);
    const isForetold = this.#planned.note(tick, scene, this.#hands, this.#drawing);
    for (const [offset, light] of this.#shown) {
      // An output with an offset runs that much ahead of the music, but not of the desk controls.
      const shown = offset === 0 || !scene.allowsStrobe ? scene : this.#sceneAt(ms + offset);
      this.#bound.setStates(scene, shown.kind === "show" ? shown : undefined);
      if (light.show(tick, isForetold, scene.live !== undefined || this.#bound.leadsHeads)) this.#limiterActions++;
    }
    ring.write(tick, (i, slots) => {
      const { id, universe, offsetMs } = rows[i]!;
      if (this.#drawing.output !== "" && this.#drawing.output !== id)
        return slots.set(ring.dark.subarray(i * SLOTS, (i + 1) * SLOTS));
      const drawn = this.#shown.get(offsetMs)?.frame.get(universe);
      if (drawn) slots.set(drawn);
      else slots.fill(0);
    });
  }

  stop(): void {
    this.#limits?.stop();
  }

  #writeRecorded(tick: number, { slotsOf }: RecordedScene): void {
    const { ring, rows } = this.#link;
    this.rest(tick);
    ring.write(tick, (i, slots) => {
      const { universe, offsetMs } = rows[i]!;
      slots.set(slotsOf(universe, offsetMs) ?? ring.dark.subarray(i * SLOTS, (i + 1) * SLOTS));
    });
  }

  #bind(): void {
    const { plan } = this.#drawing;
    const pair = pairNamed(this.#hands["pair"]?.value);
    this.#bound = new BoundShow(pair ? recolorPlan(plan, pair) : plan, this.#rig, this.#hands, this.#bound);
    this.#limits?.stop();
    // Live sound changes the tempo and thereby the flashes, so it is limited at render time only.
    this.#limits = !this.#drawing.isLive
      ? new PlanLimits(limitInSlices(this.#bound.show), () => this.#positionNow())
      : undefined;
    const next = this.#link.ring.nextTick();
    for (const light of this.#shown.values()) light.bind(this.#bound.show, next);
    this.writeSafeLooks();
  }

  /** Returns the position of the show, seconds; undefined while none plays. */
  #positionNow(): number | undefined {
    const scene = this.#sceneAt(monotonicMs());
    return scene.kind === "show" ? scene.position : undefined;
  }

  /** Keeps one light per output offset; a new one starts with the flash history of another offset. */
  #sortOutputs(): void {
    const wanted = new Set(this.#link.rows.map(({ offsetMs }) => offsetMs));
    const [some] = this.#shown.values();
    for (const offset of wanted) {
      if (!this.#shown.has(offset)) this.#shown.set(offset, new ShownLight(this.#bound.show, some));
    }
    for (const offset of this.#shown.keys()) if (!wanted.has(offset)) this.#shown.delete(offset);
  }
}
