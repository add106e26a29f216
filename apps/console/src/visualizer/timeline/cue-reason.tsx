import { clockTime } from "../../lib/formatting.ts";
import { intentLabel, type ActiveCue } from "./timeline-layout.ts";

/** Room it takes at most, in pixels. */
export const WHY_WIDTH = 280;

export interface HoveredCue extends ActiveCue {
  readonly left: number;
  readonly top: number;
}

/** Why the cue under the pointer is there. */
export function CueReason({ hovered: { lane, cue, left, top } }: { readonly hovered: HoveredCue }) {
  return (
    <div className="vz-why" style={{ left: Math.max(4, left), top }}>
      <strong>
        {lane.label} · {intentLabel(cue.intent)}
      </strong>
      <span>
        {clockTime(cue.time)} · {cue.duration.toFixed(1)} s · {cue.section}
      </span>
      {cue.reason && <em>{cue.reason}</em>}
    </div>
  );
}
