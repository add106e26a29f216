import { lastAtOrBefore, type LightingPlan, type LightOnStage, type Rig } from "@followspot/contract";
import {
  applyDesk,
  bindDesk,
  bindShow,
  dimStates,
  hexOfLinear,
  houseLook,
  mixIdleLook,
  newFrame,
  newStates,
  renderFrame,
  restHaze,
  restStrobes,
  setLiveStates,
  setMeltedStates,
  setStates,
  sizeLevels,
  WRITE,
  type CompiledShow,
  type DeskMoment,
  type Frame,
} from "@followspot/lighting";
import { SLOTS, type FrameRing } from "./outputs/frame-ring.ts";
import { beatsPerFlash, FIGURE_BEATS, type StageScene } from "./desk/desk-scene.ts";
import type { Hands } from "./desk/desk-rules.ts";

/** Duty cycle of the desk's strobe: at its fastest rate the third-last flash then ended a second ago. */
const STROBE_DUTY = 0.17;

type ShowScene = StageScene & { readonly kind: "show" };

/** A plan bound to the current rig, with the held controls of the desk applied. */
export class BoundShow {
  readonly show: CompiledShow;
  readonly #rig: Rig;
  /** Scratch states for a live or a calmer show, which mix several moments. */
  readonly #spare;
  readonly #house: Frame;
  #desk;

  /** @param before preceding bound show; on the same rig it saves half of the work */
  constructor(plan: LightingPlan, rig: Rig, hands: Hands, before?: BoundShow) {
    this.show = bindShow(plan, rig, before && before.#rig === rig ? before.show : undefined);
    this.#rig = rig;
    this.#spare = newStates(this.show);
    this.#desk = bindDesk(this.show, rig, hands);
    this.#house = newFrame(this.show);
    houseLook(this.show, this.#house);
  }

  /** Whether a user at the desk controls the moving heads. */
  get leadsHeads(): boolean {
    return this.#desk.isPointed.includes(1);
  }

  setDesk(hands: Hands): void {
    this.#desk = bindDesk(this.show, this.#rig, hands);
  }

  /**
   * Computes the states of the show for one tick, before the live flash limiter.
   * @param shown scene of the show, at another moment if the output has an offset; undefined if nothing plays
   */
  setStates(scene: ShowScene, shown: ShowScene | undefined): void {
    const { show } = this;
    this.#setAsked(scene, shown);
    this.#applyDesk(scene);
    dimStates(show, shown ? scene.master : 0);
    // Planned haze is only for a running song: not while it is paused, fades into the default look, or is blacked out.
    if (!scene.allowsStrobe || scene.live || scene.houseMix > 0 || scene.master === 0) restHaze(show);
  }

  /**
   * Returns the values requested of one light at a moment, and what remains after the desk. It overwrites the states of
   * the show, as the rendering of every tick does.
   */
  lightOf(lightId: number, scene: ShowScene): Pick<LightOnStage, "light" | "lanes" | "next_at"> {
    const { show } = this;
    const heads = [...show.lightIds.keys()].filter((h) => show.lightIds[h] === lightId);
    const brightest = () => Math.min(1, Math.max(0, ...heads.map((h) => show.level[h]!)));
    this.#setAsked(scene, scene);
    const asked = brightest();
    this.#applyDesk(scene);
    const afterDesk = brightest();
    dimStates(show, scene.master);
    const head = heads.toSorted((a, b) => show.level[b]! - show.level[a]!)[0];
    const color = head === undefined ? "" : hexOfLinear({ r: show.red[head]!, g: show.green[head]!, b: show.blue[head]! }); // prettier-ignore
    const next = Math.min(...heads.flatMap((h) => show.headLanes[h]!.map((lane) => nextCueOf(lane, scene.position))));
    return {
      light: { asked, after_desk: afterDesk, shown: brightest(), color },
      lanes: [...new Set(heads.map((h) => show.headTargets[h]!))].filter((lane) => lane !== ""),
      ...(next < Number.POSITIVE_INFINITY && { next_at: next }),
    };
  }

  /** Writes the fallbacks of the ring: the dark look, the default look, and the slots that strobe or haze. */
  writeSafeLooks(ring: FrameRing, universes: readonly number[]): void {
    const dark = renderFrame(this.show, 0, newFrame(this.show), 0);
    const strobes = slotsThatEnd(this.show);
    for (const [i, universe] of universes.entries()) {
      const at = i * SLOTS;
      ring.dark.set(dark.get(universe) ?? new Uint8Array(SLOTS), at);
      ring.house.set(this.#house.get(universe) ?? new Uint8Array(SLOTS), at);
      ring.strobes.set(strobes.get(universe) ?? new Uint8Array(SLOTS), at);
    }
  }

  #setAsked(scene: ShowScene, shown: ShowScene | undefined): void {
    const { show } = this;
    const { size = 0 } = scene;
    const position = shown?.position ?? 0;
    if (shown?.live) setLiveStates(show, shown.live, this.#spare);
    else if (size < 0) setMeltedStates(show, position, -size, this.#spare.level);
    else setStates(show, position);
    sizeLevels(show, size);
    if (!scene.allowsStrobe) restStrobes(show);
    mixIdleLook(show, scene.idle ?? "house", scene.houseMix, scene.beats ?? 0);
  }

  #applyDesk(scene: ShowScene): void {
    const { identify, isColorLight, isHazing } = scene;
    const figure = this.#figureAt(scene);
    applyDesk(this.show, this.#desk, { strobe: this.#strobeAt(scene), identify, isColorLight, isHazing, figure });
  }

  #strobeAt({ strobe, position }: ShowScene): boolean | undefined {
    if (strobe === undefined) return undefined;
    const turns = strobe === "song" ? this.#flashesOfSong(position) : strobe;
    return turns - Math.floor(turns) < STROBE_DUTY;
  }

  #figureAt({ figure, position, live }: ShowScene): DeskMoment["figure"] {
    if (figure !== "song") return figure;
    const { clock } = this.show;
    const at = live?.position ?? position;
    const beat = clock.beatAt(at);
    return { cycles: beat / FIGURE_BEATS, seconds: FIGURE_BEATS / (clock.beatAt(at + 0.5) - clock.beatAt(at - 0.5)) };
  }

  #flashesOfSong(position: number): number {
    const { clock } = this.show;
    const beat = clock.beatAt(position);
    return beat / beatsPerFlash(clock.beatAt(position + 0.5) - clock.beatAt(position - 0.5));
  }
}

/** Returns the song time of the next cue, seconds; infinite after the last cue. */
const nextCueOf = ({ starts }: CompiledShow["lanes"][number], t: number): number =>
  starts[lastAtOrBefore(starts, t) + 1] ?? Number.POSITIVE_INFINITY;

/** Marks the slots to set to 0 when the renderer is lost: strobes, and hazers that would keep running. */
function slotsThatEnd(show: CompiledShow): Frame {
  const marks = newFrame(show);
  for (const write of show.writes) {
    const hazes = write.write === WRITE.haze && write.closed === 0;
    if (hazes || (write.head >= 0 && show.isStrobe[write.head])) marks.get(write.universe)![write.slot] = 1;
  }
  return marks;
}
