import { lampAim } from "./lamp-light.ts";
import { STAGE, type Lamp } from "./stage-layout.ts";

/** Appearance of one head. */
export interface Shine {
  /** A CSS color; its alpha is the strength of the light. */
  readonly color: string;
  /** Degrees to the left. 0 points straight down, as do heads that do not move. */
  readonly angle: number;
  /** Width of the beam, see `lampWidth`. */
  readonly width: number;
}

/** Floor, truss and fixture bodies. In sRGB, which every SVG renderer supports. */
const METAL = {
  floor: "#010102",
  truss: "#3a3c48",
  body: "#181a22",
  edge: "#3f424b",
  lens: "#08090d",
  rim: "#4a4d56",
} as const;

const DARK: Shine = { color: "transparent", angle: 0, width: 1 };

/**
 * Returns the picture of a stage as the content of an `<svg viewBox="0 0 {@link STAGE}">`, with all heads dark. It
 * contains only numbers, no text from users. A caller that animates it finds a head by {@link lampName} and sets its
 * `color`, and the `transform` of its `[data-aim]` and `[data-pool]`.
 */
export function stageMarkup(lamps: readonly Lamp[]): string {
  return hallMarkup(lamps) + lampsMarkup(lamps);
}

/** Draws what is behind the fixtures: floor and truss. */
export function hallMarkup(lamps: readonly Lamp[]): string {
  return (
    `<rect x="-2000" y="${STAGE.floor}" width="5200" height="400" fill="${METAL.floor}"/>` +
    `<path d="${trussPath(lamps)}" fill="none" stroke="${METAL.truss}" stroke-width="3"/>`
  );
}

/** Draws the heads. @param shines appearance of each head; dark if missing */
export function lampsMarkup(lamps: readonly Lamp[], shines: readonly (Shine | undefined)[] = []): string {
  const cones = conesOf(lamps.length);
  return lamps.map((lamp, i) => lampMarkup(lamp, cones, shines[i] ?? DARK)).join("");
}

/** Returns the name of a head's element in `data-lamp`. */
export function lampName({ lightId, head }: Lamp): string {
  return `vz-lamp-${lightId}-${head}`;
}

/**
 * Returns the nested cones of a beam, widest first. They give it a soft edge without a blur, which would have to be
 * recomputed each frame. The wider a cone, the fainter it is, so that no edge is visible.
 */
function conesOf(lampCount: number): readonly Cone[] {
  const count = lampCount > 48 ? 4 : lampCount > 24 ? 8 : 14;
  const sum = (count * (count + 1)) / 2;
  return Array.from({ length: count }, (_, i) => ({
    width: 1.12 - (0.98 * i) / Math.max(1, count - 1),
    opacity: (1.5 * (i + 1)) / sum,
  }));
}

/** Width relative to the beam, and opacity. */
interface Cone {
  readonly width: number;
  readonly opacity: number;
}

function trussPath(lamps: readonly Lamp[]): string {
  const rows = [...new Set(lamps.filter((lamp) => lamp.shape === "beam").map((lamp) => lamp.y))];
  return rows.map((y) => `M30,${y - 14}H${STAGE.width - 30}`).join("");
}

function lampMarkup(lamp: Lamp, cones: readonly Cone[], shine: Shine): string {
  return `<g data-lamp="${lampName(lamp)}" color="${shine.color}">${insideOf(lamp, cones, shine)}</g>`;
}

function insideOf(lamp: Lamp, cones: readonly Cone[], shine: Shine): string {
  const { x, y, spread } = lamp;
  const pool = `${lampName(lamp)}-pool`;
  switch (lamp.shape) {
    case "beam":
      return beam(lamp, cones, shine);
    case "strip":
      return (
        glow(pool, [0, 0.7], [1, 0]) +
        `<ellipse cx="${x}" cy="${y - 8}" rx="${Math.max(18, spread)}" ry="30" fill="url(#${pool})"/>` +
        `<rect x="${x - spread / 2}" y="${y - 6}" width="${spread}" height="12" ${BODY}/>` +
        `<rect x="${x - spread / 2 + 1.5}" y="${y - 4.5}" width="${Math.max(2, spread - 3)}" height="9" rx="3" ${LIT}/>`
      );
    case "panel":
      return (
        glow(pool, [0, 0.5], [1, 0]) +
        `<ellipse cx="${x}" cy="${y}" rx="110" ry="70" fill="url(#${pool})"/>` +
        `<rect x="${x - spread / 2}" y="${y - 6}" width="${spread}" height="12" rx="2" ${BODY}/>` +
        `<rect x="${x - spread / 2 + 2}" y="${y - 4}" width="${spread - 4}" height="8" rx="2" ${LIT}/>`
      );
  }
}

const BODY = `fill="${METAL.body}" stroke="${METAL.edge}"`;
const LIT = `fill="currentColor"`;

function beam(lamp: Lamp, cones: readonly Cone[], { angle, width }: Shine): string {
  const { x, y, spread } = lamp;
  const name = lampName(lamp);
  const reach = STAGE.floor + 6;
  const aim = angle === 0 && width === 1 ? undefined : lampAim(lamp, angle, width);
  const paths = cones.map(({ width: share, opacity }) => {
    const [top, foot] = [4 * share, spread * share];
    const d = `M${x - top},${y} L${x + top},${y} L${x + foot},${reach} L${x - foot},${reach}Z`;
    return `<path d="${d}" fill="url(#${name}-beam)" fill-opacity="${opacity.toFixed(3)}"/>`;
  });
  return (
    `<linearGradient id="${name}-beam" gradientUnits="userSpaceOnUse" x1="${x}" y1="${y}" x2="${x}" y2="${reach}">` +
    `${stop(0, 0.7)}${stop(0.35, 0.34)}${stop(1, 0.1)}</linearGradient>` +
    glow(`${name}-pool`, [0, 0.85], [0.55, 0.4], [1, 0]) +
    `<g data-aim=""${transform(aim?.beam)}>${paths.join("")}</g>` +
    `<ellipse data-pool="" cx="${x}" cy="${STAGE.floor + 8}" rx="${spread * 1.15}" ry="14"` +
    ` fill="url(#${name}-pool)"${transform(aim?.pool)}/>` +
    `<rect x="${x - 10}" y="${y - 14}" width="20" height="16" rx="3" ${BODY}/>` +
    `<circle cx="${x}" cy="${y + 2}" r="15" fill="url(#${name}-pool)"/>` +
    `<circle cx="${x}" cy="${y + 2}" r="5.5" fill="${METAL.lens}" stroke="${METAL.rim}"/>` +
    `<circle cx="${x}" cy="${y + 2}" r="5.5" ${LIT}/>`
  );
}

/** Draws light that fades outward. */
function glow(id: string, ...stops: readonly (readonly [offset: number, opacity: number])[]): string {
  return `<radialGradient id="${id}">${stops.map(([offset, opacity]) => stop(offset, opacity)).join("")}</radialGradient>`;
}

function stop(offset: number, opacity: number): string {
  return `<stop offset="${offset}" stop-color="currentColor" stop-opacity="${opacity}"/>`;
}

function transform(value: string | undefined): string {
  return value === undefined ? "" : ` transform="${value}"`;
}
