import { modulo } from "./maths.ts";

/**
 * Orders in which a chase visits the heads of a group, as the `shape` of a cue. With `cells` c:
 *
 *   run        heads are dealt into c cells, which light one after the other, or `width` neighbors at a time
 *   bounce     the same, there and back again
 *   mirror     from the outer heads to the middle, both sides alike
 *   sides      the left half and the right half alternate
 *   alternate  every other head
 *   pairs      two neighbors at a time
 *   fill       one more cell with each step, then from the start
 *   scatter    a third of the heads, different ones with each step
 */
export const CHASE_SHAPES = ["run", "bounce", "mirror", "sides", "alternate", "pairs", "fill", "scatter"] as const;
export type ChaseShape = (typeof CHASE_SHAPES)[number];

/** Third of the heads that each step of `scatter` lights; irregular, so that no order is visible. */
const SCATTERED = [0, 1, 2, 0, 2, 1, 2, 0, 1, 0, 2, 1];

/** Parameters of a chase. */
export interface Chase {
  /** Index into {@link CHASE_SHAPES}. */
  readonly shape: number;
  readonly cells: number;
  readonly width: number;
  /** 1 left to right, -1 right to left. */
  readonly direction: number;
}

/**
 * Whether a head is lit during a step of a chase. Allocation free.
 *
 * @param step any whole number; shapes repeat
 * @param place position across the group, 0..1; index and count of the head in it
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
      // Relative to the row of the chase, which may be a part of the stage: its outer heads.
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
