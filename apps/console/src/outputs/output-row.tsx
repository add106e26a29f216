import { outputName } from "@followspot/contract";
import { LightsService, type Output, type OutputHealth } from "@followspot/contract/lights";
import { useState } from "react";
import { useCan } from "../auth/can.ts";
import { relativeTime, timeSince, toDate } from "../lib/formatting.ts";
import { strings } from "../lib/strings.ts";
import { Button } from "../ui/button.tsx";
import { sayWhy } from "../ui/delete-dialog.tsx";
import { rowTitleId } from "../ui/select-boxes.tsx";
import { Status, type Tone } from "../ui/status.tsx";
import { wayOf } from "./output-fields.ts";
import { TestButton } from "./test-button.tsx";
import { useToggleOutput } from "./outputs.queries.ts";
import { troubleOf } from "./output-truth.ts";
import { outputStrings as text } from "./outputs.strings.ts";

const rpc = LightsService.method;
const DEFAULT_PRIORITY = 100;

/** Row of one output: destination, state and actions. */
export function OutputRow({
  output,
  health,
  onMonitor,
  onEdit,
  onDelete,
}: {
  readonly output: Output;
  /** Undefined while the stage does not report it. */
  readonly health: OutputHealth | undefined;
  readonly onMonitor: () => void;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}) {
  const can = useCan();
  const toggle = useToggleOutput();
  /** Result of a test. */
  const [told, setTold] = useState<string>();
  const state = stateOf(output, health);
  const since = toDate(health?.since);
  const seen = toDate(health?.nodeSeenAt);
  const isDown = state === "down";
  return (
    <li
      className="grid gap-x-3 gap-y-2 border-b px-4 py-3 last:border-b-0 sm:grid-cols-[minmax(0,1fr)_auto]"
      aria-labelledby={rowTitleId(output.id)}
    >
      <div className="flex min-w-0 flex-col gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span id={rowTitleId(output.id)} className="min-w-0 font-medium wrap-anywhere">
            {outputName(output)}
          </span>
          <span className="text-xs text-muted">{text.protocols[output.protocol] ?? output.protocol}</span>
          <span className="text-xs">
            <Status tone={TONES[state]}>{text.states[state]}</Status>
            {since && state !== "off" && <span className="ml-1.5 text-muted">{text.since(timeSince(since))}</span>}
          </span>
        </div>
        <p className="text-xs wrap-anywhere text-muted tabular-nums">
          {[text.way(output.universe, wayOf(output)), ...extrasOf(output)].join(" · ")}
        </p>
        {health && output.enabled && (
          <p className="text-xs wrap-anywhere text-muted tabular-nums">
            {[
              ...(health.nodeName === ""
                ? []
                : [seen ? text.seen(health.nodeName, relativeTime(seen)) : health.nodeName]),
              text.packets(health.packets.toLocaleString("en"), health.sendErrors.toLocaleString("en")),
            ].join(" · ")}
          </p>
        )}
        <p role="status" className="text-xs wrap-anywhere empty:hidden">
          {told}
        </p>
        {health && health.lastError !== "" && output.enabled && (
          <p className={isDown ? "text-xs wrap-anywhere text-danger" : "text-xs wrap-anywhere text-muted"}>
            {isDown ? troubleOf(output, health) : text.lastError(health.lastError)}
          </p>
        )}
      </div>
      <div className="flex flex-wrap items-start gap-1.5">
        {can(rpc.testOutput) && <TestButton output={output} onTold={setTold} />}
        {can("seeLamps") && (
          <Button aria-describedby={rowTitleId(output.id)} onClick={onMonitor}>
            {text.monitor}
          </Button>
        )}
        {can(rpc.updateOutput) && (
          <>
            <Button
              aria-describedby={rowTitleId(output.id)}
              pending={toggle.isPending}
              onClick={() => toggle.mutate(output, { onError: sayWhy })}
            >
              {output.enabled ? text.turnOff : text.turnOn}
            </Button>
            <Button aria-describedby={rowTitleId(output.id)} onClick={onEdit}>
              {strings.edit}
            </Button>
          </>
        )}
        {can(rpc.deleteOutput) && (
          <Button variant="danger" aria-describedby={rowTitleId(output.id)} onClick={onDelete}>
            {strings.delete}
          </Button>
        )}
      </div>
    </li>
  );
}

type State = keyof typeof text.states;

const TONES: Readonly<Record<State, Tone>> = { sending: "ok", silent: "off", down: "bad", off: "off", unknown: "off" };

function stateOf(output: Output, health: OutputHealth | undefined): State {
  if (!output.enabled) return "off";
  const told = health?.state;
  return told === "sending" || told === "silent" || told === "down" ? told : "unknown";
}

/** Lists settings that differ from the defaults. */
function extrasOf({ offsetMs, rateHz, priority, protocol }: Output): string[] {
  return [
    ...(offsetMs === 0 ? [] : [text.offset(offsetMs)]),
    ...(rateHz === 0 ? [] : [text.rate(rateHz)]),
    ...(protocol === "sacn" && priority !== undefined && priority !== DEFAULT_PRIORITY
      ? [text.priority(priority)]
      : []),
  ];
}
