import type { Song } from "@followspot/contract/music";
import { timestampMs, type Timestamp } from "@bufbuild/protobuf/wkt";
import { useEffect, useRef } from "react";
import { countdownText } from "../lib/server-clock.ts";
import { cx } from "../ui/class-names.ts";
import { musicStrings } from "./music.strings.ts";
import { songSteps, type StepFacts, type StepState } from "./song-steps.ts";

/**
 * Three segments, one per step, filling while the song is worked on; a song whose turn has not come waits.
 * @param says beside the percent what is done with the song, by name of the step or in the worker's words, and for how long
 */
export function SongStepper({
  song,
  says,
}: {
  readonly song: StepFacts & Partial<Pick<Song, "note">>;
  readonly says: "step" | "note" | "percent";
}) {
  const isNarrow = says === "percent";
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
          {isMoving ? `${active.percent}%` : says === "note" && song.note ? sentence(song.note) : musicStrings.waiting}
          {isMoving && says === "step" && ` ${active.name}`}
          {isMoving && says === "note" && song.note && ` ${song.note}`}
          {isMoving && !isNarrow && song.stepStartedAt && <Elapsed since={song.stepStartedAt} />}
        </span>
      )}
    </span>
  );
}

const sentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

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

/** Bars of several rows stand below each other. */
const WIDTHS = { step: "min-w-32", note: "min-w-12", percent: "" } as const;

const FILLS: Record<StepState, string> = { done: "bg-ok", active: "bg-accent", waiting: "", failed: "bg-danger" };
