import type { Song } from "@followspot/contract/music";
import { timestampMs, type Timestamp } from "@bufbuild/protobuf/wkt";
import { useEffect, useRef } from "react";
import { countdownText } from "../lib/server-clock.ts";
import { cx } from "../ui/class-names.ts";
import { musicStrings } from "./music.strings.ts";
import { songSteps, type StepFacts, type StepState } from "./song-steps.ts";

/**
 * Progress bar with three segments, one per step; a queued song is shown as waiting.
 * @param says text beside the percentage: step and elapsed time; only the percentage; or nothing while the song is
 * queued
 */
export function SongStepper({ song, says }: { readonly song: StepFacts; readonly says: "step" | "percent" | "least" }) {
  const isNarrow = says === "least";
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
        <span className={cx("text-xs whitespace-nowrap text-muted tabular-nums", WIDTHS[says])}>
          {isMoving ? `${active.percent}%` : musicStrings.waiting}
          {isMoving && says === "step" && ` ${active.name}`}
          {isMoving && says === "step" && song.stepStartedAt && <Elapsed since={song.stepStartedAt} />}
        </span>
      )}
    </span>
  );
}

/** Progress note of the worker for the current step, with the elapsed time. */
export function StepNote({ song }: { readonly song: StepFacts & Pick<Song, "note"> }) {
  const isMoving = songSteps(song).some(({ state, percent }) => state === "active" && percent > 0);
  return (
    <span className="flex min-w-0 text-xs text-muted tabular-nums">
      <span className="truncate">{song.note.charAt(0).toUpperCase() + song.note.slice(1)}</span>
      {isMoving && song.stepStartedAt && <Elapsed since={song.stepStartedAt} />}
    </span>
  );
}

/** Elapsed time of a step, updated without rendering other components. */
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
  return <span ref={text} className="shrink-0 whitespace-pre" title={musicStrings.elapsed} />;
}

/** Minimum widths, so that the bars of several rows align. */
const WIDTHS = { step: "min-w-32", percent: "min-w-12", least: "" } as const;

const FILLS: Record<StepState, string> = { done: "bg-ok", active: "bg-accent", waiting: "", failed: "bg-danger" };
