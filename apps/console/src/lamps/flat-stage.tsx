import type { Rig } from "@followspot/contract";
import {
  fixtureStates,
  lampAim,
  lampAngle,
  lampColor,
  lampName,
  lampWidth,
  placeLamps,
  STAGE,
  stageMarkup,
  type CompiledShow,
  type FixtureState,
  type Lamp,
} from "@followspot/lighting";
import { useEffect, useMemo, useRef } from "react";
import { PreviewSmoothing } from "../../stage-3d/preview-light.ts";
import type { SongPlayer } from "../player/song-player.ts";
import { visualizerStrings } from "../visualizer.strings.ts";

const text = visualizerStrings.stage;

interface FlatStageProps {
  readonly rig: Rig;
  /** Without one the lamps stay dark. */
  readonly show: CompiledShow | undefined;
  readonly player: SongPlayer;
}

/** Degrees a head must turn before the picture is touched. */
const ANGLE_STEP = 0.25;
/** The same for the width of a beam, as a share. */
const WIDTH_STEP = 0.01;

/** The lamps in a row, lit by the same maths; each frame writes attributes and never goes through React. */
export function FlatStage({ rig, show, player }: FlatStageProps) {
  const svg = useRef<SVGSVGElement>(null);
  const lamps = useMemo(() => placeLamps(rig), [rig]);
  // Set once: React knows nothing of the lamps, whose light is written past it.
  const markup = useMemo(() => ({ __html: stageMarkup(lamps) }), [lamps]);

  useEffect(() => {
    if (!show || !svg.current) return;
    return light(svg.current, lamps, show, player);
  }, [show, lamps, player]);

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

/** Follow the player with the picture until the returned function is called. */
function light(svg: SVGSVGElement, lamps: readonly Lamp[], show: CompiledShow, player: SongPlayer): () => void {
  const smoothing = new PreviewSmoothing(matchMedia("(prefers-reduced-motion: reduce)").matches);
  const drawn = bind(svg, lamps, fixtureStates(show, 0));
  let before = performance.now();
  let settle = 0;

  const draw = (time: number): void => {
    const now = performance.now();
    const share = smoothing.share(now, Math.min(100, now - before));
    before = now;
    const states = fixtureStates(show, time);
    for (const lamp of drawn) {
      const state = states[lamp.state]!;
      const [r, g, b] = state.rgb;
      lamp.r += (state.level * r - lamp.r) * share;
      lamp.g += (state.level * g - lamp.g) * share;
      lamp.b += (state.level * b - lamp.b) * share;
      write(lamp, state);
    }
  };

  const stop = player.onFrame((time, sought) => {
    const now = performance.now();
    if (sought) smoothing.seek(now);
    draw(time);
    // A paused player draws one frame; what is still being blended goes on here.
    clearTimeout(settle);
    if (!player.state().isPlaying && smoothing.isSettling(now)) settle = window.setTimeout(() => player.redraw(), 16);
  });
  return () => {
    clearTimeout(settle);
    stop();
  };
}

interface DrawnLamp {
  readonly state: number;
  readonly lamp: Lamp;
  readonly element: Element;
  readonly aim: Element | null;
  readonly pool: Element | null;
  /** Emitted linear light. */
  r: number;
  g: number;
  b: number;
  color: string;
  angle: number;
  width: number;
}

function bind(
  svg: SVGSVGElement,
  lamps: readonly Lamp[],
  states: readonly { lightId: number; head: number }[],
): DrawnLamp[] {
  const indexOf = new Map(states.map((state, i) => [`${state.lightId}:${state.head}`, i]));
  return lamps.flatMap((lamp) => {
    const state = indexOf.get(`${lamp.lightId}:${lamp.head}`);
    const element = svg.querySelector(`[data-lamp="${lampName(lamp)}"]`);
    if (state === undefined || !element) return [];
    const aim = lamp.moves || lamp.zooms ? element.querySelector("[data-aim]") : null;
    const pool = element.querySelector("[data-pool]");
    return [{ state, lamp, element, aim, pool, r: 0, g: 0, b: 0, color: "", angle: 0, width: 1 }];
  });
}

function write(drawn: DrawnLamp, { pan, zoom }: FixtureState): void {
  const color = lampColor(drawn.r, drawn.g, drawn.b);
  if (color !== drawn.color) {
    drawn.color = color;
    drawn.element.setAttribute("color", color);
  }
  if (!drawn.aim) return;
  const angle = drawn.lamp.moves ? lampAngle(pan) : 0;
  const width = drawn.lamp.zooms ? lampWidth(zoom) : 1;
  if (Math.abs(angle - drawn.angle) < ANGLE_STEP && Math.abs(width - drawn.width) < WIDTH_STEP) return;
  drawn.angle = angle;
  drawn.width = width;
  const { beam, pool } = lampAim(drawn.lamp, angle, width);
  drawn.aim.setAttribute("transform", beam);
  drawn.pool?.setAttribute("transform", pool);
}
