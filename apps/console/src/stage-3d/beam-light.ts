import type { LampBeams } from "@followspot/lighting";
import {
  BufferAttribute,
  DynamicDrawUsage,
  InstancedBufferGeometry,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
} from "three";
import { HALL } from "./build-hall.ts";
import { LENS_RADIUS } from "./lamp-bodies.ts";

/** Numbers of one head: place and radius of its lens, axis and slope of its beam, colour and length, gobo and whether it turns. */
const OWN = 14;
/** Light of a lamp by its body, so that kinds stand to each other as on a stage. */
const GAIN = { par: 1, head: 1.7, bar: 0.35, panel: 0.7 } as const;
/**
 * Eyes adapt to what a rig can give: with less than so many pars they open, with more they close, by this power. Without it
 * eight pars at full would look as dim as they are beside a hall of them.
 */
const ADAPTED_TO = 40;
const ADAPTS = 0.45;
/** Sides of the cones and discs that are drawn. */
const SIDES = 14;
/** A beam is drawn at most this far, metres. */
const FARTHEST = 30;

/** What the graphics card knows of every head, and the shapes that are drawn once for each. */
export class BeamLight {
  readonly #heads: InstancedInterleavedBuffer;
  readonly #gains: Float32Array;
  readonly cones: InstancedBufferGeometry;
  readonly discs: InstancedBufferGeometry;
  readonly squares: InstancedBufferGeometry;
  /** Light of all heads together that comes back from the stage: red, green, blue. */
  readonly bounce = new Float32Array(3);

  constructor({ count, lamps }: LampBeams) {
    this.#heads = new InstancedInterleavedBuffer(new Float32Array(Math.max(1, count) * OWN), OWN);
    this.#heads.setUsage(DynamicDrawUsage);
    this.#gains = new Float32Array(count);
    const whole = lamps.reduce((sum, { body, heads }) => sum + GAIN[body] * heads.length, 0);
    const adapted = (ADAPTED_TO / whole) ** ADAPTS;
    for (const { body, heads } of lamps) {
      for (const h of heads) {
        this.#gains[h] = GAIN[body] * adapted;
        this.#heads.array[OWN * h + 3] = LENS_RADIUS[body];
      }
    }
    this.cones = this.#shape(count, ...cone());
    this.discs = this.#shape(count, ...disc());
    this.squares = this.#shape(count, [-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0], [0, 1, 2, 0, 2, 3]);
  }

  /** Takes over where beams look and what they emit. Allocation free. */
  update({ count, positions, directions, halfAngles, colors, gobos, goboTurns }: LampBeams): void {
    const { array } = this.#heads;
    const { bounce } = this;
    bounce.fill(0);
    for (let h = 0; h < count; h++) {
      const to = OWN * h;
      const from = 3 * h;
      const gain = this.#gains[h]!;
      const slope = Math.tan((halfAngles[h]! * Math.PI) / 180);
      // Places and directions with y and z exchanged, as three.js has them.
      array[to] = positions[from]!;
      array[to + 1] = positions[from + 2]!;
      array[to + 2] = positions[from + 1]!;
      array[to + 4] = directions[from]!;
      array[to + 5] = directions[from + 2]!;
      array[to + 6] = directions[from + 1]!;
      array[to + 7] = slope;
      for (let c = 0; c < 3; c++) {
        const light = gain * colors[from + c]!;
        array[to + 8 + c] = light;
        bounce[c] = bounce[c]! + light;
      }
      array[to + 11] = reach(positions, directions, from, slope);
      array[to + 12] = gobos[h]!;
      array[to + 13] = goboTurns[h]!;
    }
    this.#heads.needsUpdate = true;
  }

  dispose(): void {
    for (const shape of [this.cones, this.discs, this.squares]) shape.dispose();
  }

  #shape(count: number, positions: readonly number[], indexes: number[]): InstancedBufferGeometry {
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(Float32Array.from(positions), 3));
    geometry.setIndex(indexes);
    for (const [i, name] of ["headAt", "headAxis", "headColor"].entries()) {
      geometry.setAttribute(name, new InterleavedBufferAttribute(this.#heads, 4, 4 * i));
    }
    geometry.setAttribute("headGobo", new InterleavedBufferAttribute(this.#heads, 2, 12));
    geometry.instanceCount = count;
    return geometry;
  }
}

/** Metres along a beam until all of it has left the room. */
function reach(positions: Float32Array, directions: Float32Array, from: number, slope: number): number {
  let nearest = FARTHEST;
  for (let axis = 0; axis < 3; axis++) {
    const step = directions[from + axis]!;
    if (Math.abs(step) < 1e-4) continue;
    const wall = step > 0 ? HIGHEST[axis]! : LOWEST[axis]!;
    nearest = Math.min(nearest, Math.max(0.5, (wall - positions[from + axis]!) / step));
  }
  // The far side of a wide beam meets the wall later than its middle.
  return Math.min(FARTHEST, nearest * (1 + 1.6 * slope) + 0.5);
}

const LOWEST = [HALL.left, HALL.back, HALL.floor] as const;
const HIGHEST = [HALL.right, HALL.front, HALL.ceiling] as const;

/** A cone without its tip, 1 wide and 1 long, closed at its end and drawn around the round one. */
function cone(): [positions: number[], indexes: number[]] {
  const positions: number[] = [];
  const indexes: number[] = [];
  const radius = 1.02 / Math.cos(Math.PI / SIDES);
  for (const z of [0, 1]) {
    for (let i = 0; i < SIDES; i++) positions.push(...onCircle(i, radius), z);
  }
  for (let i = 0; i < SIDES; i++) {
    const next = (i + 1) % SIDES;
    indexes.push(i, next, SIDES + next, i, SIDES + next, SIDES + i);
    if (i > 1) indexes.push(SIDES, SIDES + i - 1, SIDES + i, 0, i, i - 1);
  }
  return [positions, indexes];
}

function disc(): [positions: number[], indexes: number[]] {
  const positions = Array.from({ length: SIDES }, (_, i) => [...onCircle(i, 1 / Math.cos(Math.PI / SIDES)), 0]).flat();
  const indexes = Array.from({ length: SIDES - 2 }, (_, i) => [0, i + 1, i + 2]).flat();
  return [positions, indexes];
}

const onCircle = (i: number, radius: number): [number, number] => [
  radius * Math.cos((i / SIDES) * 2 * Math.PI),
  radius * Math.sin((i / SIDES) * 2 * Math.PI),
];
