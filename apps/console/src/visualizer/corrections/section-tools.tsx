import { SECTION_LABELS, type SectionLabel } from "@followspot/contract";
import { useState } from "react";
import { clockTime } from "../../lib/formatting.ts";
import type { SongPlayer } from "../player/song-player.ts";
import { nearestTime } from "../timeline/timeline-layout.ts";
import type { Corrections } from "./use-corrections.ts";
import { correctionsStrings } from "./corrections.strings.ts";

const text = correctionsStrings.sections;

/** A section is split no nearer to its edges than this, in seconds. */
const EDGE_SLACK = 0.05;

/** Sections as a list: renamed, merged, split at the playhead. */
export function SectionTools({
  corrections,
  player,
}: {
  readonly corrections: Corrections;
  readonly player: SongPlayer;
}) {
  const { preview, edit } = corrections;
  const { sections } = preview.structure;
  /** The sections that could not be split; as others the note is about nothing. */
  const [refused, setRefused] = useState<typeof sections>();
  const split = (): void => {
    const at = nearestTime(preview.downbeats, player.time());
    const isInside = sections.some(({ start, end }) => at > start + EDGE_SLACK && at < end - EDGE_SLACK);
    if (!isInside) return setRefused(sections);
    edit({ kind: "split", at });
  };
  return (
    <div role="group" aria-labelledby="vz-section-tools" className="vz-tool-group">
      <h3 id="vz-section-tools">{text.title}</h3>
      <p className="vz-help vz-muted">{text.hint}</p>
      <ol className="vz-section-list">
        {sections.map((section, index) => (
          <li key={index} className={`vz-section-${section.label}`}>
            <button
              type="button"
              className="vz-link"
              aria-label={text.goTo(index + 1, clockTime(section.start))}
              onClick={() => player.seek(section.start)}
            >
              {clockTime(section.start)}
            </button>
            <select
              aria-label={text.label(index + 1)}
              value={section.label}
              // The options are the labels.
              onChange={(event) =>
                edit({ kind: "label", at: section.start, label: event.target.value as SectionLabel })
              }
            >
              {SECTION_LABELS.map((label) => (
                <option key={label}>{label}</option>
              ))}
            </select>
            {index > 0 && (
              <button
                type="button"
                className="vz-button vz-small"
                title={text.mergeHint}
                onClick={() => edit({ kind: "merge", at: section.start })}
              >
                {text.merge}
                <span className="vz-visually-hidden">{text.mergeNumber(index + 1)}</span>
              </button>
            )}
          </li>
        ))}
      </ol>
      <div className="vz-tools">
        <button type="button" className="vz-button vz-small" onClick={split} disabled={sections.length === 0}>
          {text.split}
        </button>
      </div>
      <p role="status" className="vz-help vz-warn">
        {refused === sections && text.notSplit}
      </p>
    </div>
  );
}
