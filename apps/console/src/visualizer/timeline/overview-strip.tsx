import type { SongAnalysis } from "@followspot/contract";
import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { clockTime } from "../../lib/formatting.ts";
import { visualizerStrings } from "../visualizer.strings.ts";
import { areaPath, resample } from "./curve-path.ts";

const text = visualizerStrings.timeline;
import type { SongPlayer } from "../player/song-player.ts";

const WIDTH = 1000;
const HEIGHT = 28;
/** Interval between updates of the slider during playback, ms. It serves reading and screen readers, not animation. */
const SLIDER_MS = 250;

/** Overview of the whole song with a slider for seeking. */
export function OverviewStrip({ analysis, player }: { readonly analysis: SongAnalysis; readonly player: SongPlayer }) {
  const slider = useRef<HTMLInputElement>(null);
  const marker = useRef<SVGLineElement>(null);
  const { loop } = useSyncExternalStore(player.onState, player.state);
  const { duration } = analysis;
  const energy = useMemo(() => {
    const curve = resample(analysis.dynamics.energy_curve, WIDTH / 2);
    return areaPath(curve, { start: 0, zoom: WIDTH / Math.max(duration, 1e-3), width: WIDTH }, HEIGHT, HEIGHT - 4);
  }, [analysis, duration]);

  useEffect(() => {
    let last = Number.NEGATIVE_INFINITY;
    return player.onFrame((time, sought) => {
      const x = duration > 0 ? ((time / duration) * WIDTH).toFixed(1) : "0";
      marker.current?.setAttribute("transform", `translate(${x} 0)`);
      const now = performance.now();
      if (!slider.current || (!sought && player.state().isPlaying && now - last < SLIDER_MS)) return;
      last = now;
      slider.current.value = String(time);
      slider.current.setAttribute("aria-valuetext", text.positionOf(clockTime(time), clockTime(duration)));
    });
  }, [player, duration]);

  return (
    <div className="vz-overview">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {analysis.structure.sections.map((section) => (
          <rect
            key={section.start}
            className={`vz-section-${section.label} vz-section-bar`}
            x={(section.start / duration) * WIDTH}
            width={((section.end - section.start) / duration) * WIDTH}
            height={HEIGHT}
          />
        ))}
        <path className="vz-overview-energy" d={energy} />
        {analysis.drop_predictions.map((drop) => (
          <path key={drop.time} className="vz-overview-drop" d={`M${(drop.time / duration) * WIDTH},0V${HEIGHT}`} />
        ))}
        {loop && (
          <rect
            className="vz-overview-loop"
            x={(loop.from / duration) * WIDTH}
            width={((loop.to - loop.from) / duration) * WIDTH}
            height={HEIGHT}
          />
        )}
        <line ref={marker} className="vz-overview-now" y2={HEIGHT} />
      </svg>
      <input
        ref={slider}
        type="range"
        aria-label={text.position}
        min={0}
        max={duration}
        step={0.1}
        defaultValue={0}
        onChange={(event) => player.seek(event.target.valueAsNumber)}
      />
    </div>
  );
}
