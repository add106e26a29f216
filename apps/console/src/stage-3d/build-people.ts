import type { Solids } from "./solids.ts";

export interface Person {
  /** Where their feet are. */
  readonly at: readonly [x: number, y: number, z: number];
  /** Degrees from facing the hall, clockwise as seen from above. */
  readonly turn: number;
  /** 1 is 1.76 metres. */
  readonly scale: number;
  readonly pose: "stands" | "raises one" | "raises both" | "sings" | "plays";
}

const CLOTH = 0.1;
const SKIN = 0.22;

type Point = readonly [x: number, y: number, z: number];
/** Elbow and hand of a right arm; the left one is its mirror. */
type Arm = readonly [elbow: Point, hand: Point];

const HANGING: Arm = [[0.25, 0.02, 1.12], [0.24, 0.1, 0.86]]; // prettier-ignore
const RAISED: Arm = [[0.31, 0.06, 1.62], [0.27, 0.1, 1.95]]; // prettier-ignore
const ON_DECKS: Arm = [[0.27, 0.14, 1.14], [0.22, 0.42, 1.14]]; // prettier-ignore
const AT_MICROPHONE: Arm = [[0.24, 0.14, 1.2], [0.06, 0.28, 1.46]]; // prettier-ignore
const HELD_OUT: Arm = [[0.36, 0.05, 1.24], [0.58, 0.18, 1.3]]; // prettier-ignore

const ARMS: Record<Person["pose"], readonly [left: Arm, right: Arm]> = {
  stands: [HANGING, HANGING],
  "raises one": [HANGING, RAISED],
  "raises both": [RAISED, RAISED],
  sings: [HELD_OUT, AT_MICROPHONE],
  plays: [ON_DECKS, ON_DECKS],
};

/** From the hips to the neck: height, half width and half depth, metres. */
const TORSO = [
  [0.8, 0.14, 0.1], [0.9, 0.18, 0.125], [1, 0.165, 0.115], [1.1, 0.15, 0.105], [1.22, 0.17, 0.115],
  [1.34, 0.2, 0.12], [1.42, 0.205, 0.105], [1.47, 0.15, 0.085], [1.52, 0.07, 0.065],
] as const; // prettier-ignore

/** A figure of round parts that reads as a person from behind and against the light. */
export function addPerson(solids: Solids, { at, turn, scale, pose }: Person): void {
  const placing = { at, turn, scale };
  const round = { ...placing, isRound: true, sides: 6 };
  const isOnStage = pose === "sings" || pose === "plays";
  for (const side of [-1, 1]) {
    solids
      .tube(CLOTH, [side * 0.1, 0, 0.05], [side * 0.1, 0.01, 0.5], [0.06, 0.075], round)
      .tube(CLOTH, [side * 0.1, 0.01, 0.5], [side * 0.085, 0, 0.92], [0.075, 0.095], round);
    if (isOnStage) solids.ball(CLOTH, [side * 0.11, 0.06, 0.04], [0.055, 0.14, 0.05], placing);
    const [elbow, hand] = ARMS[pose][side < 0 ? 0 : 1].map(([x, y, z]): Point => [side * x, y, z]) as [Point, Point];
    solids
      .tube(CLOTH, [side * 0.19, 0, 1.4], elbow, [0.062, 0.05], round)
      .tube(SKIN, elbow, hand, [0.044, 0.04], round);
  }
  solids
    .body(CLOTH, TORSO, placing)
    .tube(SKIN, [0, 0, 1.4], [0, 0.02, 1.56], [0.058, 0.052], round)
    .ball(SKIN, [0, 0.02, 1.64], [0.082, 0.1, 0.118], placing)
    .ball(CLOTH, [0, -0.015, 1.67], [0.09, 0.098, 0.105], placing);
  if (pose === "sings") {
    solids
      .tube(CLOTH, [0.05, 0.2, 1.52], [0.06, 0.33, 1.44], [0.03, 0.014], round)
      .tube(CLOTH, [0.4, 0.5, 0], [0.4, 0.5, 1.3], 0.012, placing)
      .tube(CLOTH, [0.4, 0.5, 0], [0.4, 0.5, 0.03], 0.16, placing);
  }
}
