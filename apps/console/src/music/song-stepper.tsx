import { timestampMs, type Timestamp } from "@bufbuild/protobuf/wkt";
import { useEffect, useRef } from "react";
import { countdownText } from "../lib/server-clock.ts";
import { cx } from "../ui/class-names.ts";
import { musicStrings } from "./music.strings.ts";
import { songSteps, type StepFacts, type StepState } from "./song-steps.ts";

/** Three segments, one per step, filling while the song is worked on; a song whose turn has not come waits. */
export function SongStepper({ song, isNarrow = false }: { readonly song: StepFacts; readonly isNarrow?: boolean }) {
  const steps = songSteps(song);
  const active = steps.find((step) => step.state === "active");
  const isMoving = active !== undefined && active.percent > 0;
  const done = steps.filter((step) => step.state === "done").length;
  return (
    <span className="inline-flex shrink-0 items-center gap-2">
      <span
        role="img"
        aria-label={musicStrings.steps(isMoving ? `${active.name} ${active.percent}%` : musicStrings.waiting, done)}
        className="flex gap-0.5"
      >
        {steps.map((step) => (
          <span
            key={step.name}
            title={step.name}
            className={cx("h-1 overflow-hidden rounded-full bg-border", isNarrow ? "w-4" : "w-7")}
          >
            <span
              className={`block h-full origin-left transition-transform ${FILLS[step.state]}`}
              style={{ transform: `scaleX(${step.state === "failed" ? 1 : step.percent / 100})` }}
            />
          </span>
        ))}
      </span>
      {(isMoving || !isNarrow) && (
        <span className={cx("text-xs whitespace-nowrap text-muted tabular-nums", !isNarrow && "min-w-12")}>
          {isMoving ? `${active.percent}%` : musicStrings.waiting}
          {isMoving && song.stepStartedAt && <Elapsed since={song.stepStartedAt} />}
        </span>
      )}
    </span>
  );
}

/** How long a step has been at work, counted on without drawing anything else again. */
function Elapsed({ since }: { readonly since: Timestamp }) {
  const text = useRef<HTMLSpanElement>(null);
  const begun = timestampMs(since);
  useEffect(() => {
    const draw = () => {
      if (text.current) text.current.textContent = ` · ${countdownText(Date.now() - begun)}`;
    };
    draw();
    const timer = setInterval(draw, 1000);
    return () => clearInterval(timer);
  }, [begun]);
  return <span ref={text} title={musicStrings.elapsed} />;
}

const FILLS: Record<StepState, string> = { done: "bg-ok", active: "bg-accent", waiting: "", failed: "bg-danger" };
