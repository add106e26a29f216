import type { Rig } from "@followspot/contract";
import {
  lampAim,
  lampAngle,
  lampColor,
  lampName,
  lampWidth,
  placeLamps,
  STAGE,
  stageMarkup,
  type Lamp,
  type LampBeams,
  type LitBeams,
} from "@followspot/lighting";
import { useEffect, useMemo, useRef } from "react";
import type { PreviewClock } from "../stage-3d/preview-clock.ts";
import { PreviewSmoothing } from "../stage-3d/preview-light.ts";
import { lampStrings as text } from "./lamps.strings.ts";

interface FlatStageProps {
  readonly rig: Rig;
  /** Light of the beams; without it the fixtures stay dark. */
  readonly lit: LitBeams | undefined;
  /** Whether the light comes from a live feed, not from a show at song times. */
  readonly isFed?: boolean | undefined;
  readonly clock: PreviewClock;
}

/** Minimum change of a head's angle before the picture is updated, degrees. */
const ANGLE_STEP = 0.25;
/** Minimum change of a beam's width before the picture is updated, as a share. */
const WIDTH_STEP = 0.01;

/** Draws the fixtures in a row. Each frame writes attributes directly, without React. */
export function FlatStage({ rig, lit, isFed, clock }: FlatStageProps) {
  const svg = useRef<SVGSVGElement>(null);
  const lamps = useMemo(() => placeLamps(rig), [rig]);
  // Set once: React does not track the fixtures, because their light is written directly to the DOM.
  const markup = useMemo(() => ({ __html: stageMarkup(lamps) }), [lamps]);

  useEffect(() => {
    if (!lit || !svg.current) return;
    return follow(svg.current, lamps, lit, isFed, clock);
  }, [lit, isFed, lamps, clock]);

  return (
    <svg
      ref={svg}
      className="absolute inset-0 block size-full overflow-visible"
      viewBox={`0 0 ${STAGE.width} ${STAGE.height}`}
      preserveAspectRatio="xMidYMid meet"
      role="img"
      aria-label={text.preview}
      dangerouslySetInnerHTML={markup}
    />
  );
}

/** Updates the picture from the clock until the returned function is called. */
function follow(
  svg: SVGSVGElement,
  lamps: readonly Lamp[],
  { beams, light }: LitBeams,
  isFed: boolean | undefined,
  clock: PreviewClock,
): () => void {
  const smoothing = new PreviewSmoothing(matchMedia("(prefers-reduced-motion: reduce)").matches, isFed);
  const drawn = bind(svg, lamps, beams);
  let before = performance.now();
  let settle = 0;

  const stop = clock.onFrame((seconds, wasSought) => {
    const now = performance.now();
    if (wasSought) smoothing.seek(now);
    light(seconds);
    const isMoving = smoothing.smooth(beams.colors, now, Math.min(100, now - before));
    before = now;
    for (const lamp of drawn) write(lamp, beams);
    // Fades continue here, also while nothing plays.
    cancelAnimationFrame(settle);
    if (isMoving) settle = requestAnimationFrame(clock.redraw);
  });
  return () => {
    cancelAnimationFrame(settle);
    stop();
  };
}

interface DrawnLamp {
  /** Index of its head. */
  readonly head: number;
  readonly lamp: Lamp;
  readonly element: Element;
  readonly aim: Element | null;
  readonly pool: Element | null;
  color: string;
  angle: number;
  width: number;
}

function bind(svg: SVGSVGElement, lamps: readonly Lamp[], { count, lightIds, headNumbers }: LampBeams): DrawnLamp[] {
  const heads = new Map(Array.from({ length: count }, (_, h) => [`${lightIds[h]}:${headNumbers[h]}`, h]));
  return lamps.flatMap((lamp) => {
    const head = heads.get(`${lamp.lightId}:${lamp.head}`);
    const element = svg.querySelector(`[data-lamp="${lampName(lamp)}"]`);
    if (head === undefined || !element) return [];
    const aim = lamp.moves || lamp.zooms ? element.querySelector("[data-aim]") : null;
    const pool = element.querySelector("[data-pool]");
    return [{ head, lamp, element, aim, pool, color: "", angle: 0, width: 1 }];
  });
}

function write(drawn: DrawnLamp, { colors, pans, zooms }: LampBeams): void {
  const h = drawn.head;
  const color = lampColor(colors[3 * h]!, colors[3 * h + 1]!, colors[3 * h + 2]!);
  if (color !== drawn.color) {
    drawn.color = color;
    drawn.element.setAttribute("color", color);
  }
  if (!drawn.aim) return;
  const angle = drawn.lamp.moves ? lampAngle(pans[h]!) : 0;
  const width = drawn.lamp.zooms ? lampWidth(zooms[h]!) : 1;
  if (Math.abs(angle - drawn.angle) < ANGLE_STEP && Math.abs(width - drawn.width) < WIDTH_STEP) return;
  drawn.angle = angle;
  drawn.width = width;
  const { beam, pool } = lampAim(drawn.lamp, angle, width);
  drawn.aim.setAttribute("transform", beam);
  drawn.pool?.setAttribute("transform", pool);
}
