import type { Figure } from "@followspot/lighting";

/** Size of a picture in SVG units. */
export const PICTURE = { width: 72, height: 36 } as const;
/** Number of heads drawn for an effect that needs a row. */
const ROW = 5;
const STEPS = 48;
/** Pan and tilt to either side that fill half of the picture, degrees. */
const ALONE = { pan: 62, tilt: 36 };
const IN_ROW = { pan: 150, tilt: 40 };
/** Phase of the drawn positions, 0..1. At this phase no effect is at its center. */
const MOMENT = 0.2;

/** Path and position of one head. */
interface DrawnHead {
  readonly path: string;
  readonly x: number;
  readonly y: number;
}

/**
 * Computes the drawing of a movement effect. Heads that move alike are drawn as one; a row shows the offsets between
 * heads.
 */
export function figurePicture(figure: Figure): readonly DrawnHead[] {
  const isAlone = figure.pan > 0 && figure.row === "mirrored";
  const count = isAlone ? 1 : ROW;
  const scale = isAlone ? ALONE : IN_ROW;
  return Array.from({ length: count }, (_, i) => {
    const place = count > 1 ? i / (count - 1) : 0.5;
    const side = count > 1 ? 2 * place - 1 : 1;
    const late = count > 1 ? figure.spread * place + (i % 2) * figure.alternate : 0;
    const at = (phase: number) => ({
      x:
        PICTURE.width *
        (0.5 + 0.34 * (count > 1 ? side : 0) + (side * figure.pan * figure.panAt(phase)) / scale.pan / 2),
      y: PICTURE.height * (0.5 - (figure.tilt * figure.tiltAt(phase)) / scale.tilt / 2),
    });
    const way = Array.from({ length: STEPS + 1 }, (_unused, step) => at(step / STEPS));
    const now = at(MOMENT - late);
    return { path: `M${way.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`, x: now.x, y: now.y };
  });
}
