import { BAR_LENGTH, type LampBeams, type LampBody, type StageLamp } from "@followspot/lighting";
import { InstancedMesh, Matrix4, Vector3, type Material, type Object3D } from "three";
import { Solids, toThree } from "./solids.ts";

const PAINT = 0.1;
const METAL = 0.2;

/** Metres from where light leaves a lamp to the front of its body, and the radius of its lens. */
export const LENS_RADIUS: Record<LampBody, number> = { par: 0.085, head: 0.075, bar: 0.035, panel: 0.06 };

/**
 * Parts of lamps. "Aimed" looks along its z, with its lens at 0; "turned" stays upright and turns with the pan of a head
 * or with its pose. Both are drawn for a lamp that hangs; of one that stands the upright part is mirrored.
 */
const PARTS: Record<
  LampBody,
  { readonly aimed: () => Solids; readonly turned: () => Solids; readonly still?: () => Solids }
> = {
  par: {
    aimed: () =>
      new Solids()
        .tube(PAINT, [0, 0, -0.3], [0, 0, 0.02], [0.07, 0.1], { sides: 14 })
        .tube(METAL, [0, 0, 0], [0, 0, 0.03], 0.108, { sides: 14 })
        .tube(PAINT, [0, 0, -0.36], [0, 0, -0.3], [0.045, 0.07]),
    turned: () =>
      new Solids()
        .box(METAL, [-0.125, 0, 0.1], [0.012, 0.04, 0.26])
        .box(METAL, [0.125, 0, 0.1], [0.012, 0.04, 0.26])
        .box(METAL, [0, 0, 0.23], [0.26, 0.04, 0.012])
        .tube(METAL, [0, 0, 0.23], [0, 0, 0.36], 0.02),
  },
  head: {
    aimed: () =>
      new Solids()
        .tube(PAINT, [0, 0, -0.3], [0, 0, -0.04], [0.085, 0.115], { sides: 14 })
        .tube(METAL, [0, 0, -0.05], [0, 0, 0.01], [0.115, 0.095], { sides: 14 })
        .ball(PAINT, [0, 0, -0.28], [0.09, 0.09, 0.08]),
    turned: () =>
      new Solids()
        .box(PAINT, [-0.165, 0, 0.12], [0.05, 0.11, 0.36])
        .box(PAINT, [0.165, 0, 0.12], [0.05, 0.11, 0.36])
        .box(PAINT, [0, 0, 0.285], [0.38, 0.14, 0.06]),
    still: () => new Solids().box(PAINT, [0, 0, 0.37], [0.34, 0.28, 0.12]).box(METAL, [0, 0, 0.44], [0.12, 0.06, 0.04]),
  },
  bar: {
    aimed: () => new Solids().box(PAINT, [0, 0, -0.05], [BAR_LENGTH + 0.04, 0.09, 0.1]),
    turned: () =>
      new Solids().box(METAL, [-0.35, 0, 0.06], [0.03, 0.05, 0.14]).box(METAL, [0.35, 0, 0.06], [0.03, 0.05, 0.14]),
  },
  panel: {
    aimed: () =>
      new Solids().box(PAINT, [0, 0, -0.06], [0.5, 0.26, 0.12]).box(METAL, [0, 0, -0.01], [0.46, 0.22, 0.02]),
    turned: () => new Solids().tube(METAL, [0, 0, 0.05], [0, 0, 0.36], 0.02),
  },
};

interface PartMesh {
  readonly mesh: InstancedMesh;
  readonly body: LampBody;
  lamps: readonly StageLamp[];
  readonly place: (lamp: StageLamp, direction: Vector3, matrix: Matrix4) => void;
  readonly moves: boolean;
}

/** The bodies of all lamps; those that move follow their beams. */
export class LampBodies {
  readonly objects: readonly Object3D[];
  readonly #parts: readonly PartMesh[];

  constructor(beams: LampBeams, material: Material) {
    const parts: PartMesh[] = [];
    for (const [body, lamps] of Map.groupBy(beams.lamps, (lamp) => lamp.body)) {
      const { aimed, turned, still } = PARTS[body];
      const moves = body === "head";
      const make = (solids: Solids, place: PartMesh["place"], isMoving: boolean): void => {
        const mesh = new InstancedMesh(solids.geometry(), material, lamps.length);
        mesh.frustumCulled = false;
        parts.push({ mesh, body, lamps, place, moves: isMoving });
      };
      make(aimed(), moves ? placeHead : placeAimed, moves);
      make(turned(), moves ? placeYoke : placeStill, moves);
      if (still) make(still(), placeStill, false);
    }
    this.#parts = parts;
    this.objects = parts.map(({ mesh }) => mesh);
    for (const part of parts) put(part, beams);
  }

  /** Turns what moves. Allocation free. */
  update(beams: LampBeams): void {
    for (let i = 0; i < this.#parts.length; i++) if (this.#parts[i]!.moves) put(this.#parts[i]!, beams);
  }

  /** The same lamps at other places. */
  place(beams: LampBeams): void {
    const lampsOf = Map.groupBy(beams.lamps, (lamp) => lamp.body);
    for (const part of this.#parts) {
      part.lamps = lampsOf.get(part.body) ?? [];
      put(part, beams);
    }
  }

  dispose(): void {
    for (const { mesh } of this.#parts) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
  }
}

const matrix = new Matrix4();
const direction = new Vector3();
const right = new Vector3();
const up = new Vector3();
const front = new Vector3();

function put({ mesh, lamps, place }: PartMesh, { directions }: LampBeams): void {
  for (let i = 0; i < lamps.length; i++) {
    const h = lamps[i]!.heads[0];
    if (h === undefined) direction.set(0, lamps[i]!.pose.hangs ? -1 : 1, 0);
    else direction.set(directions[3 * h]!, directions[3 * h + 2]!, directions[3 * h + 1]!);
    place(lamps[i]!, direction, matrix);
    mesh.setMatrixAt(i, matrix);
  }
  mesh.instanceMatrix.needsUpdate = true;
}

/** Along the beam, with its side level where its pose turns it. */
function placeAimed({ pose }: StageLamp, along: Vector3, out: Matrix4): void {
  turnedBy(pose.turn);
  set(out, pose, right, up.crossVectors(along, right).normalize(), along);
}

/** The head of a moving head tilts about an axis that pans; there is no one to be had from a beam that looks straight down. */
function placeHead({ pose }: StageLamp, along: Vector3, out: Matrix4): void {
  panned(pose.turn, along);
  set(out, pose, right, up.crossVectors(along, right).normalize(), along);
}

function placeYoke({ pose }: StageLamp, along: Vector3, out: Matrix4): void {
  panned(pose.turn, along);
  upright(pose, out);
}

function placeStill({ pose }: StageLamp, _along: Vector3, out: Matrix4): void {
  turnedBy(pose.turn);
  upright(pose, out);
}

function upright(pose: StageLamp["pose"], out: Matrix4): void {
  up.set(0, pose.hangs ? 1 : -1, 0);
  set(out, pose, right, front, up);
}

/** Level side and front of what is turned by so many degrees. */
function turnedBy(turn: number): void {
  const radians = (turn * Math.PI) / 180;
  right.set(Math.cos(radians), 0, -Math.sin(radians));
  front.set(Math.sin(radians), 0, Math.cos(radians));
}

function panned(turn: number, along: Vector3): void {
  const level = Math.hypot(along.x, along.z);
  if (level < 0.02) turnedBy(turn);
  else turnedBy((Math.atan2(along.x, along.z) * 180) / Math.PI);
}

/** Columns of parts in metres as of `Pose`: x, y, z become right, front and up of three.js. */
function set(out: Matrix4, pose: StageLamp["pose"], x: Vector3, y: Vector3, z: Vector3): void {
  const [px, py, pz] = toThree(pose);
  // Solids have y and z exchanged already.
  out.set(x.x, z.x, y.x, px, x.y, z.y, y.y, py, x.z, z.z, y.z, pz, 0, 0, 0, 1);
}
