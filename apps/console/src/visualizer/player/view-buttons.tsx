import { Expand, Maximize2, ZoomIn, ZoomOut } from "lucide-react";
import type { RefObject } from "react";
import type { SongAnalysis } from "@followspot/contract";
import { ZOOM } from "../timeline/timeline-layout.ts";
import type { TimelineHandle } from "../timeline/use-timeline-view.ts";
import { visualizerStrings } from "../visualizer.strings.ts";
import { fitSection } from "./section-at.ts";
import type { SongPlayer } from "./song-player.ts";
import { cx } from "../../ui/class-names.ts";
import { buttonLook } from "../look.ts";

const text = visualizerStrings.view;

interface ViewButtonsProps {
  readonly timeline: RefObject<TimelineHandle | null>;
  readonly zoom: number;
  readonly analysis: SongAnalysis;
  readonly player: SongPlayer;
}

/** Buttons for the visible range: section, whole song, zoom out, zoom in. */
export function ViewButtons({ timeline, zoom, analysis, player }: ViewButtonsProps) {
  return (
    <>
      <button
        type="button"
        className={cx(buttonLook({ tight: true }), "max-[640px]:hidden")}
        onClick={() => fitSection(timeline.current, analysis, player.time())}
      >
        <Maximize2 size={14} aria-hidden="true" /> {text.fit}
        <span className="sr-only"> {visualizerStrings.transport.section}</span>
      </button>
      <button
        type="button"
        className={cx(buttonLook({ icon: true }), "max-[640px]:hidden")}
        aria-label={text.fitSong}
        title={text.fitSongHint}
        aria-keyshortcuts="F"
        onClick={() => timeline.current?.fitWhole()}
      >
        <Expand size={16} aria-hidden="true" />
      </button>
      <button
        type="button"
        className={buttonLook({ icon: true, tight: true })}
        aria-label={text.zoomOut}
        aria-keyshortcuts="-"
        disabled={zoom <= ZOOM.least}
        onClick={() => timeline.current?.zoomBy(-1)}
      >
        <ZoomOut size={16} aria-hidden="true" />
      </button>
      <button
        type="button"
        className={buttonLook({ icon: true, tight: true })}
        aria-label={text.zoomIn}
        aria-keyshortcuts="+"
        disabled={zoom >= ZOOM.most}
        onClick={() => timeline.current?.zoomBy(1)}
      >
        <ZoomIn size={16} aria-hidden="true" />
      </button>
    </>
  );
}
