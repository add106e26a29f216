import type { LightingPlan, Rig } from "@followspot/contract";
import { compileShow } from "../compile-show.ts";
import type { CompiledShow } from "../compiled-show.ts";
import { fixtureStates } from "../render-frame.ts";
import { lampAngle, lampColor, lampWidth } from "./lamp-light.ts";
import { placeLamps, STAGE } from "./stage-layout.ts";
import { hallMarkup, lampsMarkup, type Shine } from "./stage-markup.ts";

/**
 * Colors of the room behind the stage, from above the truss outward: `.vz-stage` of the console in sRGB. The middle one
 * is halfway in OKLab, in which browsers mix colors.
 */
export const ROOM = ["#0d0d17", "#06060d", "#020205"] as const;
/** How far a fixture's light reaches above and below the stage, in units of the picture. */
const REACH = 40;

/**
 * Compiles a plan for a screen. A screen is closer than the stage, so it shows at most three flashes per second even if
 * the venue allows four.
 */
export function compilePreview(plan: LightingPlan, rig: Rig): CompiledShow {
  return compileShow({ ...plan, safety: { ...plan.safety, profile: "default" } }, rig);
}

/** Size in pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** The preview as two SVG documents. The lower one never changes. */
export interface PreviewPicture {
  /** Room, floor and truss; opaque. */
  readonly backdrop: string;
  /** Rows of the picture that the light stays within, pixels. */
  readonly band: { readonly top: number; readonly height: number };
  /**
   * Renders the fixtures at a song time in seconds, as a layer over the band of the backdrop. Pure: the same time gives
   * the same text.
   */
  readonly lampsAt: (t: number) => string;
  /** Fixtures that are left out, and why. */
  readonly problems: readonly string[];
}

/** Renders a plan on a rig as pictures. The stage is centered and as wide as the picture allows, as in the console. */
export function previewOf(plan: LightingPlan, rig: Rig, { width, height }: PictureSize): PreviewPicture {
  const show = compilePreview(plan, rig);
  const lamps = placeLamps(rig);
  const indexOf = new Map(fixtureStates(show, 0).map(({ lightId, head }, i) => [`${lightId}:${head}`, i]));
  const states = lamps.map(({ lightId, head }) => indexOf.get(`${lightId}:${head}`) ?? -1);

  const scale = Math.min(width / STAGE.width, height / STAGE.height);
  const left = (STAGE.width - width / scale) / 2;
  const above = (height - STAGE.height * scale) / 2;
  const top = Math.max(0, Math.floor(above - REACH * scale));
  const end = Math.min(height, Math.ceil(above + (STAGE.height + REACH) * scale));
  const rows = (from: number, count: number, inside: string): string =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${count}"` +
    ` viewBox="${left} ${(from - above) / scale} ${width / scale} ${count / scale}">${inside}</svg>`;

  return {
    backdrop: rows(0, height, roomMarkup(left, -above / scale, width / scale, height / scale) + hallMarkup(lamps)),
    band: { top, height: end - top },
    lampsAt: (t) => {
      const now = fixtureStates(show, t);
      const shines = lamps.map((lamp, i): Shine | undefined => {
        const state = now[states[i]!];
        if (!state) return undefined;
        const { level, rgb, pan, zoom } = state;
        const color = lampColor(level * rgb[0], level * rgb[1], level * rgb[2]);
        return { color, angle: lamp.moves ? lampAngle(pan) : 0, width: lamp.zooms ? lampWidth(zoom) : 1 };
      });
      return rows(top, end - top, lampsMarkup(lamps, shines));
    },
    problems: show.problems,
  };
}

/** Draws an ellipse of 90 % of the picture's width and 120 % of its height around the middle of its upper edge. */
function roomMarkup(x: number, y: number, width: number, height: number): string {
  return (
    `<radialGradient id="room" cx="0" cy="0" r="1" gradientTransform="translate(0.5 0) scale(0.9 1.2)">` +
    ROOM.map((color, i) => `<stop offset="${0.375 * i}" stop-color="${color}"/>`).join("") +
    `</radialGradient>` +
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="url(#room)"/>`
  );
}
