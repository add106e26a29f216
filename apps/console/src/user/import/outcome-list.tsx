import { useState } from "react";
import type { CsvRow } from "../../lib/parse-csv.ts";
import { Button } from "../../ui/button.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Status, type Tone } from "../../ui/status.tsx";
import type { ImportState, Outcome } from "./import-people.ts";
import { importStrings as text } from "./import.strings.ts";
import type { FilePerson } from "./people-table.ts";

/** Rows shown initially, and added per press of "more". */
const SHOWN = 100;

const TONES: Readonly<Record<ImportState, Tone>> = {
  created: "ok",
  updated: "busy",
  restored: "busy",
  unchanged: "off",
  repeated: "wait",
  refused: "bad",
  left: "wait",
};
const STATES = Object.keys(TONES) as readonly ImportState[];

/** List of outcomes per row, filterable by state. */
export function OutcomeList({
  people,
  rows,
  outcomes,
  words,
}: {
  readonly people: readonly FilePerson[];
  readonly rows: readonly CsvRow[];
  readonly outcomes: readonly Outcome[];
  readonly words: Readonly<Record<ImportState, string>>;
}) {
  const [kind, setKind] = useState<ImportState | "">("");
  const [shown, setShown] = useState(SHOWN);
  const places = outcomes.flatMap(({ state }, place) => (kind === "" || state === kind ? [place] : []));
  const count = (of: ImportState) => outcomes.filter(({ state }) => state === of).length;
  return (
    <>
      <Segments<ImportState | "">
        label={text.filterLabel}
        value={kind}
        onChange={(next) => {
          setKind(next);
          setShown(SHOWN);
        }}
        segments={[
          { value: "", label: text.all, count: outcomes.length },
          ...STATES.filter((state) => count(state) > 0).map((state) => ({
            value: state,
            label: words[state],
            count: count(state),
          })),
        ]}
      />
      {/* Focusable, so that it can be scrolled by keyboard. */}
      <div
        tabIndex={0}
        role="group"
        aria-label={text.rows}
        className="max-h-80 min-h-0 overflow-auto rounded-md border"
      >
        <ul className="divide-y divide-border">
          {places.slice(0, shown).map((place) => {
            const { state, reason, match } = outcomes[place]!; // `places` holds indices of `outcomes`
            const { name, email, phone } = people[place]!; // same length as `outcomes`
            return (
              <li key={place} className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 px-3 py-1.5">
                <span className="w-16 shrink-0 text-xs text-muted tabular-nums">
                  {text.line(rows[place]?.line ?? 0)}
                </span>
                <span className="min-w-0 flex-1 basis-40 wrap-anywhere">
                  {name || text.noName} <span className="text-xs text-muted">{email || phone}</span>
                </span>
                <Status tone={TONES[state]}>{words[state]}</Status>
                {match && (match.name !== name || match.roles.length > 0) && (
                  <p className="w-full pl-19 text-xs wrap-anywhere text-muted max-sm:pl-0">
                    {text.matches(match.name, match.roles)}
                  </p>
                )}
                {reason && <p className="w-full pl-19 text-xs wrap-anywhere text-muted max-sm:pl-0">{reason}</p>}
              </li>
            );
          })}
        </ul>
        {places.length > shown && (
          <div className="flex justify-center border-t p-2">
            <Button onClick={() => setShown(shown + SHOWN)}>{text.more(Math.min(SHOWN, places.length - shown))}</Button>
          </div>
        )}
      </div>
    </>
  );
}
