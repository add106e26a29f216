import type { RigLight } from "@followspot/contract";
import { padSpeedOf, padTravelOf, type Aims } from "../aims.ts";
import { FIGURES } from "./figures.ts";
import type { RowPlace } from "./row.ts";

/** Pan and tilt as the pad of a fixture shows them. */
interface Axes {
  readonly pan: number;
  readonly tilt: number;
}

/** Extent of a movement effect for one head. */
export interface Reach extends Axes {
  /** Delay, cycles. */
  readonly late: number;
  /**
   * Shortest cycle that the head can follow at this extent, seconds. For shorter cycles the extent is reduced in
   * proportion.
   */
  readonly cycleSeconds: number;
}

/**
 * Computes the extent of a movement effect for a head, within its range.
 *
 * @param drawn index into `FIGURES`, size 0..1, and delay from the first to the last fixture of the row, cycles
 * @param moved offset of the head from its position, shares of the travel; it is subtracted from the range
 */
export function reachOf(
  aims: Aims,
  h: number,
  light: RigLight,
  row: RowPlace,
  drawn: { readonly figure: number; readonly size: number; readonly spread: number },
  moved: Axes = { pan: 0, tilt: 0 },
): Reach {
  const figure = FIGURES[drawn.figure]!;
  const travel = padTravelOf(light);
  const speed = padSpeedOf(light);
  const side = 2 * row.place - 1;
  const wide = figure.row === "outwards" ? Math.abs(side) : 1;
  const pan = Math.min(
    aims.ranges[2 * h]! - Math.abs(moved.pan),
    ((drawn.size * figure.pan * wide) / travel.pan) * aims.shares[2 * h]!,
  );
  const tilt = Math.min(
    aims.ranges[2 * h + 1]! - Math.abs(moved.tilt),
    ((drawn.size * figure.tilt) / travel.tilt) * aims.shares[2 * h + 1]!,
  );
  return {
    pan: (side < 0 ? -1 : 1) * pan,
    tilt,
    late: drawn.spread * row.place + (row.index % 2) * figure.alternate,
    cycleSeconds: Math.max(
      (pan * travel.pan * figure.panSlope) / speed.pan,
      (tilt * travel.tilt * figure.tiltSlope) / speed.tilt,
    ),
  };
}
