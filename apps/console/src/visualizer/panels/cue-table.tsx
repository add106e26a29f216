import { useDeferredValue, useMemo, useState } from "react";
import { clockTime } from "../../lib/formatting.ts";
import { Swatches } from "./side-panel.tsx";
import type { SongPlayer } from "../player/song-player.ts";
import { intentColor, intentLabel, type ActiveCue, type TimelineLane } from "../timeline/timeline-layout.ts";
import { visualizerStrings } from "../visualizer.strings.ts";

const text = visualizerStrings.cues;
const PAGE_ROWS = 50;

/** Every cue in words: the timeline for those who do not see it, and the place to search. */
export function CueTable({ lanes, player }: { readonly lanes: readonly TimelineLane[]; readonly player: SongPlayer }) {
  const [isOpen, setOpen] = useState(false);
  const count = lanes.reduce((sum, lane) => sum + lane.cues.length, 0);
  return (
    <details className="vz-cues" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {text.title} <span className="vz-muted">{text.count(count)}</span>
      </summary>
      {isOpen && <CueRows lanes={lanes} player={player} />}
    </details>
  );
}

function CueRows({ lanes, player }: { readonly lanes: readonly TimelineLane[]; readonly player: SongPlayer }) {
  const [search, setSearch] = useState("");
  const [page, setPage] = useState(0);
  const words = useDeferredValue(search.trim().toLowerCase());
  const found = useMemo(() => findCues(lanes, words), [lanes, words]);
  const pages = Math.max(1, Math.ceil(found.length / PAGE_ROWS));
  const rows = found.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS);
  return (
    <>
      <div className="vz-cue-tools">
        <input
          type="search"
          aria-label={text.find}
          placeholder={text.hint}
          value={search}
          onChange={(event) => (setSearch(event.target.value), setPage(0))}
        />
        <span role="status" className="vz-muted">
          {found.length === 0 ? text.none : text.page(page + 1, pages)}
        </span>
        <button type="button" className="vz-button" disabled={page === 0} onClick={() => setPage(page - 1)}>
          {text.previous}
        </button>
        <button type="button" className="vz-button" disabled={page + 1 >= pages} onClick={() => setPage(page + 1)}>
          {text.next}
        </button>
      </div>
      <div className="vz-table-scroll" role="region" aria-label={text.table} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {Object.values(text.columns).map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ lane, cue }) => (
              <tr key={`${lane.target}:${cue.time}`}>
                <td>
                  <button
                    type="button"
                    className="vz-link"
                    onClick={() => player.seek(cue.time)}
                    aria-label={text.goTo(clockTime(cue.time))}
                  >
                    {clockTime(cue.time)}
                  </button>
                </td>
                <td>{lane.label}</td>
                <td>
                  <span className={`vz-dot vz-dot-${intentColor(cue.intent)}`} /> {intentLabel(cue.intent)}
                </td>
                <td className="vz-number">{cue.duration.toFixed(1)} s</td>
                <td>{cue.section}</td>
                <td>
                  <Swatches palette={cue.palette} />
                </td>
                <td>{cue.reason}</td>
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
