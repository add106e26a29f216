import { useDeferredValue, useEffect, useImperativeHandle, useMemo, useRef, useState, type Ref } from "react";
import { flushSync } from "react-dom";
import { clockTime } from "../../lib/formatting.ts";
import { Swatches } from "./side-panel.tsx";
import type { SongPlayer } from "../player/song-player.ts";
import { intentColor, intentLabel, type ActiveCue, type TimelineLane } from "../timeline/timeline-layout.ts";
import { visualizerStrings } from "../visualizer.strings.ts";
import { cx } from "../../ui/class-names.ts";
import { buttonLook, LINK, MUTED } from "../look.ts";

const text = visualizerStrings.cues;
const PAGE_ROWS = 50;
const CELL = "border-t border-border/50 px-3 py-1 align-middle first:pl-4";

export interface CueTableHandle {
  /** Opens the table and focuses its search field. */
  readonly find: () => void;
}

interface CueTableProps {
  readonly lanes: readonly TimelineLane[];
  readonly player: SongPlayer;
  /** Called when a cue is selected for editing; defined while the Show panel is open. */
  readonly onChoose?: ((cue: { readonly target: string; readonly time: number }) => void) | undefined;
}

/** Table of all cues in words: searchable, and an accessible alternative to the timeline. */
export function CueTable({ ref, ...props }: CueTableProps & { readonly ref?: Ref<CueTableHandle> }) {
  const { lanes } = props;
  const [isOpen, setOpen] = useState(false);
  const table = useRef<HTMLDetailsElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useImperativeHandle(ref, () => ({
    find: () => {
      flushSync(() => setOpen(true));
      field.current?.focus();
      field.current?.select();
    },
  }));
  // The table is at the lower edge of the page; without scrolling, only one row would be visible.
  useEffect(() => {
    if (isOpen) table.current?.scrollIntoView?.({ block: "nearest" });
  }, [isOpen]);
  const count = lanes.reduce((sum, lane) => sum + lane.cues.length, 0);
  return (
    <details
      ref={table}
      open={isOpen}
      className="shrink-0 border-t"
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="px-4 py-2 font-semibold focus-visible:-outline-offset-2">
        {text.title} <span className={MUTED}>{text.count(count)}</span>
      </summary>
      {isOpen && <CueRows {...props} field={field} />}
    </details>
  );
}

function CueRows({ lanes, player, onChoose, field }: CueTableProps & { readonly field: Ref<HTMLInputElement> }) {
  const [search, setSearch] = useState("");
  const [page, setPage] = useState(0);
  const words = useDeferredValue(search.trim().toLowerCase());
  const found = useMemo(() => findCues(lanes, words), [lanes, words]);
  const pages = Math.max(1, Math.ceil(found.length / PAGE_ROWS));
  const rows = found.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS);
  return (
    <>
      <form
        className="flex flex-wrap items-center gap-2 px-4 pb-2"
        onSubmit={(event) => {
          event.preventDefault();
          const [first] = findCues(lanes, search.trim().toLowerCase());
          if (first) player.seek(first.cue.time);
        }}
      >
        <input
          ref={field}
          type="search"
          className="h-8 max-w-[340px] flex-[1_1_220px] rounded-md border bg-surface px-2.5"
          aria-label={text.find}
          placeholder={text.hint}
          value={search}
          onChange={(event) => (setSearch(event.target.value), setPage(0))}
        />
        <span role="status" className={MUTED}>
          {found.length === 0 ? text.none : text.page(page + 1, pages)}
        </span>
        <button type="button" className={buttonLook()} disabled={page === 0} onClick={() => setPage(page - 1)}>
          {text.previous}
        </button>
        <button type="button" className={buttonLook()} disabled={page + 1 >= pages} onClick={() => setPage(page + 1)}>
          {text.next}
        </button>
      </form>
      <div
        className="relative max-h-[360px] overflow-auto [scrollbar-width:thin]"
        role="region"
        aria-label={text.table}
        tabIndex={0}
      >
        <table className="w-full border-collapse">
          <thead>
            <tr>
              {Object.values(text.columns).map((column) => (
                <th
                  key={column}
                  scope="col"
                  className="sticky top-0 bg-surface px-3 py-1.5 text-left text-[12px] font-medium text-muted first:pl-4"
                >
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ lane, cue }) => (
              <tr key={`${lane.target}:${cue.time}`}>
                <td className={CELL}>
                  <button
                    type="button"
                    className={LINK}
                    onClick={() => player.seek(cue.time)}
                    aria-label={text.goTo(clockTime(cue.time))}
                  >
                    {clockTime(cue.time)}
                  </button>
                </td>
                <td className={CELL}>{lane.label}</td>
                <td className={CELL}>
                  <span
                    className={`vz-${intentColor(cue.intent)} inline-block size-[9px] rounded-[3px] bg-(--vz-intent)`}
                  />{" "}
                  {intentLabel(cue.intent)}
                </td>
                <td className={cx(CELL, "text-right whitespace-nowrap")}>{cue.duration.toFixed(1)} s</td>
                <td className={CELL}>{cue.section}</td>
                <td className={CELL}>
                  <Swatches palette={cue.palette} />
                </td>
                <td className={CELL}>
                  {cue.reason} {cue.kept && <span className={MUTED}>({text.locked})</span>}{" "}
                  {onChoose && (
                    <button
                      type="button"
                      className={LINK}
                      onClick={() => {
                        player.seek(cue.time);
                        onChoose({ target: lane.target, time: cue.time });
                      }}
                    >
                      {text.choose}
                      <span className="sr-only">{text.chooseOne(lane.label, clockTime(cue.time))}</span>
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function findCues(lanes: readonly TimelineLane[], words: string): ActiveCue[] {
  const wanted = words.split(/\s+/);
  return lanes
    .flatMap((lane) => lane.cues.map((cue) => ({ lane, cue })))
    .filter(({ lane, cue }) => {
      if (words === "") return true;
      const text = `${lane.label} ${lane.target} ${intentLabel(cue.intent)} ${cue.section}`.toLowerCase();
      return wanted.every((word) => text.includes(word));
    })
    .toSorted((a, b) => a.cue.time - b.cue.time);
}
