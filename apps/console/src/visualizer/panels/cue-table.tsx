import { useDeferredValue, useMemo, useState } from "react";
import { clockTime } from "../../lib/formatting.ts";
import { Swatches } from "./side-panel.tsx";
import type { SongPlayer } from "../player/song-player.ts";
import { intentColor, intentLabel, type ActiveCue, type TimelineLane } from "../timeline/timeline-layout.ts";

const PAGE_ROWS = 50;

/** Every cue in words: the timeline for those who do not see it, and the place to search. */
export function CueTable({ lanes, player }: { readonly lanes: readonly TimelineLane[]; readonly player: SongPlayer }) {
  const [isOpen, setOpen] = useState(false);
  const count = lanes.reduce((sum, lane) => sum + lane.cues.length, 0);
  return (
    <details className="vz-cues" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Cue table <span className="vz-muted">{count.toLocaleString("en")} cues</span>
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
          aria-label="Find cues"
          placeholder="Find by intent, target or section"
          value={search}
          onChange={(event) => (setSearch(event.target.value), setPage(0))}
        />
        <span role="status" className="vz-muted">
          {found.length === 0 ? "No cues match." : `Page ${page + 1} of ${pages}`}
        </span>
        <button type="button" className="vz-button" disabled={page === 0} onClick={() => setPage(page - 1)}>
          Previous
        </button>
        <button type="button" className="vz-button" disabled={page + 1 >= pages} onClick={() => setPage(page + 1)}>
          Next
        </button>
      </div>
      <div className="vz-table-scroll" role="region" aria-label="Cues" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">Target</th>
              <th scope="col">Intent</th>
              <th scope="col">Length</th>
              <th scope="col">Section</th>
              <th scope="col">Palette</th>
              <th scope="col">Why</th>
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
                    aria-label={`Go to ${clockTime(cue.time)}`}
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
