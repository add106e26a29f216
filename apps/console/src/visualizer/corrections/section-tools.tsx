import { SECTION_LABELS, type SectionLabel } from "@followspot/contract";
import { useState } from "react";
import { clockTime } from "../../lib/formatting.ts";
import type { SongPlayer } from "../player/song-player.ts";
import { nearestTime } from "../timeline/timeline-layout.ts";
import type { Corrections } from "./use-corrections.ts";
import { correctionsStrings } from "./corrections.strings.ts";
import { cx } from "../../ui/class-names.ts";
import { buttonLook, LINK, MUTED, SELECT, SMALL_TITLE, TOOL_GROUP, TOOLS, WARN } from "../look.ts";

const text = correctionsStrings.sections;

/** Minimum distance of a split from the edges of the section, seconds. */
const EDGE_SLACK = 0.05;

/** List of the sections, with tools to rename, merge and split them at the playhead. */
export function SectionTools({
  corrections,
  player,
}: {
  readonly corrections: Corrections;
  readonly player: SongPlayer;
}) {
  const { preview, edit } = corrections;
  const { sections } = preview.structure;
  /** Sections when the last split was rejected; the note disappears as soon as they change. */
  const [refused, setRefused] = useState<typeof sections>();
  const split = (): void => {
    const at = nearestTime(preview.downbeats, player.time());
    const isInside = sections.some(({ start, end }) => at > start + EDGE_SLACK && at < end - EDGE_SLACK);
    if (!isInside) return setRefused(sections);
    edit({ kind: "split", at });
  };
  return (
    <div role="group" aria-labelledby="vz-section-tools" className={TOOL_GROUP}>
      <h3 id="vz-section-tools" className={SMALL_TITLE}>
        {text.title}
      </h3>
      <p className={cx("-mt-1 text-xs", MUTED)}>{text.hint}</p>
      <ol className="flex flex-col gap-1">
        {sections.map((section, index) => (
          <li
            key={index}
            className={cx(
              `vz-section-${section.label}`,
              "grid grid-cols-[40px_minmax(0,1fr)_58px] items-center gap-2 border-l-3 border-(--vz-section) pl-2",
            )}
          >
            <button
              type="button"
              className={cx(LINK, "text-left")}
              aria-label={text.goTo(index + 1, clockTime(section.start))}
              onClick={() => player.seek(section.start)}
            >
              {clockTime(section.start)}
            </button>
            <select
              className={SELECT}
              aria-label={text.label(index + 1)}
              value={section.label}
              // The options are exactly the labels.
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
                className={buttonLook({ small: true })}
                title={text.mergeHint}
                onClick={() => edit({ kind: "merge", at: section.start })}
              >
                {text.merge}
                <span className="sr-only">{text.mergeNumber(index + 1)}</span>
              </button>
            )}
          </li>
        ))}
      </ol>
      <div className={TOOLS}>
        <button type="button" className={buttonLook({ small: true })} onClick={split} disabled={sections.length === 0}>
          {text.split}
        </button>
      </div>
      <p role="status" className={cx("-mt-1 text-xs", WARN)}>
        {refused === sections && text.notSplit}
      </p>
    </div>
  );
}
