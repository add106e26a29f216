import { modulo } from "./maths.ts";

/**
 * Ways a chase goes through the lamps of a group, as the `shape` of a cue. With `cells` c:
 *
 *   run        lamps dealt into c cells, one cell after the other, or `width` neighbours at a time
 *   bounce     the same there and back again
 *   mirror     from the outer lamps to the middle, both sides alike
 *   sides      the left half and the right half take turns
 *   alternate  every other lamp
 *   pairs      two neighbours at a time
 *   fill       one more lamp with each step, then from the start
 *   scatter    a third of the lamps, others with each step
 */
export const CHASE_SHAPES = ["run", "bounce", "mirror", "sides", "alternate", "pairs", "fill", "scatter"] as const;
export type ChaseShape = (typeof CHASE_SHAPES)[number];

/** Which third of the lamps a step of `scatter` lights: no order one could follow. */
const SCATTERED = [0, 1, 2, 0, 2, 1, 2, 0, 1, 0, 2, 1];

/** What a chase says of the way it goes. */
export interface Chase {
  /** Index into {@link CHASE_SHAPES}. */
  readonly shape: number;
  readonly cells: number;
  readonly width: number;
  /** 1 left to right, -1 back. */
  readonly direction: number;
}

/**
 * Whether a lamp shines during a step of a chase. Allocation free.
 * @param step any whole number; shapes repeat
 * @param place 0..1 across the group; index and count of the lamp in it
 */
export function isLit(
  { shape, cells, width, direction }: Chase,
  step: number,
  place: number,
  index: number,
  count: number,
): boolean {
  const at = direction < 0 ? count - 1 - index : index;
  const n = Math.max(2, Math.min(cells, count));
  const wide = Math.min(width, n - 1);
  switch (CHASE_SHAPES[shape]) {
    case "bounce": {
      const ends = n - wide;
      const turn = modulo(step, 2 * ends);
      const first = turn < ends ? turn : 2 * ends - turn;
      const cell = modulo(at, n);
      return cell >= first && cell < first + wide;
    }
    case "mirror": {
      const rings = Math.max(2, Math.min(cells, Math.ceil(count / 2)));
      // By its place in the row that is chased through, which may be a part of the stage: its outer lamps.
      const across = count > 1 ? index / (count - 1) : 0.5;
      const inward = Math.min(rings - 1, Math.floor((1 - Math.abs(2 * across - 1)) * rings));
      return modulo(direction * step, rings) === inward;
    }
    case "sides":
      return (place < 0.5 || (place === 0.5 && count < 3)) === (modulo(step + (direction < 0 ? 1 : 0), 2) === 0);
    case "alternate":
      return modulo(at + step, 2) === 0;
    case "pairs":
      return (
        modulo(Math.floor(at / 2), Math.max(2, n)) === modulo(step, Math.max(2, Math.min(n, Math.ceil(count / 2))))
      );
    case "fill":
      return at * n < (modulo(step, n) + 1) * count;
    case "scatter":
      return modulo(index + SCATTERED[modulo(step, SCATTERED.length)]!, 3) === 0;
    default:
      return modulo(at - step, n) < wide;
  }
}
