import { STAGE, type Lamp } from "./stage-layout.ts";

/** Angle between both ends of a head's pan on the picture, degrees. */
const SWING_DEGREES = 80;
/** Width of the narrowest and the widest beam on the picture, relative to a fixture without zoom. */
const NARROWEST = 0.35;
const WIDEST = 1.2;
/** Number of opacity steps. */
const OPACITY_STEPS = 128;

/** Converts linear light 0..1 to a CSS color: its color at full, with the strength of the light as opacity. */
export function lampColor(r: number, g: number, b: number): string {
  const level = Math.max(r, g, b);
  const opacity = Math.round(opacityOf(level) * OPACITY_STEPS) / OPACITY_STEPS;
  return opacity === 0 ? "transparent" : cssColor(r / level, g / level, b / level).replace(")", ` / ${opacity})`);
}

/** Returns the angle of a head on the picture, degrees to the left. @param pan 0..1 of the full travel */
export function lampAngle(pan: number): number {
  return (0.5 - pan) * SWING_DEGREES;
}

/** Returns the drawn width of a beam, relative to one without zoom. @param zoom 0..1, narrow to wide */
export function lampWidth(zoom: number): number {
  return NARROWEST + (WIDEST - NARROWEST) * zoom;
}

/**
 * Returns the transforms that point a fixture's beam and place its pool at the end of the beam. @param width see {@link
 * lampWidth}
 */
export function lampAim({ x, y }: Lamp, angle: number, width = 1): { readonly beam: string; readonly pool: string } {
  // Sheared instead of rotated, so that the beam always ends on the floor.
  const slope = Math.tan((-angle * Math.PI) / 180);
  const shares = width.toFixed(2);
  const kept = (1 - width) * x;
  return {
    beam: `matrix(${shares} 0 ${slope.toFixed(3)} 1 ${(kept - slope * y).toFixed(1)} 0)`,
    pool: `matrix(${shares} 0 0 1 ${(kept + slope * (STAGE.floor - y)).toFixed(1)} 0)`,
  };
}

/** Converts linear light 0..1 to the opacity that looks about as bright on a screen. */
export function opacityOf(level: number): number {
  return level <= 0 ? 0 : Math.min(1, level) ** 0.4545;
}

/** Converts a linear color with strongest channel 1 to an sRGB color. */
export function cssColor(r: number, g: number, b: number): string {
  return `rgb(${encode(r)} ${encode(g)} ${encode(b)})`;
}

function encode(linear: number): number {
  const v = Math.min(1, Math.max(0, linear));
  return Math.round(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055));
}
