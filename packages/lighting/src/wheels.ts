import type { FixtureChannel } from "@followspot/contract";
import { fullBrightness, linearOfHex, oklabInto, oklabOfLinear } from "./color.ts";
import type { CompiledShow, Wheel } from "./compiled-show.ts";
import type { CompiledCue, CueMoment } from "./intents.ts";

/** Cues shorter than this, in seconds, keep the wheel where it stands: it would be on its way all the time. */
const SHORTEST_TURN_SECONDS = 0.4;
/** The slot before is kept while it is nearly as near: OKLab distance, where 0.02 is just noticeable side by side. */
const KEPT_WITHIN = 0.03;

/** Fades of at least so many seconds between two slots go through darkness, in which the wheel turns. */
export const DARK_TURN_FROM_SECONDS = 0.8;
/** How long the lamp is dark in the middle of such a fade, to either side: wheels take 0.1 to 0.3 s from slot to slot. */
const DARK_SECONDS = 0.15;

/** The colour wheels of a rig, each once, and which of them a channel turns. */
export class WheelRack {
  readonly wheels: Wheel[] = [];
  readonly #indexes = new Map<string, number>();

  /** Index of the wheel with the slots of a channel. */
  indexOf({ slots = [] }: FixtureChannel): number {
    const key = slots.map(({ color }) => color).join();
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    const colors = Float32Array.from(
      slots.flatMap(({ color }) => {
        const { r, g, b } = fullBrightness(linearOfHex(color));
        return [r, g, b];
      }),
    );
    this.#indexes.set(key, this.wheels.length);
    return this.wheels.push({ colors, labs: labsOf(colors) }) - 1;
  }
}

/**
 * Choose the slot of every cue of a lane once, for all frames: what a wheel shows is then a function of song time alone,
 * wherever the song is entered.
 *
 * @param cues in order of time
 */
export function chooseSlots(cues: readonly CompiledCue[], wheels: readonly Wheel[]): void {
  let before: CompiledCue | undefined;
  for (const cue of cues) {
    const isShort = cue.end - cue.start < SHORTEST_TURN_SECONDS;
    const last = before && cue.start - before.end < SHORTEST_TURN_SECONDS ? before : undefined;
    cue.wheelSlots = wheels.map(({ labs }, w) => {
      const kept = last?.wheelSlots[w];
      return Uint8Array.from({ length: 2 * cue.colorCount }, (_, i) => {
        const k = i >> 1;
        const standing = kept?.[2 * (k % (last?.colorCount || 1)) + 1];
        if (isShort && standing !== undefined) return standing;
        const white = i % 2 === 0 ? cue.white : cue.toWhite;
        const mixed = (channel: number) => {
          const value = cue.colors[3 * k + channel]!;
          return value + (1 - value) * white;
        };
        return nearestSlot(labs, mixed(0), mixed(1), mixed(2), standing);
      });
    });
    before = cue;
  }
}

/** OKLab of colours: l, a, b for r, g, b. */
export function labsOf(colors: Float32Array): Float32Array {
  const labs = new Float32Array(colors.length);
  for (let i = 0; i < colors.length; i += 3) {
    const { l, a, b } = oklabOfLinear({ r: colors[i]!, g: colors[i + 1]!, b: colors[i + 2]! });
    labs.set([l, a, b], i);
  }
  return labs;
}

const LAB = new Float64Array(3);

/**
 * The slot that looks most like linear light; `standing` is kept while it looks nearly as much like it. Allocation free.
 *
 * @param labs OKLab of every slot
 */
export function nearestSlot(labs: Float32Array, r: number, g: number, b: number, standing?: number): number {
  oklabInto(LAB, r, g, b);
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  let standingAway = Number.POSITIVE_INFINITY;
  for (let s = 0; 3 * s < labs.length; s++) {
    const away = Math.hypot(labs[3 * s]! - LAB[0]!, labs[3 * s + 1]! - LAB[1]!, labs[3 * s + 2]! - LAB[2]!);
    if (s === standing) standingAway = away;
    if (away >= least) continue;
    least = away;
    best = s;
  }
  return standing !== undefined && standingAway <= least + KEPT_WITHIN ? standing : best;
}

/** The colour a head is to show, from whatever source: one with a wheel shows the slot nearest to it. Allocation free. */
export function shineIn(show: CompiledShow, h: number, r: number, g: number, b: number): void {
  const wheel = show.wheels[show.wheelOf[h]!];
  if (!wheel) {
    show.red[h] = r;
    show.green[h] = g;
    show.blue[h] = b;
    return;
  }
  showSlot(show, h, nearestSlot(wheel.labs, r, g, b));
}

/** What shines through a slot is what the lamp shows. */
export function showSlot(show: CompiledShow, h: number, slot: number): void {
  const { colors } = show.wheels[show.wheelOf[h]!]!;
  show.slot[h] = slot;
  show.red[h] = colors[3 * slot]!;
  show.green[h] = colors[3 * slot + 1]!;
  show.blue[h] = colors[3 * slot + 2]!;
}

/** The slot a cue wants of a wheel now. @param turn of the lamp, where they show colours in turn */
export function slotAt(moment: CueMoment, wheel: number, turn: number): number {
  const cue = moment.cue!;
  const k = cue.alternates ? turn % cue.colorCount : 0;
  const isLate = Math.abs(moment.white - cue.toWhite) < Math.abs(moment.white - cue.white);
  return cue.wheelSlots[wheel]![2 * k + (isLate ? 1 : 0)]!;
}

/** Factor on a lamp's brightness in a fade between two slots, `share` 0..1 of `seconds`: dark around the middle. */
export function darkTurn(share: number, seconds: number): number {
  const dark = DARK_SECONDS / seconds;
  const away = Math.abs(share - 0.5);
  return Math.min(1, Math.max(0, (away - dark) / (0.5 - dark)));
}
