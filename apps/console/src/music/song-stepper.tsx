import type { Song } from "@followspot/contract/music";
import { songSteps, type StepState } from "./song-steps.ts";

/** Three segments, one per step, filling while the song is worked on. */
export function SongStepper({ song }: { readonly song: Song }) {
  const steps = songSteps(song);
  const active = steps.find((step) => step.state === "active");
  const text = active ? `${active.name} ${active.percent}%` : "Waiting";
  return (
    <span className="inline-flex items-center gap-2">
      <span
        role="img"
        aria-label={`${text}, ${steps.filter((step) => step.state === "done").length} of 3 steps done`}
        className="flex gap-0.5"
      >
        {steps.map((step) => (
          <span key={step.name} title={step.name} className="h-1 w-9 overflow-hidden rounded-full bg-border">
            <span
              className={`block h-full origin-left transition-transform ${FILLS[step.state]}`}
              style={{ transform: `scaleX(${step.state === "failed" ? 1 : step.percent / 100})` }}
            />
          </span>
        ))}
      </span>
      <span className="min-w-8 text-right text-xs text-muted">{active ? `${active.percent}%` : ""}</span>
    </span>
  );
}

const FILLS: Record<StepState, string> = { done: "bg-ok", active: "bg-accent", waiting: "", failed: "bg-danger" };
