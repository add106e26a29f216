import type { AimPoint, HeadAim } from "@followspot/contract";
import type { KeyboardEvent, PointerEvent } from "react";
import { useOfKey } from "../lib/key-table.ts";
import { AIM_KEYS } from "./aim.keys.ts";
import { aimStrings as text } from "./aim.strings.ts";
import { movedOnPad, PLACES } from "./aim-rules.ts";

/** Pan or tilt step of an arrow key, as a fraction of full travel. */
const STEP = 0.01;
const LARGE_STEP = 0.05;
const STEPS: Readonly<Record<keyof typeof AIM_KEYS, readonly [pan: number, tilt: number]>> = {
  left: [-STEP, 0],
  right: [STEP, 0],
  up: [0, STEP],
  down: [0, -STEP],
  leftFar: [-LARGE_STEP, 0],
  rightFar: [LARGE_STEP, 0],
  upFar: [0, LARGE_STEP],
  downFar: [0, -LARGE_STEP],
};
const percent = (share: number) => `${share * 100}%`;

/** Two-axis pad that aims a moving head by touch, mouse or arrow keys. Pan runs left to right, tilt bottom to top. */
export function AimPad({
  aim,
  point,
  onPoint,
}: {
  readonly aim: HeadAim;
  readonly point: AimPoint;
  readonly onPoint: (point: AimPoint) => void;
}) {
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    if (box.width === 0 || box.height === 0 || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const at = { pan: (event.clientX - box.left) / box.width, tilt: 1 - (event.clientY - box.top) / box.height };
    onPoint(movedOnPad(at, 0, 0));
  };
  const press = (event: KeyboardEvent) => {
    const use = useOfKey(AIM_KEYS, event);
    if (!use) return;
    onPoint(movedOnPad(point, ...STEPS[use]));
    event.preventDefault();
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={text.pad}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(point.pan * 100)}
      aria-valuetext={text.point(point.pan, point.tilt)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        drag(event);
      }}
      onPointerMove={drag}
      onKeyDown={press}
      className="relative aspect-[4/3] w-full shrink-0 cursor-crosshair touch-none rounded-lg border bg-bg select-none"
    >
      {aim.guard && (
        <span
          aria-hidden
          style={{ bottom: percent(aim.guard.from), height: percent(aim.guard.to - aim.guard.from) }}
          className="absolute inset-x-0 border-y border-danger bg-danger/20"
        />
      )}
      {PLACES.map((place) => {
        const at = aim[place];
        return (
          at && (
            <span
              key={place}
              aria-hidden
              style={{ left: percent(at.pan), bottom: percent(at.tilt) }}
              className="absolute -translate-x-1/2 translate-y-1/2 rounded border bg-surface px-1 text-[10px] leading-4 text-muted"
            >
              {text.places[place]}
            </span>
          )
        );
      })}
      <span
        aria-hidden
        style={{ left: percent(point.pan), bottom: percent(point.tilt) }}
        className="absolute size-6 -translate-x-1/2 translate-y-1/2 rounded-full border-2 border-accent bg-accent/40"
      />
    </div>
  );
}
