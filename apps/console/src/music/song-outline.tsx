import type { Song } from "@followspot/contract/music";
import { useMemo } from "react";
import { clockTime } from "../lib/formatting.ts";
import { useStore } from "../lib/store.ts";
import { rowTitleId } from "../ui/select-boxes.tsx";
import { heardSeconds, listenFrom, listening } from "./listening.ts";
import { musicStrings } from "./music.strings.ts";
import { outlineBars, outlineWords } from "./outline-bars.ts";

const text = musicStrings.listen;

/** Waveform of a song in the colors of its sections. While the song plays here, a press seeks. */
export function SongOutline({ song }: { readonly song: Song }) {
  const { outline } = song;
  const bars = useMemo(() => outline && outlineBars(outline), [outline]);
  const isHeard = useStore(listening)?.song.id === song.id;
  if (!outline || !bars) return null;
  return (
    <span className="relative block h-8">
      <svg
        role="img"
        aria-label={text.outline(outlineWords(outline.parts))}
        viewBox={`0 0 ${outline.levels.length} 1`}
        preserveAspectRatio="none"
        className="size-full"
      >
        {bars.map(({ label, path }, index) => (
          <path
            key={index}
            d={path}
            className={`outline-${label}`}
            stroke="currentColor"
            strokeWidth={1.5}
            vectorEffect="non-scaling-stroke"
          >
            <title>{label}</title>
          </path>
        ))}
      </svg>
      {isHeard && <Playhead song={song} />}
    </span>
  );
}

function Playhead({ song: { id, duration } }: { readonly song: Song }) {
  const seconds = useStore(heardSeconds);
  const whole = Math.max(1, duration);
  return (
    <>
      <span
        aria-hidden
        className="pointer-events-none absolute inset-y-0 w-0.5 bg-fg"
        style={{ left: `${Math.min(100, (seconds / whole) * 100)}%` }}
      />
      <input
        type="range"
        aria-label={text.position}
        aria-describedby={rowTitleId(id)}
        aria-valuetext={text.at(clockTime(seconds), clockTime(duration))}
        min={0}
        max={whole}
        step={1}
        value={Math.round(seconds)}
        onChange={({ target }) => listenFrom(Number(target.value))}
        className="absolute inset-0 m-0 size-full cursor-pointer opacity-0 focus-visible:opacity-100"
      />
    </>
  );
}
