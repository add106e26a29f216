import { outputName } from "@followspot/contract";
import type { Output, OutputHealth } from "@followspot/contract/lights";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useRef, type ComponentType } from "react";
import { errorSentence } from "../lib/errors.ts";
import { timeOfDay, toDate } from "../lib/formatting.ts";
import type { FollowLevelsProps } from "../lamps/follow-levels.tsx";
import type { LampLevels } from "../lamps/lamp-levels.ts";
import { troublesOf } from "../outputs/output-truth.ts";
import { useOutputHealth, useOutputs } from "../outputs/outputs.queries.ts";
import { cx } from "../ui/class-names.ts";
import { Card } from "./card.tsx";
import { tonightStrings as text } from "./tonight.strings.ts";

const HEALTH_MS = 2000;

/**
 * Loaded from a separate file together with the frame reader. If that fails, the card works and its levels stay empty.
 */
const FollowLevels = lazy<ComponentType<FollowLevelsProps>>(() =>
  import("../lamps/follow-levels.tsx").then(
    (file) => ({ default: file.FollowLevels }),
    () => ({ default: () => null }),
  ),
);

/** List of outputs with current brightness, state, and the time of failure. */
export function LampsCard({
  zone,
  className,
}: {
  /** Time zone of the event. */
  readonly zone: string | undefined;
  readonly className?: string;
}) {
  const outputs = useOutputs().data?.outputs.filter(({ enabled }) => enabled);
  const { data, isError, error } = useOutputHealth(HEALTH_MS);
  const bars = useRef(new Map<string, HTMLElement>());
  const lit = useRef<HTMLSpanElement>(null);
  const hasOutputs = outputs?.length !== 0;
  const isAnyDown = isError || data?.outputs.some(({ state }) => state === "down");
  const show = (levels: LampLevels | undefined) => {
    // Frames for a failed output light no fixture, and a preview drives none.
    if (lit.current)
      lit.current.textContent = levels && !isAnyDown && hasOutputs ? text.lit(levels.lit, levels.all) : "";
    for (const bar of bars.current.values())
      bar.style.setProperty("transform", `scaleX(${levels?.byUniverse.get(Number(bar.dataset["universe"])) ?? 0})`);
  };
  return (
    <Card
      title={text.lamps}
      {...(className && { className })}
      aside={
        <span className="flex gap-3 tabular-nums">
          <span ref={lit} />
          {data && !isError && <span>{data.sending && hasOutputs ? text.rate(data.rateHz) : text.resting}</span>}
        </span>
      }
    >
      {isError && (
        <p role="alert" className="text-sm text-danger">
          {errorSentence(error)}
        </p>
      )}
      {!hasOutputs && (
        <p className="flex gap-2 text-sm">
          <span aria-hidden className="mt-1.5 size-2 shrink-0 rounded-full bg-danger" />
          <span className="min-w-0">
            {text.lampsOff}{" "}
            <Link to="/lights" search={{ open: "outputs" }} className="text-accent underline">
              {text.toOutputs}
            </Link>
          </span>
        </p>
      )}
      <ul className="flex flex-col gap-1.5">
        {outputs?.map((output) => (
          <OutputLine
            key={output.id}
            output={output}
            zone={zone}
            health={isError ? undefined : data?.outputs.find(({ id }) => id === output.id)}
            onBar={(bar) => {
              if (bar) bars.current.set(output.id, bar);
              else bars.current.delete(output.id);
            }}
          />
        ))}
      </ul>
      {data &&
        !isError &&
        [...new Set(troublesOf(outputs ?? [], data.outputs))].map((trouble) => (
          <p key={trouble} className="text-xs wrap-anywhere text-danger">
            {trouble}
          </p>
        ))}
      <Suspense>
        <FollowLevels onLevels={show} />
      </Suspense>
    </Card>
  );
}

function OutputLine({
  output,
  zone,
  health,
  onBar,
}: {
  readonly output: Output;
  readonly zone: string | undefined;
  readonly health: OutputHealth | undefined;
  readonly onBar: (bar: HTMLElement | null) => void;
}) {
  const isDown = health?.state === "down";
  const since = toDate(health?.since);
  const state = health === undefined ? "unknown" : isDown ? "down" : health.state === "sending" ? "up" : "silent";
  return (
    <li className="flex items-center gap-2 text-sm">
      <span aria-hidden className={cx("size-2 shrink-0 rounded-full", DOTS[state])} />
      <span className="min-w-0 flex-1 truncate" title={outputName(output)}>
        {outputName(output)}
      </span>
      <span className="shrink-0 text-xs text-muted tabular-nums">{text.universe(output.universe)}</span>
      <span aria-hidden className="h-1.5 w-16 shrink-0 overflow-hidden rounded-full bg-raised">
        <span
          ref={onBar}
          data-universe={output.universe}
          style={{ transform: "scaleX(0)" }}
          className={cx("block h-full origin-left", isDown ? "bg-border" : "bg-accent")}
        />
      </span>
      <span className={cx("min-w-12 shrink-0 text-right text-xs", isDown ? "text-danger" : "text-muted")}>
        {isDown && since ? text.downSince(timeOfDay(since, zone)) : text.outputStates[state]}
      </span>
    </li>
  );
}

const DOTS = { up: "bg-ok", down: "bg-danger", silent: "bg-muted", unknown: "bg-muted" } as const;
