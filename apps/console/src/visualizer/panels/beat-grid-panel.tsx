import { isByHand } from "@followspot/analysis/correct-analysis";
import type { SongAnalysis } from "@followspot/contract";
import { confidenceWord, DOUBTFUL, gridAdvice } from "./grid-words.ts";
import { TempoChart } from "./tempo-chart.tsx";
import type { ClickSettings } from "../player/use-click.ts";

interface BeatGridPanelProps {
  readonly analysis: SongAnalysis;
  readonly click: ClickSettings;
}

/** How far the beats can be trusted, and a click to hear it. */
export function BeatGridPanel({ analysis, click }: BeatGridPanelProps) {
  const { grid, beats, downbeats } = analysis;
  const advice = gridAdvice(analysis);
  return (
    <section>
      <h2>Beat grid</h2>
      <dl className="vz-info">
        <dt>Beats</dt>
        <dd>
          <Confidence times={beats} value={grid.confidence} isByHand={isByHand(analysis, "beats")} />
        </dd>
        <dt>Downbeats</dt>
        <dd>
          <Confidence times={downbeats} value={grid.downbeat_confidence} isByHand={isByHand(analysis, "downbeats")} />
        </dd>
        <dt>Bars</dt>
        <dd>
          {downbeats.length === 0
            ? "none found"
            : `${grid.beats_per_bar} ${grid.beats_per_bar === 1 ? "beat" : "beats"}`}
        </dd>
      </dl>
      <p className="vz-help vz-muted">
        How sure the analysis is of where beats are and which of them begin a bar, 0 to 1. Lights follow both.
      </p>
      {advice && <p className="vz-help vz-warn">{advice}</p>}
      <TempoChart analysis={analysis} />
      <div className="vz-click">
        <button
          type="button"
          className="vz-button"
          aria-pressed={click.isOn}
          aria-keyshortcuts="C"
          onClick={click.toggle}
        >
          Click <kbd>C</kbd>
        </button>
        <label>
          <span className="vz-muted">Volume</span>
          <input
            type="range"
            aria-label="Click volume"
            min={0}
            max={1}
            step={0.05}
            value={click.volume}
            onChange={(event) => click.setVolume(event.target.valueAsNumber)}
          />
        </label>
      </div>
    </section>
  );
}

interface ConfidenceProps {
  readonly times: readonly number[];
  readonly value: number;
  readonly isByHand: boolean;
}

function Confidence({ times, value, isByHand: isDecided }: ConfidenceProps) {
  if (times.length === 0) return "none found";
  return (
    <>
      <span className={value < DOUBTFUL ? "vz-warn" : undefined}>{confidenceWord(value, isDecided)}</span>{" "}
      <span className="vz-muted">{value.toFixed(2)}</span>
    </>
  );
}
