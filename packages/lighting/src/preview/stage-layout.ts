import type { GroupType, Rig, RigLight } from "@followspot/contract";
import { STAGE_SPACE, stageOrderOf } from "../space/poses.ts";

/** Size of the picture in its own units; it is scaled when displayed. */
export const STAGE = { width: 1200, height: 236, floor: 204 } as const;

export type LampShape = "beam" | "strip" | "panel";

/** A head that emits light, on the picture. */
export interface Lamp {
  readonly lightId: number;
  readonly head: number;
  readonly label: string;
  readonly shape: LampShape;
  readonly x: number;
  readonly y: number;
  /** Half width of a beam's pool on the floor; width of a strip cell or a panel. */
  readonly spread: number;
  readonly moves: boolean;
  /** Whether its beam can zoom. */
  readonly zooms: boolean;
}

const SHAPES: Record<GroupType, LampShape> = {
  wash: "beam",
  par: "beam",
  spot: "beam",
  effect: "beam",
  mixed: "beam",
  bar: "strip",
  strobe: "panel",
};

/** Most beams in a row; more hang in two rows. */
const ROW_CAPACITY = 14;
/** Most heads on the picture. More are cut off. */
export const MOST_LAMPS = 160;

/** Places every head of the rig on the picture: beams on the truss, strips on the floor, panels behind. */
export function placeLamps(rig: Rig): Lamp[] {
  const { order, typeOf } = stageOrderOf(rig);
  const byId = new Map(rig.lights.map((light) => [light.id, light]));
  const lights = order.filter((light) => light.enabled);
  const shaped = (shape: LampShape): RigLight[] =>
    lights.filter((light) => SHAPES[typeOf.get(light.id) ?? "mixed"] === shape);
  const lined = [...placeBeams(shaped("beam")), ...placeStrips(shaped("strip")), ...placePanels(shaped("panel"))];
  return atTheirPlaces(lined, byId).slice(0, MOST_LAMPS);
}

/** Range of y for a shape by its place from the back of the stage to the front. */
const DEPTH: Record<LampShape, readonly [back: number, front: number]> = {
  beam: [26, 74],
  panel: [62, 132],
  strip: [STAGE.floor - 6, STAGE.floor + 16],
};
const MARGIN = 50;
/** Number of steps between the trusses from which placed fixtures hang. */
const TRUSSES = 3;

/** Moves fixtures that a user has placed on the stage plan to their place, with all of their heads. */
function atTheirPlaces(lamps: readonly Lamp[], lights: ReadonlyMap<number, RigLight>): Lamp[] {
  const centres = Map.groupBy(lamps, ({ lightId }) => lightId);
  return lamps.map((lamp) => {
    const pose = lights.get(lamp.lightId)?.pose;
    if (!pose) return lamp;
    const place = { x: pose.x / STAGE_SPACE.width + 0.5, y: Math.min(1, Math.max(0, pose.y / STAGE_SPACE.depth)) };
    const heads = centres.get(lamp.lightId)!; // it is one of them
    const centre = heads.reduce((sum, { x }) => sum + x, 0) / heads.length;
    const [back, front] = DEPTH[lamp.shape];
    const x = MARGIN + place.x * (STAGE.width - 2 * MARGIN) + lamp.x - centre;
    // Hanging fixtures are aligned to a few trusses, because each distinct height is drawn as one.
    const depth = lamp.shape === "beam" ? Math.round(place.y * TRUSSES) / TRUSSES : place.y;
    const y = back + depth * (front - back) + lamp.y - heads[0]!.y;
    return { ...lamp, x: Math.min(STAGE.width - 8, Math.max(8, x)), y };
  });
}

function placeBeams(lights: readonly RigLight[]): Lamp[] {
  const rows = lights.length > ROW_CAPACITY ? 2 : 1;
  const perRow = Math.ceil(lights.length / rows);
  return lights.flatMap((light, i) => {
    const row = rows === 2 ? i % 2 : 0;
    const place = rows === 2 ? Math.floor(i / 2) : i;
    const gap = (STAGE.width - 120) / perRow;
    const x = 60 + gap * (place + 0.5) + (rows === 2 ? (row === 0 ? -gap / 4 : gap / 4) : 0);
    const heads = headsOf(light);
    const lamps = heads.map((head, h): Lamp => {
      const shift = heads.length === 1 ? 0 : (h / (heads.length - 1) - 0.5) * Math.min(40, gap * 0.6);
      return {
        lightId: light.id,
        head,
        label: light.label,
        shape: "beam",
        x: x + shift,
        y: row === 0 ? 30 : 58,
        spread: Math.max(26, Math.min(78, (gap * 0.66) / (heads.length > 1 ? 1.6 : 1))),
        moves: light.mode.channels.some((channel) => channel.kind === "pan" || channel.kind === "tilt"),
        zooms: light.mode.channels.some((channel) => channel.kind === "zoom" && channel.range !== undefined),
      };
    });
    return lamps;
  });
}

function placeStrips(lights: readonly RigLight[]): Lamp[] {
  const gap = (STAGE.width - 160) / Math.max(1, lights.length);
  return lights.flatMap((light, i) => {
    const heads = headsOf(light);
    const width = Math.min(gap * 0.72, Math.max(60, heads.length * 16));
    const left = 80 + gap * (i + 0.5) - width / 2;
    const cell = width / heads.length;
    return heads.map((head, h): Lamp => ({
      lightId: light.id,
      head,
      label: light.label,
      shape: "strip",
      x: left + cell * (h + 0.5),
      y: STAGE.floor + 14,
      spread: cell,
      moves: false,
      zooms: false,
    }));
  });
}

function placePanels(lights: readonly RigLight[]): Lamp[] {
  const gap = STAGE.width / (lights.length + 1);
  return lights.flatMap((light, i) =>
    headsOf(light).map((head, h): Lamp => ({
      lightId: light.id,
      head,
      label: light.label,
      shape: "panel",
      x: gap * (i + 1),
      y: 92 + h * 12,
      spread: 46,
      moves: false,
      zooms: false,
    })),
  );
}

/** Returns the heads that can emit light, in ascending order. */
function headsOf(light: RigLight): number[] {
  const dark = new Set([
    "pan",
    "panFine",
    "tilt",
    "tiltFine",
    "panTiltSpeed",
    "noFunction",
    "reset",
    "lamp",
    "program",
    "fog",
    "fan",
  ]);
  const emitters = light.mode.channels.filter((channel) => !dark.has(channel.kind) && channel.kind !== "shutter");
  const coloured = emitters.filter((channel) => channel.kind !== "intensity");
  const heads = [...new Set((coloured.length > 0 ? coloured : emitters).map((channel) => channel.head))];
  return heads.length > 0 ? heads.toSorted((a, b) => a - b) : [0];
}
