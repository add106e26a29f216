import type { FixtureChannel } from "@followspot/contract";
import { fullBrightness, linearOfHex, oklabInto, oklabOfLinear } from "./color.ts";
import type { CompiledShow, Wheel } from "./compiled-show.ts";
import type { CompiledCue, CueMoment } from "./intents.ts";

/** Cues shorter than this keep the current slot, seconds; otherwise the wheel would turn all the time. */
const SHORTEST_TURN_SECONDS = 0.4;
/**
 * OKLab distance within which the previous slot is kept instead of the nearest. 0.02 is just noticeable side by side.
 */
const KEPT_WITHIN = 0.03;

/** Shortest fade between two slots that goes dark in the middle while the wheel turns, seconds. */
export const DARK_TURN_FROM_SECONDS = 0.8;
/** Dark time to either side of the middle of such a fade, seconds. Wheels take 0.1 to 0.3 s from slot to slot. */
const DARK_SECONDS = 0.15;

/** The color wheels of a rig without duplicates, and the wheel of each channel. */
export class WheelRack {
  readonly wheels: Wheel[] = [];
  readonly #indexes = new Map<string, number>();

  /** Returns the index of the wheel with the slots of a channel. */
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
 * Chooses the wheel slots of every cue of a lane once, for all frames. The wheel position then depends on song time
 * only, wherever playback starts.
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

/** Converts colors from r, g, b to OKLab: l, a, b. */
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
 * Returns the slot that looks most like the given linear light. The slot `standing` is kept if it looks nearly as
 * close. Allocation free.
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

/** Sets the color of a head, whatever its source. A head with a wheel shows the nearest slot. Allocation free. */
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

/** Sets the color of a head to that of a slot. */
export function showSlot(show: CompiledShow, h: number, slot: number): void {
  const { colors } = show.wheels[show.wheelOf[h]!]!;
  show.slot[h] = slot;
  show.red[h] = colors[3 * slot]!;
  show.green[h] = colors[3 * slot + 1]!;
  show.blue[h] = colors[3 * slot + 2]!;
}

/**
 * Returns the slot that a cue needs on a wheel at this moment. @param turn color turn of the head, for cues that
 * alternate colors
 */
export function slotAt(moment: CueMoment, wheel: number, turn: number): number {
  const cue = moment.cue!;
  const k = cue.alternates ? turn % cue.colorCount : 0;
  const isLate = Math.abs(moment.white - cue.toWhite) < Math.abs(moment.white - cue.white);
  return cue.wheelSlots[wheel]![2 * k + (isLate ? 1 : 0)]!;
}

/**
 * Returns the brightness factor of a fade between two slots, 0 around the middle. @param share position in the fade,
 * 0..1 @param seconds length of the fade
 */
export function darkTurn(share: number, seconds: number): number {
  const dark = DARK_SECONDS / seconds;
  const away = Math.abs(share - 0.5);
  return Math.min(1, Math.max(0, (away - dark) / (0.5 - dark)));
}
