import type { LightingPlan } from "@followspot/contract";
import { compileShow, fixtureStates } from "@followspot/lighting";
import { useEffect, useMemo, useRef } from "react";
import { cssColor, opacityOf, PreviewSmoothing } from "./preview-light.ts";
import type { SongPlayer } from "../player/song-player.ts";
import { darkLights } from "./rig-notes.ts";
import { placeLamps, STAGE, type Lamp } from "./stage-layout.ts";
import type { PreviewRig } from "../visualizer.queries.ts";
import { visualizerStrings } from "../visualizer.strings.ts";
import { WARN } from "../look.ts";
import "./stage.css";

const text = visualizerStrings.stage;

interface StagePreviewProps {
  readonly plan: LightingPlan | undefined;
  readonly rig: PreviewRig;
  readonly player: SongPlayer;
}

/** Steps a colour or an angle must move before the picture is touched. */
const ANGLE_STEP = 0.25;
const SWING_DEGREES = 80;

/** The lamps as they will be, lit by the same maths; each frame writes attributes and never goes through React. */
export function StagePreview({ plan, rig, player }: StagePreviewProps) {
  const svg = useRef<SVGSVGElement>(null);
  const lamps = useMemo(() => placeLamps(rig.rig), [rig]);
  const dark = useMemo(() => darkLights(rig.rig), [rig]);

  useEffect(() => {
    if (!plan || !svg.current) return;
    return light(svg.current, lamps, plan, rig, player);
  }, [plan, rig, lamps, player]);

  return (
    <figure className="vz-stage relative max-h-[max(230px,36dvh)] min-h-[190px] flex-[1_1_250px] overflow-hidden border-b [contain:strict] max-[900px]:h-[200px] max-[900px]:flex-none max-[480px]:h-[120px] max-[480px]:min-h-[120px]">
      <svg
        ref={svg}
        className="absolute inset-0 block size-full overflow-visible"
        viewBox={`0 0 ${STAGE.width} ${STAGE.height}`}
        preserveAspectRatio="xMidYMid meet"
        role="img"
        aria-label={text.preview}
      >
        <rect className="vz-floor" x={-2000} y={STAGE.floor} width={5200} height={400} />
        <path className="vz-truss" d={trussPath(lamps)} />
        {lamps.map((lamp) => (
          <LampShape key={`${lamp.lightId}:${lamp.head}`} lamp={lamp} cones={conesOf(lamps.length)} />
        ))}
      </svg>
      <figcaption className="absolute bottom-1.5 left-4 flex gap-3 text-xs text-muted">
        {plan ? text.sameFrames : text.dark}
        {rig.isDemo && <span className={WARN}>{text.demoRig}</span>}
        {dark.count > 0 && <span className={WARN}>{text.darkLights(dark.count, dark.groups.join(", "))}</span>}
      </figcaption>
    </figure>
  );
}

/** Nested cones of one beam, widest first: they make its soft edge; a blur would have to be computed again each frame. */
function conesOf(lampCount: number): readonly number[] {
  if (lampCount > 48) return [0.8];
  return lampCount > 24 ? [1, 0.82, 0.62, 0.42] : [1, 0.9, 0.8, 0.69, 0.57, 0.44, 0.3];
}

function trussPath(lamps: readonly Lamp[]): string {
  const rows = [...new Set(lamps.filter((lamp) => lamp.shape === "beam").map((lamp) => lamp.y))];
  return rows.map((y) => `M30,${y - 14}H${STAGE.width - 30}`).join("");
}

function LampShape({ lamp, cones }: { readonly lamp: Lamp; readonly cones: readonly number[] }) {
  const { x, y, spread } = lamp;
  const id = `vz-lamp-${lamp.lightId}-${lamp.head}`;
  switch (lamp.shape) {
    case "beam": {
      const reach = STAGE.floor + 6;
      const cone = (share: number): string =>
        `M${x - 4 * share},${y} L${x + 4 * share},${y} L${x + spread * share},${reach} L${x - spread * share},${reach}Z`;
      return (
        <g data-lamp={id} color="transparent">
          <linearGradient id={`${id}-beam`} gradientUnits="userSpaceOnUse" x1={x} y1={y} x2={x} y2={reach}>
            <stop offset="0" stopColor="currentColor" stopOpacity="0.7" />
            <stop offset="0.35" stopColor="currentColor" stopOpacity="0.34" />
            <stop offset="1" stopColor="currentColor" stopOpacity="0.1" />
          </linearGradient>
          <radialGradient id={`${id}-pool`}>
            <stop offset="0" stopColor="currentColor" stopOpacity="0.85" />
            <stop offset="0.55" stopColor="currentColor" stopOpacity="0.4" />
            <stop offset="1" stopColor="currentColor" stopOpacity="0" />
          </radialGradient>
          <g data-aim="">
            {cones.map((share) => (
              <path
                key={share}
                d={cone(share)}
                fill={`url(#${id}-beam)`}
                fillOpacity={(1.5 / (cones.length + 0.8)).toFixed(2)}
              />
            ))}
          </g>
          <ellipse data-pool="" cx={x} cy={STAGE.floor + 8} rx={spread * 1.15} ry={14} fill={`url(#${id}-pool)`} />
          <rect className="vz-lamp-body" x={x - 10} y={y - 14} width={20} height={16} rx={3} />
          <circle cx={x} cy={y + 2} r={15} fill={`url(#${id}-pool)`} />
          <circle className="vz-lens" cx={x} cy={y + 2} r={5.5} />
          <circle cx={x} cy={y + 2} r={5.5} fill="currentColor" />
        </g>
      );
    }
    case "strip":
      return (
        <g data-lamp={id} color="transparent">
          <radialGradient id={`${id}-pool`}>
            <stop offset="0" stopColor="currentColor" stopOpacity="0.7" />
            <stop offset="1" stopColor="currentColor" stopOpacity="0" />
          </radialGradient>
          <ellipse cx={x} cy={y - 8} rx={Math.max(18, spread)} ry={30} fill={`url(#${id}-pool)`} />
          <rect className="vz-lamp-body" x={x - spread / 2} y={y - 6} width={spread} height={12} />
          <rect
            x={x - spread / 2 + 1.5}
            y={y - 4.5}
            width={Math.max(2, spread - 3)}
            height={9}
            rx={3}
            fill="currentColor"
          />
        </g>
      );
    case "panel":
      return (
        <g data-lamp={id} color="transparent">
          <radialGradient id={`${id}-pool`}>
            <stop offset="0" stopColor="currentColor" stopOpacity="0.5" />
            <stop offset="1" stopColor="currentColor" stopOpacity="0" />
          </radialGradient>
          <ellipse cx={x} cy={y} rx={110} ry={70} fill={`url(#${id}-pool)`} />
          <rect className="vz-lamp-body" x={x - spread / 2} y={y - 6} width={spread} height={12} rx={2} />
          <rect x={x - spread / 2 + 2} y={y - 4} width={spread - 4} height={8} rx={2} fill="currentColor" />
        </g>
      );
  }
}

/** Follow the player with the picture until the returned function is called. */
function light(
  svg: SVGSVGElement,
  lamps: readonly Lamp[],
  plan: LightingPlan,
  rig: PreviewRig,
  player: SongPlayer,
): () => void {
  // The screen is nearer than the stage: three flashes a second, also where the venue allows its lamps four.
  const show = compileShow({ ...plan, safety: { ...plan.safety, profile: "default" } }, rig.rig);
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
      write(lamp, state.pan);
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
}

function bind(
  svg: SVGSVGElement,
  lamps: readonly Lamp[],
  states: readonly { lightId: number; head: number }[],
): DrawnLamp[] {
  const indexOf = new Map(states.map((state, i) => [`${state.lightId}:${state.head}`, i]));
  return lamps.flatMap((lamp) => {
    const state = indexOf.get(`${lamp.lightId}:${lamp.head}`);
    const element = svg.querySelector(`[data-lamp="vz-lamp-${lamp.lightId}-${lamp.head}"]`);
    if (state === undefined || !element) return [];
    const aim = lamp.moves ? element.querySelector("[data-aim]") : null;
    return [
      { state, lamp, element, aim, pool: element.querySelector("[data-pool]"), r: 0, g: 0, b: 0, color: "", angle: 0 },
    ];
  });
}

function write(drawn: DrawnLamp, pan: number): void {
  const { lamp } = drawn;
  const level = Math.max(drawn.r, drawn.g, drawn.b);
  const opacity = Math.round(opacityOf(level) * 128) / 128;
  const color =
    opacity === 0
      ? "transparent"
      : cssColor(drawn.r / level, drawn.g / level, drawn.b / level).replace(")", ` / ${opacity})`);
  if (color !== drawn.color) {
    drawn.color = color;
    drawn.element.setAttribute("color", color);
  }
  if (!drawn.aim) return;
  const angle = (0.5 - pan) * SWING_DEGREES;
  if (Math.abs(angle - drawn.angle) < ANGLE_STEP) return;
  drawn.angle = angle;
  // Sheared, not turned: the beam ends on the floor wherever it points.
  const slope = Math.tan((-angle * Math.PI) / 180);
  drawn.aim.setAttribute("transform", `matrix(1 0 ${slope.toFixed(3)} 1 ${(-slope * lamp.y).toFixed(1)} 0)`);
  drawn.pool?.setAttribute("transform", `translate(${(slope * (STAGE.floor - lamp.y)).toFixed(1)} 0)`);
}
