import { clockTime } from "../../lib/formatting.ts";
import { intentLabel, type ActiveCue } from "./timeline-layout.ts";

/** Room it takes at most, in pixels. */
const WHY_WIDTH = 280;

export interface HoveredCue extends ActiveCue {
  readonly left: number;
  readonly top: number;
}

/** Why the cue under the pointer is there. */
export function CueReason({ hovered: { lane, cue, left, top } }: { readonly hovered: HoveredCue }) {
  return (
    <div
      className="pointer-events-none absolute z-2 flex w-max max-w-[270px] -translate-y-[calc(100%-10px)] flex-col rounded-lg border bg-raised px-3 py-2 text-[12px]/[17px] shadow-[0_8px_24px_oklch(0_0_0/0.5)]"
      // By the width there is now: the window may be made narrower under a pointer that rests.
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
