import { SINGER, STAGE_SPACE, type StageLamp } from "@followspot/lighting";
import type { BufferGeometry } from "three";
import { addPerson } from "./build-people.ts";
import { Solids } from "./solids.ts";

/** The room around the stage, metres as of `Pose`. Light ends at its walls. */
export const HALL = {
  left: -10,
  right: 10,
  back: -0.4,
  front: 22,
  /** The floor people stand on lies below the stage's floor, whose height is 0. */
  floor: -1,
  /** It is not drawn: what shines up is lost in the dark. */
  ceiling: 14,
  stageHalf: STAGE_SPACE.width / 2 + 0.6,
  stageFront: STAGE_SPACE.depth + 0.2,
} as const;

/** Shares of light that things reflect. */
const ALBEDO = {
  stage: 0.34,
  floor: 0.13,
  curtain: 0.1,
  wall: 0.035,
  front: 0.05,
  riser: 0.22,
  booth: 0.1,
  metal: 0.2,
};

/** Height of the walls above the floor of the stage, metres. */
const WALL = 8.5;

/** Metres of the back wall that one fold of its curtain takes. */
const FOLD = 0.42;

/** What is the same on every stage, from the hall to the back: what is hidden then costs least. */
export function buildHall(): BufferGeometry {
  const solids = new Solids();
  addPeople(solids);
  addBooth(solids);
  addStage(solids);
  addRoom(solids);
  return solids.geometry();
}

function addRoom(solids: Solids): void {
  const { left, right, back, front, floor } = HALL;
  const depth = front - back;
  const middle = (front + back) / 2;
  const height = WALL - floor;
  solids
    .box(ALBEDO.floor, [0, middle, floor - 0.1], [right - left, depth, 0.2])
    .box(ALBEDO.wall, [left - 0.1, middle, floor + height / 2], [0.2, depth, height])
    .box(ALBEDO.wall, [right + 0.1, middle, floor + height / 2], [0.2, depth, height])
    .box(ALBEDO.wall, [0, front + 0.1, floor + height / 2], [right - left, 0.2, height]);
  // A curtain: its folds catch light from the sides.
  for (let x: number = left; x < right; x += FOLD / 2) {
    const [a, b] = [x, x + FOLD / 2];
    const lean = (at: number) => 0.55 * Math.sin((at / FOLD) * 2 * Math.PI);
    const deep = (at: number) => back + 0.04 * Math.cos((at / FOLD) * 2 * Math.PI);
    solids.face(
      ALBEDO.curtain,
      [[a, deep(a), floor], [b, deep(b), floor], [b, deep(b), WALL], [a, deep(a), WALL]], // prettier-ignore
      [[lean(a), 1, 0], [lean(b), 1, 0], [lean(b), 1, 0], [lean(a), 1, 0]], // prettier-ignore
    );
  }
}

function addStage(solids: Solids): void {
  const { stageHalf, stageFront, back, floor } = HALL;
  const depth = stageFront - back;
  const middle = (stageFront + back) / 2;
  solids
    .box(ALBEDO.stage, [0, middle, -0.06], [2 * stageHalf, depth, 0.12])
    .box(ALBEDO.front, [0, middle - 0.06, (floor - 0.12) / 2], [2 * stageHalf - 0.1, depth - 0.12, -floor - 0.12])
    // Monitors at the edge, loudspeakers beside the stage.
    .box(0.08, [-2.6, stageFront - 0.45, 0.14], [0.62, 0.4, 0.28])
    .box(0.08, [2.6, stageFront - 0.45, 0.14], [0.62, 0.4, 0.28]);
  for (const side of [-1, 1]) {
    for (let box = 0; box < 4; box++) {
      solids.box(0.06, [side * (stageHalf + 0.9), stageFront - 0.7, floor + 0.45 + box * 0.72], [1.05, 0.8, 0.68]);
    }
  }
}

/** Height of what the booth stands on: who plays is seen over who sings. */
const RISER = 0.9;
const BOOTH_Y = 1.9;

function addBooth(solids: Solids): void {
  const front = BOOTH_Y + 0.45;
  const top = RISER + 1;
  solids
    .box(ALBEDO.riser, [0, BOOTH_Y, RISER / 2], [3.2, 2.1, RISER])
    .box(ALBEDO.booth, [0, front, RISER + 0.5], [1.9, 0.62, 1])
    .box(0.3, [0, front, top + 0.02], [2, 0.7, 0.04])
    .box(0.12, [-0.55, front - 0.03, top + 0.08], [0.36, 0.4, 0.09])
    .box(0.12, [0.55, front - 0.03, top + 0.08], [0.36, 0.4, 0.09])
    .box(0.12, [0, front - 0.03, top + 0.08], [0.34, 0.4, 0.09]);
}

function addPeople(solids: Solids): void {
  addPerson(solids, { at: [0, BOOTH_Y - 0.15, RISER], turn: 0, scale: 1.02, pose: "plays" });
  addPerson(solids, { at: [SINGER.x, SINGER.y, 0], turn: 8, scale: 1, pose: "sings" });
  let seed = 7;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  for (const { y, from, to, gap } of AUDIENCE.toReversed()) {
    for (let x = from; x <= to; x += gap * (0.75 + 0.5 * random())) {
      const pose = random() < 0.06 ? "raises both" : random() < 0.1 ? "raises one" : "stands";
      const at = [x, y + 0.7 * (random() - 0.5), HALL.floor] as const;
      addPerson(solids, { at, turn: 180 + 24 * (random() - 0.5), scale: 0.92 + 0.13 * random(), pose });
    }
  }
}

/** Rows of people, metres; those in the middle of the last ones leave a view of the stage. */
const AUDIENCE = [
  { y: 7.4, from: -6.2, to: 6.2, gap: 0.82 },
  { y: 8.6, from: -6.8, to: 6.8, gap: 0.95 },
  { y: 10, from: -6.4, to: 6.4, gap: 1.15 },
  { y: 11.6, from: -5.8, to: -1.2, gap: 0.95 },
  { y: 11.6, from: 1.3, to: 5.8, gap: 0.95 },
] as const;

/** Lamps that hang within this distance of each other hang from one truss, metres. */
const SAME_TRUSS = 0.45;
/** Height of a truss and how far its lower edge is over its lamps. */
const TRUSS = { side: 0.3, over: 0.34, strut: 0.5 } as const;

/** How far a truss goes on beyond its last lamps, metres. */
const END = 0.6;
/** A row no longer than this hangs from a piece of truss of its own, which hangs from the ceiling, metres. */
const SHORT_ROW = 2;

/** From this height on a lamp that stands has a tripod, metres. */
const TRIPOD_FROM = 0.8;
/** How far its feet are apart, and how far below the lamp it ends, metres. */
const TRIPOD = { spread: 0.45, top: 0.36 } as const;

/** A truss over every row of lamps that hang, on two stands where it is a long one, and a tripod below every lamp that stands high. */
export function buildTrusses(lamps: readonly StageLamp[]): BufferGeometry {
  const solids = new Solids();
  const rows: { y: number; z: number; from: number; to: number }[] = [];
  for (const { pose } of lamps) {
    if (!pose.hangs) continue;
    const row = rows.find(({ y, z }) => Math.hypot(y - pose.y, z - pose.z) < SAME_TRUSS);
    if (!row) rows.push({ y: pose.y, z: pose.z, from: pose.x, to: pose.x });
    else [row.from, row.to] = [Math.min(row.from, pose.x), Math.max(row.to, pose.x)];
  }
  for (const { y, z, from, to } of rows) {
    if (to - from < SHORT_ROW) {
      addFlownTruss(solids, [from - END, to + END], y, z + TRUSS.over);
      continue;
    }
    const left = Math.min(from - END, -HALL.stageHalf + 0.3);
    const right = Math.max(to + END, HALL.stageHalf - 0.3);
    const bottom = z + TRUSS.over;
    addTruss(solids, [left, y, bottom], [right, y, bottom]);
    for (const x of [left, right]) addStand(solids, x, y, bottom);
  }
  for (const { pose } of lamps) if (!pose.hangs && pose.z >= TRIPOD_FROM) addTripod(solids, pose);
  return solids.geometry();
}

function addFlownTruss(solids: Solids, [left, right]: readonly [number, number], y: number, bottom: number): void {
  addTruss(solids, [left, y, bottom], [right, y, bottom]);
  for (const x of [left + 0.15, right - 0.15]) {
    solids.tube(ALBEDO.metal, [x, y, bottom + TRUSS.side], [x, y, HALL.ceiling], 0.01, { sides: 4 });
  }
}

function addTripod(solids: Solids, { x, y, z }: StageLamp["pose"]): void {
  const isOnStage = Math.abs(x) <= HALL.stageHalf && y <= HALL.stageFront;
  const floor = isOnStage ? 0 : HALL.floor;
  const fork = floor + 0.6;
  solids.tube(ALBEDO.metal, [x, y, floor + 0.15], [x, y, z - TRIPOD.top], 0.02, { sides: 5 });
  for (const turn of [0, 120, 240]) {
    const [dx, dy] = [Math.sin((turn * Math.PI) / 180), Math.cos((turn * Math.PI) / 180)];
    const foot = [x + TRIPOD.spread * dx, y + TRIPOD.spread * dy, floor] as const;
    solids.tube(ALBEDO.metal, [x, y, fork], foot, 0.014, { sides: 5 });
  }
}

/** Four chords with struts between them. */
function addTruss(
  solids: Solids,
  from: readonly [number, number, number],
  to: readonly [number, number, number],
): void {
  const [x0, y, z] = from;
  const [x1] = to;
  const half = TRUSS.side / 2;
  const tube = (a: readonly [number, number, number], b: readonly [number, number, number], radius: number) =>
    solids.tube(ALBEDO.metal, a, b, radius, { sides: 5 });
  for (const dy of [-half, half]) {
    for (const dz of [0, TRUSS.side]) tube([x0, y + dy, z + dz], [x1, y + dy, z + dz], 0.025);
  }
  const count = Math.max(1, Math.round((x1 - x0) / TRUSS.strut));
  for (let i = 0; i < count; i++) {
    const [a, b] = [x0 + ((x1 - x0) * i) / count, x0 + ((x1 - x0) * (i + 1)) / count];
    for (const dy of [-half, half]) {
      const [low, high] = i % 2 === 0 ? [0, TRUSS.side] : [TRUSS.side, 0];
      tube([a, y + dy, z + low], [b, y + dy, z + high], 0.012);
    }
  }
}

function addStand(solids: Solids, x: number, y: number, top: number): void {
  const foot = Math.abs(x) > HALL.stageHalf ? HALL.floor : 0;
  const half = TRUSS.side / 2;
  for (const dx of [-half, half]) {
    for (const dy of [-half, half]) {
      solids.tube(ALBEDO.metal, [x + dx, y + dy, foot], [x + dx, y + dy, top + TRUSS.side], 0.022, { sides: 5 });
    }
  }
  const count = Math.max(1, Math.round((top - foot) / TRUSS.strut));
  for (let i = 0; i < count; i++) {
    const [low, high] = [foot + ((top - foot) * i) / count, foot + ((top - foot) * (i + 1)) / count];
    const [a, b] = i % 2 === 0 ? [-half, half] : [half, -half];
    for (const side of [-half, half]) {
      solids.tube(ALBEDO.metal, [x + a, y + side, low], [x + b, y + side, high], 0.012, { sides: 5 });
    }
  }
  solids.box(ALBEDO.metal, [x, y, foot + 0.02], [0.7, 0.7, 0.04]);
}
