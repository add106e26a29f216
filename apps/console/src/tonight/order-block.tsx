import { Mic, Music } from "lucide-react";
import { timeOfDay } from "../lib/formatting.ts";
import { cx } from "../ui/class-names.ts";
import type { OrderLine } from "./running-order.ts";
import { tonightStrings as text } from "./tonight.strings.ts";

/** Talks and songs on one line. */
export function OrderBlock({
  lines,
  zone,
  empty,
  className,
}: {
  readonly lines: readonly OrderLine[];
  /** Of the event. */
  readonly zone: string | undefined;
  /** What is said while there is no line. */
  readonly empty: string;
  readonly className?: string;
}) {
  return (
    <section aria-label={text.order} className={cx("overflow-hidden rounded-lg border bg-surface", className)}>
      <h2 className="border-b px-3 py-2 text-xs font-medium text-muted">{text.order}</h2>
      {lines.length === 0 && empty && <p className="p-3 text-sm text-muted">{empty}</p>}
      <ol>
        {lines.map(({ key, kind, title, by, at, really, state }) => {
          const Mark = kind === "talk" ? Mic : Music;
          return (
            <li
              key={key}
              aria-current={state === "now"}
              className={cx(
                "flex items-baseline gap-2 border-b border-l-2 px-3 py-1.5 last:border-b-0",
                state === "now" ? "border-l-accent bg-raised" : "border-l-transparent",
                state === "over" && "text-muted",
              )}
            >
              <Mark aria-hidden size={13} className="translate-y-0.5 text-muted" />
              <span className="min-w-0 flex-1">
                <span className="block truncate text-sm">{title || text.untitled}</span>
                <span className="block truncate text-xs text-muted">
                  {[by, text.state[state]].filter(Boolean).join(" · ")}
                </span>
                {at !== undefined && really !== undefined && (
                  <span className="block text-xs text-warn">
                    {text.really(
                      timeOfDay(new Date(really), zone),
                      Math.round((really - at) / 60_000),
                      state === "now",
                    )}
                  </span>
                )}
              </span>
              <span className="text-xs text-muted tabular-nums">
                {at === undefined ? text.noTime : timeOfDay(new Date(at), zone)}
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
