import { aimPointOf, deskControlOf, type DeskHand, type Rig } from "@followspot/contract";
import { panAt, tiltAt } from "./aims.ts";
import { fullBrightness, linearOfHex } from "./color.ts";
import type { CompiledShow } from "./compiled-show.ts";
import { HAZE_AT } from "./haze.ts";
import { openBeam } from "./head-optics.ts";
import { FIGURES } from "./movement/figures.ts";
import { placeOfPosition } from "./movement/positions.ts";
import { reachOf, type Reach } from "./movement/reach.ts";
import { pairNamed } from "./plan/recolor-plan.ts";
import { shineIn } from "./wheels.ts";

/** What the desk does to each head of a show. Computed at each press, read at every tick. */
export interface DeskLook {
  /** 1 for heads that stay dark: muted, or not soloed while others are. */
  readonly isMuted: Uint8Array;
  /** 1 for heads whose color is set at the desk; and r, g, b of each head. */
  readonly isTinted: Uint8Array;
  readonly tints: Float32Array;
  /**
   * Color of each head from the color pair set at the desk, used while nothing plays that could be recolored; undefined
   * if no pair is set.
   */
  readonly pairTints: Float32Array | undefined;
  /** 1 for heads of fixtures that are being identified. */
  readonly isIdentified: Uint8Array;
  /** 1 for heads that are aimed: lit, and moved by nothing else. */
  readonly isAimed: Uint8Array;
  /** 1 for heads that the desk points somewhere, including aimed ones; and pan and tilt of each head. */
  readonly isPointed: Uint8Array;
  readonly points: Float32Array;
  /** Movement effect of each head around its point: an index into `FIGURES`, or -1 for none; and its size. */
  readonly figures: Int8Array;
  readonly reaches: readonly (Reach | undefined)[];
  readonly blinder: boolean;
}

/** Resolves which heads the held controls affect. The color of a group takes precedence over that of the rig. */
export function bindDesk(show: CompiledShow, rig: Rig, hands: Readonly<Record<string, DeskHand>>): DeskLook {
  const n = show.headCount;
  const reaches = Array.from<Reach | undefined>({ length: n });
  const lightsOf = new Map(rig.groups.map(({ id, lightIds }) => [id, new Set(lightIds)]));
  const look = {
    isMuted: new Uint8Array(n),
    isTinted: new Uint8Array(n),
    tints: new Float32Array(3 * n),
    isIdentified: new Uint8Array(n),
    isAimed: new Uint8Array(n),
    isPointed: new Uint8Array(n),
    points: new Float32Array(2 * n),
    pairTints: tintsOfPair(show, hands["pair"]),
    figures: new Int8Array(n).fill(-1),
    reaches,
    blinder: "blinder" in hands,
  };
  const isSoloed = new Uint8Array(n);
  let hasSolo = false;
  const controls = Object.entries(hands).map(([key, hand]) => ({ ...deskControlOf(key), hand }));
  const sorted = controls.toSorted((a, b) => since(a) - since(b));
  for (const { kind, group = "", light, hand } of sorted) {
    if (kind === "identify") for (let h = 0; h < n; h++) if (show.lightIds[h] === light) look.isIdentified[h] = 1;
    if (kind === "aim") aimLight(show, look, light ?? 0, hand);
    if (kind === "point") pointHeads(show, look, group === "" ? undefined : (lightsOf.get(group) ?? new Set()), hand);
    if (kind !== "mute" && kind !== "solo" && kind !== "color") continue;
    const lights = lightsOf.get(group);
    if (group !== "" && !lights) continue;
    if (kind === "solo") hasSolo = true;
    const tint = kind === "color" ? fullBrightness(linearOfHex(String(hand.value))) : undefined;
    for (let h = 0; h < n; h++) {
      if (lights && !lights.has(show.lightIds[h]!)) continue;
      if (kind === "mute") look.isMuted[h] = 1;
      if (kind === "solo") isSoloed[h] = 1;
      if (!tint) continue;
      look.isTinted[h] = 1;
      look.tints.set([tint.r, tint.g, tint.b], 3 * h);
    }
  }
  // Movement effects follow after all points are set, whichever of the two was pressed first.
  for (const { kind, group = "", hand } of sorted) {
    if (kind !== "figure") continue;
    const lights = group === "" ? undefined : (lightsOf.get(group) ?? new Set<number>());
    moveHeads(show, rig, { ...look, reaches }, lights, hand);
  }
  if (hasSolo) for (let h = 0; h < n; h++) if (isSoloed[h] === 0) look.isMuted[h] = 1;
  return look;
}

/** Aims one fixture. An aim takes precedence over the position of its group. */
function aimLight(show: CompiledShow, look: DeskLook, light: number, { value }: DeskHand): void {
  const point = aimPointOf(value);
  for (let h = 0; point && h < show.headCount; h++) {
    if (show.lightIds[h] !== light || show.moves[h] === 0) continue;
    look.isAimed[h] = 1;
    look.isPointed[h] = 1;
    look.points.set([point.pan, point.tilt], 2 * h);
  }
}

/**
 * Points heads at a position preset. Each head with pan or tilt has every position, either taught or computed from
 * where it hangs. @param lights undefined for all fixtures
 */
function pointHeads(
  show: CompiledShow,
  look: DeskLook,
  lights: ReadonlySet<number> | undefined,
  { value }: DeskHand,
): void {
  const place = placeOfPosition(value);
  for (let h = 0; h < show.headCount; h++) {
    const isMeant = !lights || lights.has(show.lightIds[h]!);
    if (!isMeant || look.isAimed[h] === 1 || show.moves[h] === 0) continue;
    look.isPointed[h] = 1;
    look.points.set([panAt(show.aims, h, place), tiltAt(show.aims, h, place)], 2 * h);
  }
}

/** Size of the desk's movement effects, and the position of heads that are not pointed anywhere. */
const FIGURE_SIZE = 0.6;
const FIGURE_PLACE = placeOfPosition("fan");

/**
 * Starts a movement effect around the points of the heads. The effect of a group takes precedence over that of all.
 * @param lights undefined for all fixtures
 */
function moveHeads(
  show: CompiledShow,
  rig: Rig,
  look: Omit<DeskLook, "reaches"> & { readonly reaches: (Reach | undefined)[] },
  lights: ReadonlySet<number> | undefined,
  { value }: DeskHand,
): void {
  const figure = FIGURES.findIndex(({ name }) => name === value);
  if (figure < 0) return;
  const lightOf = new Map(rig.lights.map((light) => [light.id, light]));
  for (let h = 0; h < show.headCount; h++) {
    const [light, row] = [lightOf.get(show.lightIds[h]!), show.rows[h]];
    const isMeant = !lights || lights.has(show.lightIds[h]!);
    if (!light || !row || !isMeant || look.isAimed[h] === 1) continue;
    if (look.isPointed[h] === 0) {
      look.isPointed[h] = 1;
      look.points.set([panAt(show.aims, h, FIGURE_PLACE), tiltAt(show.aims, h, FIGURE_PLACE)], 2 * h);
    }
    look.figures[h] = figure;
    const drawn = { figure, size: FIGURE_SIZE, spread: FIGURES[figure]!.spread };
    look.reaches[h] = reachOf(show.aims, h, light, row, drawn);
  }
}

/** Returns the color of each head from a color pair. Fixtures alternate between both ends of the pair. */
function tintsOfPair(show: CompiledShow, hand: DeskHand | undefined): Float32Array | undefined {
  const pair = hand && pairNamed(hand.value);
  if (!pair) return undefined;
  const ends = [pair.colors[0], pair.colors[2]].map((hex) => fullBrightness(linearOfHex(hex)));
  return Float32Array.from({ length: 3 * show.headCount }, (_, i) => {
    const { r, g, b } = ends[show.colorTurns[Math.floor(i / 3)]! % 2]!;
    return [r, g, b][i % 3]!;
  });
}

/** Sort key of a control: the rig's first, then those of groups in the order of their presses. The last one wins. */
function since({ group = "", hand }: { readonly group?: string; readonly hand: DeskHand }): number {
  return group === "" ? Number.NEGATIVE_INFINITY : hand.since;
}

/** Momentary state of the desk, in addition to its look. */
export interface DeskMoment {
  /** Whether the desk's strobe is on at this moment; undefined while it is not pressed. */
  readonly strobe?: boolean | undefined;
  /** Whether fixtures that are being identified are on at this moment. */
  readonly identify?: boolean | undefined;
  /** Whether nothing plays, so that fixtures with a color set at the desk show it at full. */
  readonly isColorLight?: boolean | undefined;
  /** Whether hazers run. */
  readonly isHazing?: boolean | undefined;
  /** Cycles of the movement effects completed so far, and the length of one cycle in seconds. */
  readonly figure?: { readonly cycles: number; readonly seconds: number } | undefined;
}

/**
 * Applies the desk to the current states. An aimed fixture shows white, narrow, at its point, and an identified one
 * blinks white, whatever else is pressed. The beam is open on fixtures that the desk points or turns white. Muting
 * overrides everything that lights; blinder and strobe override the show. White uses all emitters of a fixture.
 * Allocation free.
 */
export function applyDesk(
  show: CompiledShow,
  look: DeskLook,
  { strobe, identify, isColorLight, isHazing, figure }: DeskMoment,
): void {
  show.haze[HAZE_AT.desk] = isHazing ? 1 : 0;
  for (let h = 0; h < show.headCount; h++) {
    show.fullWhite[h] = 0;
    if (look.isPointed[h] === 1) {
      show.pan[h] = look.points[2 * h]!;
      show.tilt[h] = look.points[2 * h + 1]!;
      openBeam(show, h);
      if (figure && look.figures[h]! >= 0) drawFigure(show, look, h, figure.cycles, figure.seconds);
    }
    if (look.isAimed[h] === 1) {
      show.level[h] = 1;
      show.zoom[h] = 0;
      shineWhite(show, h);
      continue;
    }
    if (look.isIdentified[h] === 1) {
      show.level[h] = identify ? 1 : 0;
      shineWhite(show, h);
      continue;
    }
    if (look.isMuted[h] === 1) {
      show.level[h] = 0;
      continue;
    }
    if (look.isTinted[h] === 1) {
      const r = look.tints[3 * h]!;
      const g = look.tints[3 * h + 1]!;
      const b = look.tints[3 * h + 2]!;
      if (Math.min(r, g, b) < 1) shineIn(show, h, r, g, b);
      else shineWhite(show, h);
    } else if (isColorLight && look.pairTints) {
      const [r, g, b] = [look.pairTints[3 * h]!, look.pairTints[3 * h + 1]!, look.pairTints[3 * h + 2]!];
      shineIn(show, h, r, g, b);
    }
    // Strobe fixtures stay as they are: they only flash in a show and would stay lit.
    const isColored = look.isTinted[h] === 1 || look.pairTints !== undefined;
    if (isColorLight && isColored && show.isStrobe[h] === 0) show.level[h] = 1;
    if (strobe !== undefined) {
      show.level[h] = strobe ? 1 : 0;
      if (look.isTinted[h] === 0) shineWhite(show, h);
    }
    if (look.blinder) {
      show.level[h] = 1;
      shineWhite(show, h);
    }
  }
}

/** Moves a head along its figure, reduced in size if the head is too slow for it. */
function drawFigure({ pan, tilt }: CompiledShow, look: DeskLook, h: number, cycles: number, seconds: number): void {
  const { panAt: across, tiltAt: up } = FIGURES[look.figures[h]!]!;
  const reach = look.reaches[h]!;
  const size = reach.cycleSeconds > seconds ? seconds / reach.cycleSeconds : 1;
  const phase = cycles - reach.late;
  pan[h] = Math.min(1, Math.max(0, pan[h]! + reach.pan * size * across(phase)));
  tilt[h] = Math.min(1, Math.max(0, tilt[h]! + reach.tilt * size * up(phase)));
}

function shineWhite(show: CompiledShow, h: number): void {
  shineIn(show, h, 1, 1, 1);
  openBeam(show, h);
  show.fullWhite[h] = 1;
}

/** Darkens heads of the strobe role while the show stands still: a frozen hit would stay lit. */
export function restStrobes(show: CompiledShow): void {
  for (let h = 0; h < show.headCount; h++) if (show.isStrobe[h] === 1) show.level[h] = 0;
}
