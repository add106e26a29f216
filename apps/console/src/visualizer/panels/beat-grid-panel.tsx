import { isByHand } from "@followspot/analysis/correct-analysis";
import type { SongAnalysis } from "@followspot/contract";
import { confidenceWord, DOUBTFUL, gridAdvice } from "./grid-words.ts";
import { TempoChart } from "./tempo-chart.tsx";
import type { ClickSettings } from "../player/use-click.ts";
import { visualizerStrings } from "../visualizer.strings.ts";
import { cx } from "../../ui/class-names.ts";
import { buttonLook, HELP, INFO, KEY, MUTED, PANEL_TITLE, WARN } from "../look.ts";

const text = visualizerStrings.grid;

interface BeatGridPanelProps {
  readonly analysis: SongAnalysis;
  readonly click: ClickSettings;
}

/** Confidence of the beat grid, with a click track to check it by ear. */
export function BeatGridPanel({ analysis, click }: BeatGridPanelProps) {
  const { grid, beats, downbeats } = analysis;
  const advice = gridAdvice(analysis);
  return (
    <section>
      <h2 className={PANEL_TITLE}>{text.title}</h2>
      <dl className={INFO}>
        <dt>{text.beats}</dt>
        <dd>
          <Confidence times={beats} value={grid.confidence} isByHand={isByHand(analysis, "beats")} />
        </dd>
        <dt>{text.downbeats}</dt>
        <dd>
          <Confidence times={downbeats} value={grid.downbeat_confidence} isByHand={isByHand(analysis, "downbeats")} />
        </dd>
        <dt>{text.bars}</dt>
        <dd>{downbeats.length === 0 ? text.none : text.beatsPerBar(grid.beats_per_bar)}</dd>
      </dl>
      <p className={cx(HELP, MUTED)}>{text.meaning}</p>
      {advice && <p className={cx(HELP, WARN)}>{advice}</p>}
      <TempoChart analysis={analysis} />
      <div className="mt-2.5 flex items-center gap-2.5">
        <button
          type="button"
          className={buttonLook()}
          aria-pressed={click.isOn}
          aria-keyshortcuts="C"
          onClick={click.toggle}
        >
          {text.click} <kbd className={KEY}>C</kbd>
        </button>
        <label className="flex min-w-0 flex-1 items-center gap-2.5">
          <span className={MUTED}>{text.volume}</span>
          <input
            type="range"
            className="min-w-0 flex-1 accent-accent"
            aria-label={text.clickVolume}
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
  if (times.length === 0) return text.none;
  return (
    <>
      <span className={value < DOUBTFUL ? WARN : undefined}>{confidenceWord(value, isDecided)}</span>{" "}
      <span className={MUTED}>{value.toFixed(2)}</span>
    </>
  );
}
