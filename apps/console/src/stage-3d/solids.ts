import type { Point3 } from "@followspot/lighting";
import { BufferAttribute, BufferGeometry } from "three";

type Triple = readonly [x: number, y: number, z: number];

/** Where a part of a solid goes: scaled, then turned about z (clockwise as seen from above, degrees), then moved. */
export interface Placing {
  readonly at?: Triple;
  readonly turn?: number;
  readonly scale?: number;
}

interface TubeOptions extends Placing {
  readonly sides?: number;
  readonly isRound?: boolean;
}

/** One ring of a tube: how far along, how wide, and how much of its normal looks along, -1..1. */
interface Ring {
  readonly at: number;
  readonly r: number;
  readonly lean: number;
}

/** Corners around a round part. */
const SIDES = 8;

/**
 * Collects boxes, tubes and balls to one shape, in metres as of `Pose`: x to the right, y to the hall, z up. What it
 * gives to three.js has y and z exchanged, whose axes are right-handed. Faces are seen from both sides.
 */
export class Solids {
  readonly #positions: number[] = [];
  readonly #normals: number[] = [];
  readonly #albedos: number[] = [];
  readonly #indexes: number[] = [];

  /** @param albedo share of light that the part reflects, 0..1 @param size metres along x, y and z */
  box(albedo: number, [x, y, z]: Triple, [width, depth, height]: Triple, placing?: Placing): this {
    for (const axis of [0, 1, 2] as const) {
      for (const side of [-1, 1]) {
        const corner = (a: number, b: number): Triple => {
          const unit: [number, number, number] = [0, 0, 0];
          unit[axis] = side;
          unit[(axis + 1) % 3] = a;
          unit[(axis + 2) % 3] = b;
          return [x + (unit[0] * width) / 2, y + (unit[1] * depth) / 2, z + (unit[2] * height) / 2];
        };
        const normal: [number, number, number] = [0, 0, 0];
        normal[axis] = side;
        const corners = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
        this.#quad(albedo, corners, [normal, normal, normal, normal], placing);
      }
    }
    return this;
  }

  /** A round bar from one point to another, with round ends where `isRound`. */
  tube(
    albedo: number,
    from: Triple,
    to: Triple,
    radius: number | readonly [from: number, to: number],
    { sides = SIDES, isRound = false, ...placing }: TubeOptions = {},
  ): this {
    const [r0, r1] = typeof radius === "number" ? [radius, radius] : radius;
    const [along, across, up] = basisOf(minus(to, from));
    const length = Math.hypot(...minus(to, from));
    const round = (at: number, r: number, way: 1 | -1): Ring[] =>
      [0.75].map((s) => ({ at: at + way * r * s, r: r * Math.sqrt(1 - s * s), lean: way * s }));
    const flat = (at: number, r: number, way: 1 | -1): Ring[] => [{ at, r, lean: way }, { at, r: 0, lean: way }]; // prettier-ignore
    const end = isRound ? round : flat;
    const rings: Ring[] = [
      ...end(0, r0, -1).toReversed(),
      { at: 0, r: r0, lean: 0 },
      { at: length, r: r1, lean: 0 },
      ...end(length, r1, 1),
    ];
    const around = (a: number, b: number, turn: number): Triple =>
      sum(scaled(along, a), scaled(across, b * Math.cos(turn)), scaled(up, b * Math.sin(turn)));
    return this.#lathe(
      albedo,
      rings.length,
      sides,
      (ring, turn) => sum(from, around(rings[ring]!.at, rings[ring]!.r, turn)),
      (ring, turn) => around(rings[ring]!.lean, Math.sqrt(1 - rings[ring]!.lean ** 2), turn),
      placing,
    );
  }

  /** An ellipsoid. @param radius along x, y and z */
  ball(albedo: number, middle: Triple, radius: Triple, placing?: Placing): this {
    const stacks = SIDES / 2 + 1;
    const unit = (ring: number, turn: number): Triple => {
      const down = (ring / (stacks - 1)) * Math.PI;
      return [Math.cos(turn) * Math.sin(down), Math.sin(turn) * Math.sin(down), Math.cos(down)];
    };
    return this.#lathe(
      albedo,
      stacks,
      SIDES,
      (ring, turn) => sum(middle, times(unit(ring, turn), radius)),
      (ring, turn) => times(unit(ring, turn), [1 / radius[0], 1 / radius[1], 1 / radius[2]]),
      placing,
    );
  }

  /** A round body through rings that lie level. @param rings height, and radius along x and y, from below */
  body(albedo: number, rings: readonly Triple[], placing?: Placing): this {
    return this.#lathe(
      albedo,
      rings.length,
      SIDES,
      (ring, turn) => [rings[ring]![1] * Math.cos(turn), rings[ring]![2] * Math.sin(turn), rings[ring]![0]],
      (ring, turn) => {
        const [before, after] = [rings[Math.max(0, ring - 1)]!, rings[Math.min(rings.length - 1, ring + 1)]!];
        const slope = (before[1] - after[1]) / (after[0] - before[0]);
        return [rings[ring]![2] * Math.cos(turn), rings[ring]![1] * Math.sin(turn), slope * rings[ring]![2]];
      },
      placing,
    );
  }

  /** One face with a normal at each of its four corners, in their order around it. */
  face(albedo: number, corners: readonly Triple[], normals: readonly Triple[]): this {
    this.#quad(albedo, corners, normals);
    return this;
  }

  geometry(): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(Float32Array.from(this.#positions), 3));
    geometry.setAttribute("normal", new BufferAttribute(Float32Array.from(this.#normals), 3));
    geometry.setAttribute("albedo", new BufferAttribute(Float32Array.from(this.#albedos), 1));
    geometry.setIndex(this.#indexes);
    return geometry;
  }

  /** A net of rings around an axis; its corners are shared by the faces that meet there. */
  #lathe(
    albedo: number,
    rings: number,
    sides: number,
    point: (ring: number, turn: number) => Triple,
    normal: (ring: number, turn: number) => Triple,
    placing?: Placing,
  ): this {
    const first = this.#positions.length / 3;
    for (let ring = 0; ring < rings; ring++) {
      for (let side = 0; side < sides; side++) {
        const turn = (side / sides) * 2 * Math.PI;
        this.#corner(albedo, point(ring, turn), normal(ring, turn), placing);
        if (ring === 0) continue;
        const [here, next] = [first + ring * sides + side, first + ring * sides + ((side + 1) % sides)];
        this.#indexes.push(here - sides, next - sides, next, here - sides, next, here);
      }
    }
    return this;
  }

  #quad(albedo: number, corners: readonly Triple[], normals: readonly Triple[], placing?: Placing): void {
    const first = this.#positions.length / 3;
    for (const [i, corner] of corners.entries()) this.#corner(albedo, corner, normals[i]!, placing);
    this.#indexes.push(first, first + 1, first + 2, first, first + 2, first + 3);
  }

  #corner(albedo: number, corner: Triple, normal: Triple, { at = [0, 0, 0], turn = 0, scale = 1 }: Placing = {}): void {
    const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)];
    const turned = ([x, y, z]: Triple): Triple => [x * cos + y * sin, y * cos - x * sin, z];
    const [x, y, z] = sum(turned(scaled(corner, scale)), at);
    const [nx, ny, nz] = turned(unitOf(normal));
    this.#positions.push(x, z, y);
    this.#normals.push(nx, nz, ny);
    this.#albedos.push(albedo);
  }
}

/** Three.js coordinates of a point of the stage. */
export const toThree = ({ x, y, z }: Point3): Triple => [x, z, y];

const times = (a: Triple, b: Triple): Triple => [a[0] * b[0], a[1] * b[1], a[2] * b[2]];
const minus = (a: Triple, b: Triple): Triple => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scaled = (a: Triple, by: number): Triple => [a[0] * by, a[1] * by, a[2] * by];
const sum = (...terms: readonly Triple[]): Triple =>
  terms.reduce((a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]], [0, 0, 0] as Triple);

function unitOf(a: Triple): Triple {
  const length = Math.hypot(...a) || 1;
  return scaled(a, 1 / length);
}

/** Three directions at right angles, the first one along `a`; right-handed. */
function basisOf(a: Triple): readonly [Triple, Triple, Triple] {
  const along = unitOf(a);
  const helper: Triple = Math.abs(along[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
  const across = unitOf(cross(helper, along));
  return [along, across, cross(along, across)];
}

const cross = (a: Triple, b: Triple): Triple => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
