import { clockTime } from "../../lib/formatting.ts";
import { intentLabel, type ActiveCue } from "./timeline-layout.ts";

/** Maximum width of the tooltip, pixels. */
const WHY_WIDTH = 280;

export interface HoveredCue extends ActiveCue {
  readonly left: number;
  readonly top: number;
}

/** Tooltip with the reason of the cue under the pointer. */
export function CueReason({ hovered: { lane, cue, left, top } }: { readonly hovered: HoveredCue }) {
  return (
    <div
      className="pointer-events-none absolute z-2 flex w-max max-w-[270px] -translate-y-[calc(100%-10px)] flex-col rounded-lg border bg-raised px-3 py-2 text-[12px]/[17px] shadow-[0_8px_24px_oklch(0_0_0/0.5)]"
      // Uses the current width: the window may become narrower under a resting pointer.
      style={{ left: `clamp(4px, ${left}px, calc(100% - ${WHY_WIDTH}px))`, top }}
    >
      <strong className="font-bold">
        {lane.label} · {intentLabel(cue.intent)}
      </strong>
      <span className="text-muted">
        {clockTime(cue.time)} · {cue.duration.toFixed(1)} s · {cue.section}
      </span>
      {cue.reason && <em className="text-muted">{cue.reason}</em>}
    </div>
  );
}
