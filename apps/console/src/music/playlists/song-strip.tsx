import type { Song } from "@followspot/contract/music";
import { useMemo } from "react";
import { cx } from "../../ui/class-names.ts";
import { outlineBars } from "../outline-bars.ts";
import { playlistStrings } from "./playlists.strings.ts";
import type { PlacedSection } from "./song-place.ts";

const text = playlistStrings.onNow;

interface StripProps {
  readonly sections: readonly PlacedSection[];
  readonly seconds: number;
  /** Song position, s; negative before it begins. */
  readonly position: number;
}

/** Waveform of the current song with sections, drops and the playhead. */
export function SongStrip({
  outline,
  drops,
  ...strip
}: StripProps & {
  readonly outline: Song["outline"];
  /** Times of the drops, s. */
  readonly drops: readonly number[];
}) {
  const { seconds, position } = strip;
  const bars = useMemo(() => outline && outlineBars(outline), [outline]);
  return (
    <div aria-hidden className="relative pt-2.5">
      {outline && bars && (
        <div className="relative h-16 sm:h-20">
          <svg
            viewBox={`0 0 ${outline.levels.length} 1`}
            preserveAspectRatio="none"
            className="strip-wave absolute inset-0 size-full"
          >
            {bars.map(({ label, path }, part) => (
              <path key={part} d={path} className={`outline-${label}`} />
            ))}
          </svg>
          <span className="strip-heard" style={{ transform: `scaleX(${shareOf(position, seconds)})` }} />
        </div>
      )}
      <Sections {...strip} />
      {drops.map((at) => (
        <span
          key={at}
          className={cx("strip-drop", at < position && "opacity-40")}
          style={{ left: percent(at, seconds) }}
        />
      ))}
      <Playhead {...strip} />
    </div>
  );
}

/** Strip of the sections only, for narrow places. */
export function SectionStrip(strip: StripProps) {
  return (
    <div aria-hidden className="relative">
      <Sections {...strip} />
      <Playhead {...strip} />
    </div>
  );
}

function Sections({ sections, seconds, position }: StripProps) {
  const now = sections.findLast(({ start }) => start <= position);
  return (
    <div className="relative mt-1 h-6 overflow-hidden rounded-md bg-raised">
      {sections.map((section) => (
        <span
          key={section.start}
          className={cx("strip-section", `outline-${section.label}`, section === now && "is-now")}
          style={{ left: percent(section.start, seconds), width: percent(section.end - section.start, seconds) }}
        >
          <span className="text-fg">{text.section(section.label)}</span>
        </span>
      ))}
    </div>
  );
}

function Playhead({ seconds, position }: StripProps) {
  return (
    <span className="strip-now" style={{ transform: `translateX(${100 * shareOf(position, seconds)}%)` }}>
      <span className="absolute inset-y-0 left-0 w-0.5 rounded-full bg-fg" />
    </span>
  );
}

const shareOf = (time: number, seconds: number) => Math.min(1, Math.max(0, time / Math.max(seconds, 1e-3)));
const percent = (time: number, seconds: number) => `${(100 * shareOf(time, seconds)).toFixed(2)}%`;
