import { FREQUENCY_BANDS, type Curve, type SongAnalysis } from "@followspot/contract";
import { memo } from "react";
import { areaPath, linePath, mirroredBars, num, type CurveWindow } from "./curve-path.ts";
import { tempoPath, tempoPoints } from "./tempo-steps.ts";
import {
  BLOCK,
  CHUNK_WIDTH,
  gridOf,
  LANE_HEIGHT,
  labelInChunk,
  LABEL_INSET,
  laneBlocks,
  LANES_TOP,
  linesPath,
  ROWS,
  tempoLevel,
  timelineHeight,
  timeOf,
  xOf,
  type TimelineLane,
} from "./timeline-layout.ts";

export interface TimelineSong {
  readonly analysis: SongAnalysis;
  readonly lanes: readonly TimelineLane[];
  /** Vocal presence, resampled to about 1000 bars over the song. */
  readonly vocals: Curve;
}

interface TimelineChunkProps {
  readonly song: TimelineSong;
  readonly index: number;
  readonly zoom: number;
}

/** Draws 640 pixels of the timeline in local coordinates. Rendered once per zoom and only scrolled afterwards. */
export const TimelineChunk = memo(function TimelineChunk({ song, index, zoom }: TimelineChunkProps) {
  const { analysis, lanes } = song;
  const height = timelineHeight(lanes.length);
  const left = index * CHUNK_WIDTH;
  const window: CurveWindow = { start: timeOf(left, zoom), zoom, width: CHUNK_WIDTH };
  const grid = gridOf(analysis, index, zoom);
  const { dynamics } = analysis;
  return (
    <svg className="vz-chunk" style={{ left }} width={CHUNK_WIDTH} height={height} aria-hidden="true">
      {lanes.map((lane, i) =>
        i % 2 === 0 ? (
          <rect
            key={lane.target}
            className="vz-lane"
            y={LANES_TOP + i * LANE_HEIGHT}
            width={CHUNK_WIDTH}
            height={LANE_HEIGHT}
          />
        ) : null,
      )}
      <Sections analysis={analysis} left={left} zoom={zoom} height={height} />
      <path className="vz-beats" d={linesPath(grid.beats, ROWS.waveform.top, height)} />
      <path className="vz-bars" d={linesPath(grid.bars, ROWS.bars.top, height)} />
      {grid.numbers.map(({ x, bar }) => (
        <text key={bar} className="vz-bar-number" x={num(x + 4)} y={ROWS.bars.top + 11}>
          {bar}
        </text>
      ))}
      <path
        className="vz-waveform"
        d={mirroredBars(analysis.waveform, window, middle(ROWS.waveform), ROWS.waveform.height)}
      />
      <path
        className="vz-energy-area"
        d={areaPath(dynamics.energy_curve, window, bottom(ROWS.energy), ROWS.energy.height)}
      />
      <path
        className="vz-energy"
        d={linePath(dynamics.energy_curve, window, bottom(ROWS.energy), ROWS.energy.height)}
      />
      {FREQUENCY_BANDS.map((band) => (
        <path
          key={band}
          className={`vz-band vz-band-${band}`}
          d={linePath(dynamics.frequency_bands[band], window, bottom(ROWS.bands), ROWS.bands.height)}
        />
      ))}
      <path className="vz-vocals" d={vocalBars(song.vocals, window)} />
      <path className="vz-tempo" d={tempoLine(analysis, left, zoom)} />
      {lanes.map((lane, i) => (
        <Lane key={lane.target} lane={lane} y={LANES_TOP + i * LANE_HEIGHT} index={index} zoom={zoom} />
      ))}
    </svg>
  );
});

function Sections({
  analysis,
  left,
  zoom,
  height,
}: {
  analysis: SongAnalysis;
  left: number;
  zoom: number;
  height: number;
}) {
  const { top, height: rowHeight } = ROWS.sections;
  return analysis.structure.sections.map((section) => {
    const from = xOf(section.start, zoom) - left;
    const to = xOf(section.end, zoom) - left;
    if (to < 0 || from > CHUNK_WIDTH) return null;
    const x = Math.max(from, -8);
    const width = Math.max(1, Math.min(to, CHUNK_WIDTH + 8) - x - 1);
    return (
      <g key={section.start} className={`vz-section vz-section-${section.label}`}>
        <rect className="vz-section-tint" x={num(x)} y={top + rowHeight} width={num(width + 1)} height={height} />
        {section.start > 0 && <path className="vz-section-edge" d={`M${num(from)},${top}V${bottom(ROWS.waveform)}`} />}
        <rect className="vz-section-bar" x={num(x)} y={top} width={num(width)} height={rowHeight} rx={4} />
        <text x={num(from + LABEL_INSET)} y={top + 14}>
          {labelInChunk(titleOf(section, analysis.key), from, to)}
        </text>
      </g>
    );
  });
}

/** Returns the title of a section: "chorus", or "chorus · D major" if its key differs from the song's. */
function titleOf({ label, key }: SongAnalysis["structure"]["sections"][number], songKey: string): string {
  return key && key !== songKey ? `${label} · ${key}` : label;
}

function Lane({ lane, y, index, zoom }: { lane: TimelineLane; y: number; index: number; zoom: number }) {
  const { labelled, merged } = laneBlocks(lane, index, zoom);
  return (
    <g transform={`translate(0 ${y})`}>
      {[...merged].map(([color, d]) => (
        <path key={color} className={`vz-${color} vz-fill`} d={d} />
      ))}
      {labelled.map((block) => (
        <g key={block.cue.time} className="vz-block">
          <rect
            className={`vz-${block.color} vz-fill`}
            x={num(block.x)}
            y={BLOCK.top}
            width={num(block.width)}
            height={BLOCK.height}
            rx={4}
          />
          {block.label && (
            <text x={num(block.labelX)} y={BLOCK.top + 15}>
              {block.label}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}

/** Returns one bar per value, as wide as its share of the song. */
function vocalBars(vocals: Curve, { start, zoom, width }: CurveWindow): string {
  const { top, height } = ROWS.vocals;
  const step = vocals.hop_seconds * zoom;
  const gap = step > 6 ? 2 : step > 2.5 ? 1 : 0;
  const from = Math.max(0, Math.floor(start / vocals.hop_seconds));
  const to = Math.min(vocals.values.length, Math.ceil((start + width / zoom) / vocals.hop_seconds));
  let path = "";
  for (let i = from; i < to; i++) {
    const size = vocals.values[i]! * height;
    if (size < 0.5) continue;
    const x = (i * vocals.hop_seconds - start) * zoom;
    path += `M${num(x)},${num(top + (height - size) / 2)}h${num(step - gap)}v${num(size)}h${num(gap - step)}z`;
  }
  return path;
}

/** Returns the tempo line of the whole song; the edges of the chunk clip it. */
function tempoLine(analysis: SongAnalysis, left: number, zoom: number): string {
  const x = (time: number): number => xOf(time, zoom) - left;
  const y = (bpm: number): number => bottom(ROWS.tempo) - tempoLevel(bpm) * ROWS.tempo.height;
  return tempoPath(tempoPoints(analysis), analysis.duration, x, y);
}

const bottom = (row: { top: number; height: number }): number => row.top + row.height;
const middle = (row: { top: number; height: number }): number => row.top + row.height / 2;
