import { Link } from "@tanstack/react-router";
import { Pause, Play, X } from "lucide-react";
import { useEffect } from "react";
import { clockTime } from "../lib/formatting.ts";
import { useStore } from "../lib/store.ts";
import { Button } from "../ui/button.tsx";
import { heardSeconds, holdListening, listenFrom, listening, listenTo, stopListening } from "./listening.ts";
import { musicStrings } from "./music.strings.ts";

const text = musicStrings.listen;

/** Bar with the song that plays in this browser, visible at any scroll position. Playback ends with the page. */
export function ListeningBar() {
  const heard = useStore(listening);
  useEffect(() => stopListening, []);
  if (!heard) return null;
  const { song, isPlaying } = heard;
  const title = song.title || musicStrings.untitled;
  return (
    <section
      aria-label={text.label}
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border bg-raised px-3 py-2"
    >
      <Button
        aria-label={isPlaying ? text.pause : text.goOn}
        onClick={() => (isPlaying ? holdListening() : listenTo(song))}
      >
        {isPlaying ? <Pause aria-hidden size={14} /> : <Play aria-hidden size={14} />}
      </Button>
      <span className="min-w-0 flex-1 basis-40">
        <span className="block truncate font-medium">{title}</span>
        <span className="block truncate text-xs text-muted">
          {text.hereOnly}{" "}
          <Link to="/music/$id/visualizer" params={{ id: song.id }} className="underline">
            {text.withShow}
          </Link>
        </span>
      </span>
      <Position duration={song.duration} />
      <Button aria-label={text.stop} onClick={stopListening}>
        <X aria-hidden size={14} />
      </Button>
    </section>
  );
}

function Position({ duration }: { readonly duration: number }) {
  const seconds = useStore(heardSeconds);
  return (
    <>
      <input
        type="range"
        aria-label={text.position}
        aria-valuetext={text.at(clockTime(seconds), clockTime(duration))}
        min={0}
        max={Math.max(1, duration)}
        step={1}
        value={Math.round(seconds)}
        onChange={({ target }) => listenFrom(Number(target.value))}
        className="h-5 min-w-24 flex-1 basis-32 accent-accent"
      />
      <span className="text-xs text-muted tabular-nums">{text.at(clockTime(seconds), clockTime(duration))}</span>
    </>
  );
}
