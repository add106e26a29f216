import type { Point3 } from "@followspot/lighting";
import { eyeOf, fieldOf, type Orbit } from "./stage-views.ts";

/** A point of the picture, pixels of the page from its upper left corner. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

export interface SeenSpot extends Spot {
  /** Metres before the eye. */
  readonly depth: number;
}

type Triple = readonly [x: number, y: number, z: number];

/** What is nearer to the eye than this is not in the picture, metres. */
const NEAREST = 0.15;
/** No lamp is led farther away, metres. */
const FARTHEST = 60;
/** A plane that is seen at less than this angle is too edge-on to move over it: its sine. */
const EDGE_ON = Math.sin((16 * Math.PI) / 180);
/** Closer to the vertical than this heights cannot be seen: sine of the angle. */
const FROM_ABOVE = 0.93;

/** How points of the stage and points of its picture belong together, as the camera of the stage has it. */
export class Sight {
  readonly orbit: Orbit;
  readonly width: number;
  readonly height: number;
  readonly #eye: Triple;
  readonly #ahead: Triple;
  readonly #right: Triple;
  readonly #up: Triple;
  /** Tangent of half the angle of view, across and upright. */
  readonly #spread: readonly [across: number, upright: number];

  /** @param width pixels of the picture on the page */
  constructor(orbit: Orbit, width: number, height: number) {
    this.orbit = orbit;
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    this.#eye = eyeOf(orbit);
    this.#ahead = unit(minus(orbit.at, this.#eye));
    const [x, y, z] = this.#ahead;
    this.#right = unit([-y, x, 0]);
    this.#up = unit([-z * x, -z * y, 1 - z * z]);
    const aspect = this.width / this.height;
    const upright = Math.tan((fieldOf(aspect) * Math.PI) / 360);
    this.#spread = [upright * aspect, upright];
  }

  /** Where a point of the stage is in the picture; undefined behind the eye. */
  spotOf(point: Point3): SeenSpot | undefined {
    const way = minus([point.x, point.y, point.z], this.#eye);
    const depth = dot(way, this.#ahead);
    if (depth < NEAREST) return undefined;
    const x = dot(way, this.#right) / (depth * this.#spread[0]);
    const y = dot(way, this.#up) / (depth * this.#spread[1]);
    return { x: ((1 + x) / 2) * this.width, y: ((1 - y) / 2) * this.height, depth };
  }

  /**
   * Leads a point of the stage with a pointer. It moves over the level plane at its height, or, where that is seen edge-on,
   * over the upright plane across the stage or along it that is seen best; with `onlyHeight` it goes up and down.
   * @returns for where the pointer is now, where the point goes along the axes that it moves on; none where the pointer leads nowhere
   */
  lead(point: Point3, from: Spot, onlyHeight: boolean): (to: Spot) => Partial<Point3> {
    const at: Triple = [point.x, point.y, point.z];
    if (onlyHeight) return this.#leadHeight(at, from);
    const away = minus(at, this.#eye);
    const isEdgeOn = Math.abs(unit(away)[2]) < EDGE_ON;
    const facing = Math.abs(this.#ahead[0]) > Math.abs(this.#ahead[1]) ? 0 : 1;
    const normal = isEdgeOn ? facing : 2;
    const grip = this.#meet(from, at, normal);
    return (to) => {
      const hit = grip && this.#meet(to, at, normal);
      if (!hit) return {};
      const moved = AXES.map((axis, i) => [axis, at[i]! + hit[i]! - grip[i]!] as const);
      return Object.fromEntries(moved.filter((_, i) => i !== normal));
    };
  }

  #leadHeight(at: Triple, from: Spot): (to: Spot) => Partial<Point3> {
    const depth = dot(minus(at, this.#eye), this.#ahead);
    // From straight above a pixel up is as much height as it is elsewhere across.
    const foreshortened = Math.abs(this.#ahead[2]) > FROM_ABOVE ? 1 : Math.hypot(this.#ahead[0], this.#ahead[1]);
    const metresPerPixel = (2 * depth * this.#spread[1]) / this.height / foreshortened;
    return (to) => ({ z: at[2] + (from.y - to.y) * metresPerPixel });
  }

  /** Where the ray of the eye through a spot meets the plane through a point at right angles to an axis. */
  #meet(spot: Spot, through: Triple, axis: 0 | 1 | 2): Triple | undefined {
    const across = ((2 * spot.x) / this.width - 1) * this.#spread[0];
    const upright = (1 - (2 * spot.y) / this.height) * this.#spread[1];
    const ray = unit([0, 1, 2].map((i) => this.#ahead[i]! + across * this.#right[i]! + upright * this.#up[i]!) as unknown as Triple); // prettier-ignore
    const far = (through[axis] - this.#eye[axis]) / ray[axis];
    if (!(far > 0 && far < FARTHEST)) return undefined;
    return [this.#eye[0] + far * ray[0], this.#eye[1] + far * ray[1], this.#eye[2] + far * ray[2]];
  }
}

const AXES = ["x", "y", "z"] as const;

const minus = (a: Triple, b: Triple): Triple => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Triple, b: Triple): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

function unit(a: Triple): Triple {
  const length = Math.hypot(...a) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
}
