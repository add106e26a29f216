import type { FixtureMode, GroupType, Pose, Rig, RigLight } from "@followspot/contract";
import { padTravelOf } from "../aims.ts";
import { WRITE } from "../bytes.ts";
import type { CompiledShow } from "../compiled-show.ts";
import { setStates } from "../head-states.ts";
import { BEAM, opticChannelOf } from "../optics.ts";
import { roleOfMode } from "../resolve-targets.ts";
import type { Travel } from "../space/directions.ts";
import { posesOf } from "../space/poses.ts";

/** Appearance of a fixture on the stage. */
export type LampBody = "par" | "head" | "bar" | "panel";

/** One fixture with its body and pose. */
export interface StageLamp {
  readonly lightId: number;
  readonly body: LampBody;
  readonly pose: Pose;
  /** Whether it has pan or tilt. */
  readonly moves: boolean;
  /** Indexes of its heads, from one end of its body to the other; empty if the show leaves the fixture out. */
  readonly heads: readonly number[];
}

/** Heads in some order: fixture ID and number within the fixture. */
export type HeadList = Pick<CompiledShow, "headCount" | "lightIds" | "headNumbers">;

/** The beams of a list of heads, in its order. Three numbers per head are x, y, z or red, green, blue. */
export interface LampBeams {
  readonly lamps: readonly StageLamp[];
  readonly count: number;
  readonly lightIds: Int32Array;
  readonly headNumbers: Int32Array;
  /** Shares of the whole travel, as the pad of a fixture shows them. */
  readonly pans: Float32Array;
  readonly tilts: Float32Array;
  /** Beam width, 0..1, narrowest to widest. */
  readonly zooms: Float32Array;
  /** Origin of each beam, meters as in `Pose`. */
  readonly positions: Float32Array;
  /** Unit vectors. */
  readonly directions: Float32Array;
  /** Angle from the axis of a beam to its edge, degrees. */
  readonly halfAngles: Float32Array;
  /** Emitted linear light, 0..1. */
  readonly colors: Float32Array;
  /** Gobo in each beam, from 1 on, or 0 for none; and 1 for those that rotate. */
  readonly gobos: Uint8Array;
  readonly goboTurns: Uint8Array;
  readonly aims: readonly BeamAim[];
}

/** Aim of one head, and the gobos it can put into its beam. */
interface BeamAim {
  readonly pose: Pose;
  readonly moves: boolean;
  readonly travel: Travel;
  /** Half angle of the narrowest and of the widest beam, degrees. */
  readonly from: number;
  readonly to: number;
  /** Number of its gobos, and whether it can rotate them. */
  readonly gobos: number;
  readonly turnsGobos: boolean;
}

/** Full beam angles for definitions without one, degrees: narrowest and widest. */
const ANGLES = { par: [25, 25], wash: [8, 50], spot: [4, 20], bar: [36, 36], panel: [80, 80] } as const;
/** Largest half angle drawn as a cone, degrees. */
const WIDEST_HALF = 42;
const NARROWEST_HALF = 1;

/** Length of a bar, meters. */
export const BAR_LENGTH = 1;
/** Distance between the heads of fixtures other than bars, meters. */
const HEAD_GAP = 0.22;

const COLOURS: ReadonlySet<string> = new Set(["red", "cyan", "hue"]);

/** Beams of a rig in a preview, and the function that lights them. */
export interface LitBeams {
  readonly beams: LampBeams;
  /** Sets the beams to the light of a moment. Allocation free. @param seconds song time, if there is a song */
  readonly light: (seconds: number) => void;
}

/** Returns the beams of a show on a rig, by song time. */
export function litByShow(show: CompiledShow, rig: Rig): LitBeams {
  const beams = lampBeams(show, rig);
  return {
    beams,
    light: (seconds) => {
      setStates(show, seconds);
      setBeams(beams, show);
    },
  };
}

/** Returns the fixtures of a rig with the heads of a show: dark, in the position where the show leaves them. */
export function lampBeams(show: CompiledShow, rig: Rig): LampBeams {
  const beams = darkBeams(show, rig);
  for (let h = 0; h < beams.count; h++) aimBeam(beams, h, show.pan[h]!, show.tilt[h]!, show.zoom[h]!);
  return beams;
}

/** Returns the fixtures of a rig with the listed heads: dark, in the middle of their travel. */
export function darkBeams(list: HeadList, rig: Rig): LampBeams {
  const { headCount: count, lightIds, headNumbers } = list;
  const poses = posesOf(rig);
  const headsOf = Map.groupBy(Array.from({ length: count }, (_, h) => h), (h) => lightIds[h]!); // prettier-ignore
  const typeOf = new Map(rig.groups.toReversed().flatMap((group) => group.lightIds.map((id) => [id, group.type])));
  const lamps = rig.lights
    .filter(({ id, enabled, mode }) => headsOf.has(id) || (enabled && shines(mode)))
    .map((light): StageLamp => {
      const heads = (headsOf.get(light.id) ?? []).toSorted((a, b) => headNumbers[a]! - headNumbers[b]!);
      const body = bodyOf(light, typeOf.get(light.id));
      return { lightId: light.id, body, pose: poses.get(light.id)!, moves: turns(light.mode), heads };
    });
  const aims = Array.from<BeamAim>({ length: count });
  const positions = new Float32Array(3 * count);
  const lights = new Map(rig.lights.map((light) => [light.id, light]));
  for (const { lightId, body, pose, moves, heads } of lamps) {
    const light = lights.get(lightId)!;
    const [from, to] = anglesOf(light.mode, body).map((angle) =>
      Math.min(WIDEST_HALF, Math.max(NARROWEST_HALF, angle / 2)),
    );
    for (const [i, h] of heads.entries()) {
      const gobos = opticChannelOf(light.mode, headNumbers[h]!, WRITE.gobo)?.gobos?.length ?? 0;
      const turnsGobos = opticChannelOf(light.mode, headNumbers[h]!, WRITE.goboRotation) !== undefined;
      aims[h] = { pose, moves, travel: padTravelOf(light), from: from!, to: to!, gobos, turnsGobos };
      const gap = body === "bar" ? BAR_LENGTH / heads.length : HEAD_GAP;
      const along = (i - (heads.length - 1) / 2) * gap;
      const turn = radians(pose.turn);
      positions.set([pose.x + along * Math.cos(turn), pose.y - along * Math.sin(turn), pose.z], 3 * h);
    }
  }
  const beams = {
    lamps,
    count,
    lightIds,
    headNumbers,
    pans: new Float32Array(count),
    tilts: new Float32Array(count),
    zooms: new Float32Array(count),
    positions,
    directions: new Float32Array(3 * count),
    halfAngles: new Float32Array(count),
    colors: new Float32Array(3 * count),
    gobos: new Uint8Array(count),
    goboTurns: new Uint8Array(count),
    aims,
  };
  for (let h = 0; h < count; h++) aimBeam(beams, h, 0.5, 0.5, 0.5);
  return beams;
}

/** Copies the current states of a show, see `setStates`. Allocation free. */
export function setBeams(beams: LampBeams, show: CompiledShow): void {
  const { colors, aims } = beams;
  for (let h = 0; h < beams.count; h++) {
    const level = show.level[h]!;
    colors[3 * h] = level > 0 ? level * show.red[h]! : 0;
    colors[3 * h + 1] = level > 0 ? level * show.green[h]! : 0;
    colors[3 * h + 2] = level > 0 ? level * show.blue[h]! : 0;
    const { gobos, turnsGobos } = aims[h]!;
    const hasGobo = gobos > 0 && show.beam[h] === BEAM.gobo;
    beams.gobos[h] = hasGobo ? (show.gobo[h]! % gobos) + 1 : 0;
    beams.goboTurns[h] = hasGobo && turnsGobos ? show.goboTurns[h]! : 0;
    aimBeam(beams, h, show.pan[h]!, show.tilt[h]!, show.zoom[h]!);
  }
}

/**
 * Computes direction and width like `directionOf` and `fixedDirectionOf`, into the buffers of the beams. Unchanged
 * values are skipped.
 */
export function aimBeam(beams: LampBeams, h: number, pan: number, tilt: number, zoom: number): void {
  const { directions, halfAngles, pans, tilts, zooms, aims } = beams;
  if (halfAngles[h] !== 0 && pans[h] === pan && tilts[h] === tilt && zooms[h] === zoom) return;
  pans[h] = pan;
  tilts[h] = tilt;
  zooms[h] = zoom;
  const { pose, moves, travel, from, to } = aims[h]!;
  const turn = radians(moves ? pose.turn + (pan - 0.5) * travel.pan : pose.turn);
  const lean = radians(moves ? (tilt - 0.5) * travel.tilt : pose.lean);
  const across = Math.sin(lean);
  directions[3 * h] = across * Math.sin(turn);
  directions[3 * h + 1] = across * Math.cos(turn);
  directions[3 * h + 2] = pose.hangs ? -Math.cos(lean) : Math.cos(lean);
  halfAngles[h] = from + (to - from) * zoom;
}

function bodyOf({ mode }: RigLight, type: GroupType | undefined): LampBody {
  const role = roleOfMode(mode);
  if (turns(mode)) return "head";
  if (role === "bar" || type === "bar") return "bar";
  return role === "strobe" || type === "strobe" ? "panel" : "par";
}

function anglesOf(mode: FixtureMode, body: LampBody): readonly [narrowest: number, widest: number] {
  if (mode.beam && mode.beam.to > 0) return [mode.beam.from, mode.beam.to];
  if (body !== "head") return ANGLES[body];
  return mode.channels.some(({ kind }) => COLOURS.has(kind)) ? ANGLES.wash : ANGLES.spot;
}

const turns = ({ channels }: FixtureMode): boolean => channels.some(({ kind }) => kind === "pan" || kind === "tilt");

/** Whether a preview shows the fixture: not for fog, fan and laser machines. */
const shines = ({ channels }: FixtureMode): boolean => !channels.some(({ kind }) => kind === "fog" || kind === "laser");

const radians = (angle: number): number => (angle * Math.PI) / 180;
