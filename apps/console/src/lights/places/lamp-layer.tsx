import { fixedDirectionOf, type Point3 } from "@followspot/lighting";
import { MoveVertical } from "lucide-react";
import { useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { useOfKey } from "../../lib/key-table.ts";
import { cx } from "../../ui/class-names.ts";
import { patchStrings } from "../patch.strings.ts";
import type { Poses } from "./arrange.ts";
import { newStep } from "./history.ts";
import { apart, inBand, namesThatFit, nextOf, othersOnSpot, pick, type Spot, type Surface } from "./pick.ts";
import { patchesOfKey } from "./place-keys.ts";
import { REACH } from "./places.ts";
import { CHOICE_KEYS } from "./plan.keys.ts";
import { dragged, type Guide } from "./snap.ts";
import type { PlaceEditor, PlanLamp } from "./use-place-editor.ts";

const text = patchStrings.plan;

/** Hit radius around a fixture for mouse and touch, px. */
const HIT = { mouse: 18, touch: 28 } as const;
/** Maximum pointer movement of a click, px. A longer movement is a drag. */
const CLICK = 4;
/** Length of the line that shows a fixture's direction, m. */
const AIM = 0.9;

/** Active drag of one pointer; other pointers are ignored during it. */
type Hold =
  | {
      readonly kind: "lamp";
      readonly pointer: number;
      readonly id: number;
      readonly stack: readonly number[];
      readonly wasChosen: boolean;
      readonly from: Spot;
      readonly start: Poses;
      readonly lead: (to: Spot) => Partial<Point3>;
      readonly step: string;
      moved: boolean;
    }
  | { readonly kind: "band"; readonly pointer: number; readonly from: Spot; readonly before: ReadonlySet<number> };

interface LampLayerProps {
  readonly editor: PlaceEditor;
  readonly surface: Surface;
  /** Whether a drag on an empty spot draws a selection rectangle. If false, only Shift + drag does; the view gets the rest. */
  readonly framesAlways: boolean;
  /** Whether the view shows heights: selected fixtures get a line down to the floor and a height handle. */
  readonly showsHeights: boolean;
}

/** Layer of fixture markers over a view of the stage. Markers can be selected, dragged, and moved with keys. */
export function LampLayer({ editor, surface, framesAlways, showsHeights }: LampLayerProps) {
  const { lamps, chosen } = editor;
  const layer = useRef<HTMLDivElement>(null);
  const hold = useRef<Hold>(undefined);
  /** Undo step of the current key press; a held key is one step. */
  const pressStep = useRef<string>(undefined);
  const [hovered, setHovered] = useState<number>();
  const [guides, setGuides] = useState<readonly Guide[]>([]);
  const [band, setBand] = useState<readonly [Spot, Spot]>();
  const byId = new Map(lamps.map((lamp) => [lamp.id, lamp]));
  const spotOfEvent = ({ clientX, clientY }: { clientX: number; clientY: number }): Spot => {
    const box = layer.current!.getBoundingClientRect();
    return { x: clientX - box.left, y: clientY - box.top };
  };
  const hits = (event: PointerEvent) =>
    pick(lamps, surface, spotOfEvent(event), event.pointerType === "touch" ? HIT.touch : HIT.mouse);

  const keep = (event: PointerEvent) => {
    event.stopPropagation();
    event.preventDefault();
    layer.current!.setPointerCapture(event.pointerId);
  };
  const grab = (event: PointerEvent, id: number, stack: readonly number[], onlyHeight: boolean) => {
    keep(event);
    const ids = chosen.has(id) ? chosen : event.shiftKey ? new Set([...chosen, id]) : new Set([id]);
    if (!chosen.has(id)) editor.choose(ids);
    hold.current = {
      kind: "lamp",
      pointer: event.pointerId,
      id,
      stack,
      wasChosen: chosen.has(id),
      from: spotOfEvent(event),
      start: new Map([...ids].map((each) => [each, byId.get(each)!.pose])),
      lead: surface.lead(byId.get(id)!.pose, spotOfEvent(event), onlyHeight),
      step: newStep(),
      moved: false,
    };
    layer.current!.querySelector<HTMLElement>(`[data-lamp="${id}"]`)?.focus({ preventScroll: true });
  };
  const down = (event: PointerEvent) => {
    if (hold.current) return event.stopPropagation();
    if (event.button !== 0) return undefined;
    const handle = (event.target as Element).closest("[data-height]");
    if (handle) return grab(event, Number((handle as HTMLElement).dataset["height"]), [], true);
    const stack = hits(event);
    const id = stack.find((each) => chosen.has(each)) ?? stack[0];
    if (id !== undefined) return grab(event, id, stack, event.altKey);
    const from = spotOfEvent(event);
    if (framesAlways || event.shiftKey) {
      keep(event);
      layer.current!.focus({ preventScroll: true });
      hold.current = { kind: "band", pointer: event.pointerId, from, before: event.shiftKey ? chosen : new Set() };
      if (!event.shiftKey) editor.choose([]);
      return undefined;
    }
    // A click on an empty spot clears the selection. A drag rotates the view, whose element then captures the pointer.
    const release = (up: globalThis.PointerEvent) => {
      if (apart(spotOfEvent(up), from) <= CLICK) editor.choose([]);
    };
    window.addEventListener("pointerup", release, { once: true });
    return undefined;
  };
  const move = (event: PointerEvent) => {
    const held = hold.current;
    const at = spotOfEvent(event);
    if (!held) {
      if (event.buttons === 0) setHovered(hits(event)[0]);
      return;
    }
    if (held.pointer !== event.pointerId) return;
    if (held.kind === "band") {
      setBand([held.from, at]);
      editor.choose([...held.before, ...inBand(lamps, surface, held.from, at)]);
      return;
    }
    if (!held.moved && apart(at, held.from) <= CLICK) return;
    held.moved = true;
    const others = lamps.filter(({ id }) => !held.start.has(id)).map(({ pose }) => pose);
    const isFree = event.ctrlKey || event.metaKey;
    const lamp = byId.get(held.id);
    if (!lamp) return;
    const { patches, guides: found } = dragged(held.start, held.id, held.lead(at), {
      others,
      isFree,
      floor: lamp.floor,
    });
    editor.put(patches, held.step);
    setGuides(found);
  };
  const letGo = () => {
    hold.current = undefined;
    setGuides([]);
    setBand(undefined);
  };
  const up = (event: PointerEvent) => {
    const held = hold.current;
    if (held?.pointer !== event.pointerId) return;
    letGo();
    if (held.kind !== "lamp" || held.moved) return;
    if (event.shiftKey) {
      if (held.wasChosen) editor.choose([...chosen].filter((id) => id !== held.id));
    } else if (held.wasChosen && held.stack.length > 1 && chosen.size === 1) {
      editor.choose([nextOf(held.stack, held.id)]);
    } else editor.choose([held.id]);
  };
  const press = (key: KeyboardEvent) => {
    const use = useOfKey(CHOICE_KEYS, key);
    if (use === "all") editor.choose(byId.keys());
    else if (use === "take") editor.take(chosen);
    else {
      const patches = patchesOfKey(
        key,
        lamps.filter(({ id }) => chosen.has(id)),
      );
      if (!patches) return;
      if (!key.repeat) pressStep.current = newStep();
      editor.put(patches, pressStep.current);
    }
    key.preventDefault();
  };

  const isWanted = ({ id }: PlanLamp) => id === hovered || chosen.has(id);
  const wanted = lamps.filter(isWanted).toSorted((a, b) => Number(b.id === hovered) - Number(a.id === hovered));
  const named = namesThatFit(
    wanted,
    lamps.filter((lamp) => !isWanted(lamp)),
    surface,
  );
  const inHand = chosen.size > 0 ? byId.get([...chosen].at(-1)!) : undefined;
  return (
    <div
      ref={layer}
      role="group"
      aria-label={text.area}
      tabIndex={-1}
      className={cx("absolute inset-0 overflow-hidden outline-none", hovered !== undefined && "cursor-pointer")}
      onPointerDownCapture={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={letGo}
      onPointerLeave={() => setHovered(undefined)}
      onKeyDown={press}
    >
      <svg aria-hidden className="pointer-events-none absolute inset-0 size-full">
        {guides.map((guide) => (
          <GuideLine key={`${guide.axis} ${guide.at}`} guide={guide} surface={surface} through={inHand?.pose} />
        ))}
        {lamps.map((lamp) => (
          <Strokes
            key={lamp.id}
            lamp={lamp}
            surface={surface}
            isChosen={chosen.has(lamp.id)}
            showsDrop={showsHeights && chosen.has(lamp.id)}
            showsAim={!showsHeights || chosen.has(lamp.id)}
          />
        ))}
        {band && (
          <rect
            x={Math.min(band[0].x, band[1].x)}
            y={Math.min(band[0].y, band[1].y)}
            width={Math.abs(band[0].x - band[1].x)}
            height={Math.abs(band[0].y - band[1].y)}
            className="fill-accent/15 stroke-accent"
          />
        )}
      </svg>
      {lamps.map((lamp) => (
        <LampMark
          key={lamp.id}
          lamp={lamp}
          spot={surface.spotOf(lamp.pose)}
          isChosen={chosen.has(lamp.id)}
          isNamed={named.has(lamp.id)}
          others={named.has(lamp.id) ? othersOnSpot(lamp, lamps, surface) : 0}
          onFocus={() => hold.current === undefined && !chosen.has(lamp.id) && editor.choose([lamp.id])}
          onToggle={() =>
            editor.choose(chosen.has(lamp.id) ? [...chosen].filter((id) => id !== lamp.id) : [...chosen, lamp.id])
          }
        />
      ))}
      {inHand && chosen.size === 1 && (
        <p
          aria-hidden
          className="pointer-events-none absolute bottom-1.5 left-2 rounded bg-bg/75 px-1 text-[11px] leading-4 text-fg tabular-nums"
        >
          {text.at(inHand.pose)}
        </p>
      )}
      {inHand && showsHeights && <HeightHandle lamp={inHand} spot={surface.spotOf(inHand.pose)} />}
    </div>
  );
}

function LampMark({
  lamp: { id, name, color, pose, isPlaced },
  spot,
  isChosen,
  isNamed,
  others,
  onFocus,
  onToggle,
}: {
  readonly lamp: PlanLamp;
  readonly spot: Spot | undefined;
  readonly isChosen: boolean;
  readonly isNamed: boolean;
  /** Number of other fixtures on the same spot. */
  readonly others: number;
  readonly onFocus: () => void;
  readonly onToggle: () => void;
}) {
  return (
    <button
      type="button"
      data-lamp={id}
      aria-label={isPlaced ? text.lamp(name, pose) : text.lampFree(name)}
      aria-pressed={isChosen}
      // Behind the camera: off screen, but reachable by keyboard.
      style={spot ? { left: spot.x, top: spot.y } : { left: -99, top: -99 }}
      className={cx(
        "group absolute flex size-7 -translate-1/2 touch-none items-center justify-center rounded-full",
        isChosen ? "z-10 cursor-grab active:cursor-grabbing" : "cursor-pointer",
      )}
      onFocus={onFocus}
      // Keyboard clicks only (detail 0); the layer handles pointer presses.
      onClick={({ detail }) => detail === 0 && onToggle()}
    >
      <span
        aria-hidden
        style={isPlaced ? { backgroundColor: color } : { backgroundColor: `color-mix(in oklab, ${color} 30%, var(--bg))`, borderColor: color }} // prettier-ignore
        className={cx(
          "block size-3 rounded-full border",
          isPlaced ? "border-black/60" : "border-dashed",
          isChosen && "ring-2 ring-accent ring-offset-1 ring-offset-bg",
        )}
      />
      {isNamed && (
        <span
          aria-hidden
          className="pointer-events-none absolute top-5.5 left-1/2 flex max-w-28 -translate-x-1/2 gap-1 rounded bg-bg/75 px-1 text-[11px] leading-4 whitespace-nowrap text-fg"
        >
          <span className="truncate">{name}</span>
          {others > 0 && <span className="text-muted">+{others}</span>}
        </span>
      )}
    </button>
  );
}

/** Lines that show a fixture's direction and its position above the floor. */
function Strokes({
  lamp: { pose, color, moves },
  surface,
  isChosen,
  showsDrop,
  showsAim,
}: {
  readonly lamp: PlanLamp;
  readonly surface: Surface;
  readonly isChosen: boolean;
  readonly showsDrop: boolean;
  readonly showsAim: boolean;
}) {
  const from = surface.spotOf(pose);
  const floor = showsDrop ? surface.spotOf({ ...pose, z: 0 }) : undefined;
  const aim = showsAim
    ? surface.spotOf(along(pose, fixedDirectionOf(moves ? { ...pose, lean: 40 } : pose)))
    : undefined;
  return (
    <>
      {from && floor && <Line a={from} b={floor} className="stroke-accent" dashes="3 3" />}
      {floor && <circle cx={floor.x} cy={floor.y} r={2.5} className="fill-accent" />}
      {
        from && aim &&
        <line x1={from.x} y1={from.y} x2={aim.x} y2={aim.y} stroke={color} strokeWidth={isChosen ? 2.5 : 1.5} strokeLinecap="round" /> // prettier-ignore
      }
    </>
  );
}

const along = (at: Point3, by: Point3): Point3 => ({
  x: at.x + AIM * by.x,
  y: at.y + AIM * by.y,
  z: at.z + AIM * by.z,
});

/** Snap guide across the whole stage at the height of the fixture. Guides for floor and truss height cross at the fixture. */
function GuideLine({
  guide: { axis, at, isMirror },
  surface,
  through,
}: {
  readonly guide: Guide;
  readonly surface: Surface;
  readonly through: Point3 | undefined;
}) {
  if (!through) return null;
  const other = axis === "x" ? "y" : "x";
  const [a, b] = REACH[other].map((end) => surface.spotOf({ ...through, [axis]: at, [other]: end }));
  return a && b && <Line a={a} b={b} className={isMirror ? "stroke-warn" : "stroke-accent"} dashes={isMirror ? "6 3" : undefined} />; // prettier-ignore
}

function Line({
  a,
  b,
  className,
  dashes,
}: {
  readonly a: Spot;
  readonly b: Spot;
  readonly className: string;
  readonly dashes?: string | undefined;
}) {
  return <line x1={a.x} y1={a.y} x2={b.x} y2={b.y} strokeDasharray={dashes} className={className} />;
}

/** Handle that changes the height when dragged, needed for touch. With a mouse, Alt + drag does the same. */
function HeightHandle({ lamp, spot }: { readonly lamp: PlanLamp; readonly spot: Spot | undefined }) {
  if (!spot) return null;
  return (
    <span
      data-height={lamp.id}
      title={text.dragHeight}
      style={{ left: spot.x, top: spot.y > 48 ? spot.y - 34 : spot.y + 52 }}
      className="absolute z-20 flex size-6 -translate-1/2 cursor-ns-resize touch-none items-center justify-center rounded-full border border-accent bg-bg/80 text-accent"
    >
      <MoveVertical aria-hidden size={14} />
    </span>
  );
}
