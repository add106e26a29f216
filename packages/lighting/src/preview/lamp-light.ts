import { STAGE, type Lamp } from "./stage-layout.ts";

/** Degrees between the two ends of a head's pan on the picture. */
const SWING_DEGREES = 80;
/** Widths of the narrowest and the widest beam on the picture. */
const NARROWEST = 0.35;
const WIDEST = 1.2;
/** Steps of opacity that are told apart. */
const OPACITY_STEPS = 128;

/** What a lamp on the picture wears for linear light 0..1: its colour at full, as opaque as the light is strong. */
export function lampColor(r: number, g: number, b: number): string {
  const level = Math.max(r, g, b);
  const opacity = Math.round(opacityOf(level) * OPACITY_STEPS) / OPACITY_STEPS;
  return opacity === 0 ? "transparent" : cssColor(r / level, g / level, b / level).replace(")", ` / ${opacity})`);
}

/** Degrees to the left a head looks. @param pan 0..1 of the full travel */
export function lampAngle(pan: number): number {
  return (0.5 - pan) * SWING_DEGREES;
}

/** How wide a beam is drawn, as a share of one that has no zoom. @param zoom 0..1 from narrow to wide */
export function lampWidth(zoom: number): number {
  return NARROWEST + (WIDEST - NARROWEST) * zoom;
}

/** The transforms that point a lamp's beam, and put its pool where the beam ends. @param width see {@link lampWidth} */
export function lampAim({ x, y }: Lamp, angle: number, width = 1): { readonly beam: string; readonly pool: string } {
  // Sheared, not turned: the beam ends on the floor wherever it points.
  const slope = Math.tan((-angle * Math.PI) / 180);
  const shares = width.toFixed(2);
  const kept = (1 - width) * x;
  return {
    beam: `matrix(${shares} 0 ${slope.toFixed(3)} 1 ${(kept - slope * y).toFixed(1)} 0)`,
    pool: `matrix(${shares} 0 0 1 ${(kept + slope * (STAGE.floor - y)).toFixed(1)} 0)`,
  };
}

/** Linear light 0..1 as the opacity a screen needs: about as bright to the eye as the lamp. */
export function opacityOf(level: number): number {
  return level <= 0 ? 0 : Math.min(1, level) ** 0.4545;
}

/** Linear colour, strongest channel 1, as an sRGB colour. */
export function cssColor(r: number, g: number, b: number): string {
  return `rgb(${encode(r)} ${encode(g)} ${encode(b)})`;
}

function encode(linear: number): number {
  const v = Math.min(1, Math.max(0, linear));
  return Math.round(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055));
}
