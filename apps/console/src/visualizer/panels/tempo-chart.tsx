import type { SongAnalysis } from "@followspot/contract";
import { tempoPath, tempoPoints } from "../timeline/tempo-steps.ts";
import { visualizerStrings } from "../visualizer.strings.ts";

const text = visualizerStrings.grid;

const WIDTH = 240;
const HEIGHT = 44;
/** Minimum range of the chart as a share of the tempo, so that a steady tempo is a flat line, not noise. */
const LEAST_RANGE = 0.06;

/** Chart of the tempo over the whole song, scaled to its range. */
export function TempoChart({ analysis }: { readonly analysis: SongAnalysis }) {
  const { tempo, duration } = analysis;
  if (tempo <= 0 || duration <= 0) return null;
  const points = tempoPoints(analysis);
  const speeds = points.map(({ bpm }) => bpm);
  const [slowest, fastest] = [Math.min(...speeds), Math.max(...speeds)];
  const spare = Math.max(0, (tempo * LEAST_RANGE - (fastest - slowest)) / 2) + tempo * 0.01;
  const [low, high] = [slowest - spare, fastest + spare];
  const x = (time: number): number => (time / duration) * WIDTH;
  const y = (bpm: number): number => HEIGHT - ((bpm - low) / (high - low)) * HEIGHT;
  const range = text.bpm(Math.round(slowest), Math.round(fastest));
  return (
    <figure className="mt-2.5">
      <svg
        className="block h-11 w-full border-b"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={text.tempo(range)}
      >
        <path
          className="fill-none stroke-ok [stroke-width:1.5] [vector-effect:non-scaling-stroke]"
          d={tempoPath(points, duration, x, y)}
        />
      </svg>
      <figcaption className="flex justify-between gap-2 text-[12px]/[18px] text-muted">
        <span>{text.tempoOver}</span>
        <span>{range}</span>
      </figcaption>
    </figure>
  );
}
