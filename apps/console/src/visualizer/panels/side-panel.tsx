import { CORRECTED } from "@followspot/analysis/correct-analysis";
import type { LightingPlan, SongAnalysis } from "@followspot/contract";
import { useEffect, useState, type ReactNode } from "react";
import { clockTime } from "../../lib/formatting.ts";
import { songWarning } from "../../lib/song-warnings.ts";
import { BeatGridPanel } from "./beat-grid-panel.tsx";
import { CueParams } from "./cue-params.tsx";
import type { SongPlayer } from "../player/song-player.ts";
import {
  activeCues,
  intentColor,
  intentLabel,
  type ActiveCue,
  type TimelineLane,
} from "../timeline/timeline-layout.ts";
import type { ClickSettings } from "../player/use-click.ts";
import { visualizerStrings } from "../visualizer.strings.ts";
import { cx } from "../../ui/class-names.ts";
import { INFO, MUTED, PANEL_TITLE, SMALL_TITLE, WARN } from "../look.ts";

const text = visualizerStrings.side;
const NOTE_TITLE = "font-semibold first-letter:uppercase";
/** Interval between updates of the panel during playback, ms; ten per second are enough to read it. */
const PANEL_MS = 100;

interface SidePanelProps {
  readonly analysis: SongAnalysis;
  readonly plan: LightingPlan | undefined;
  readonly lanes: readonly TimelineLane[];
  readonly player: SongPlayer;
  readonly click: ClickSettings;
  /** Tools in use for the song, shown above the information about it. */
  readonly children?: ReactNode;
}

export function SidePanel({ analysis, plan, lanes, player, click, children }: SidePanelProps) {
  const active = useActiveCues(lanes, player);
  return (
    <aside
      className="relative flex min-h-0 flex-col gap-5 overflow-y-auto border-l p-4 pb-14 [scrollbar-width:thin] max-[900px]:overflow-visible max-[900px]:border-t max-[900px]:border-l-0"
      aria-label={text.label}
    >
      {children}
      <section>
        <h2 className={PANEL_TITLE}>{text.patterns}</h2>
        {active.length === 0 && <p className={MUTED}>{text.noPatterns}</p>}
        <ul className="flex flex-col gap-2">
          {active.map(({ lane, cue }) => (
            <li
              key={lane.target}
              className={cx(
                `vz-${intentColor(cue.intent)}`,
                "rounded-l-[2px] rounded-r-lg border-l-3 border-(--vz-intent) bg-surface px-3 pt-[9px] pb-2.5",
              )}
            >
              <h3 className={SMALL_TITLE}>
                <span title={lane.target}>{lane.label}</span> · {intentLabel(cue.intent)}
              </h3>
              <Swatches palette={cue.palette} />
              <CueParams cue={cue} beatsPerBar={analysis.grid.beats_per_bar} />
              {cue.reason && <p className="mt-1.5 text-xs text-muted italic">{cue.reason}</p>}
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h2 className={PANEL_TITLE}>{text.info}</h2>
        <dl className={INFO}>
          <dt>{text.duration}</dt>
          <dd>{clockTime(analysis.duration)}</dd>
          <dt>{text.tempo}</dt>
          <dd>
            {analysis.tempo > 0 ? `${analysis.tempo.toFixed(1)} BPM` : text.noBeat}
            {analysis.tempo > 0 && <span className={MUTED}>{analysis.grid.stable ? text.stable : text.varies}</span>}
          </dd>
          <dt>{text.key}</dt>
          <dd>{analysis.key || text.unknown}</dd>
          <dt>{text.beats}</dt>
          <dd>{analysis.beats.length}</dd>
          <dt>{text.segments}</dt>
          <dd>{analysis.structure.sections.length}</dd>
          {plan && (
            <>
              <dt>{text.flashes}</dt>
              <dd>
                <FlashReport safety={plan.safety} />
              </dd>
            </>
          )}
        </dl>
      </section>
      <BeatGridPanel analysis={analysis} click={click} />
      <Notes analysis={analysis} />
    </aside>
  );
}

export function Swatches({ palette }: { readonly palette: readonly string[] }) {
  return (
    <span
      className="my-[5px] inline-flex gap-[3px] align-middle"
      role="img"
      aria-label={text.palette(palette.join(", "))}
    >
      {palette.map((color, i) => (
        <span
          key={i}
          className="size-[13px] rounded-[3px] inset-ring inset-ring-[oklch(1_0_0/0.14)]"
          style={{ background: color }}
          title={color}
        />
      ))}
    </span>
  );
}

function FlashReport({ safety }: { readonly safety: LightingPlan["safety"] }) {
  const most = safety.max_flashes_per_second;
  return most <= 3 ? (
    <>
      <span className="text-ok">{text.safe}</span> <span className={MUTED}>{text.atMost(most)}</span>
    </>
  ) : (
    <span className={WARN}>{text.tooMany(most)}</span>
  );
}

function Notes({ analysis: { insights } }: { readonly analysis: SongAnalysis }) {
  const notes = Object.entries(insights.pattern_reasoning);
  return (
    <section>
      <h2 className={PANEL_TITLE}>{text.heard}</h2>
      {insights.warnings.length > 0 && (
        <p className="mb-2 text-xs text-warn">{insights.warnings.map(songWarning).join(" ")}</p>
      )}
      <dl className="flex flex-col gap-2 text-xs">
        {notes.map(([stage, found]) => (
          <div key={stage}>
            <dt className={NOTE_TITLE}>{intentLabel(stage)}</dt>
            <dd className="text-muted">{found}</dd>
          </div>
        ))}
        <div>
          <dt className={NOTE_TITLE}>{text.heardBy}</dt>
          <dd className="text-muted">{enginesLine(insights.engines)}</dd>
        </div>
      </dl>
    </section>
  );
}

/** Lists the engines: that of the key detection, then those that differ. "followspot 2.0.0; stems: demucs 4.0.1" */
function enginesLine(engines: SongAnalysis["insights"]["engines"]): string {
  const entries = Object.entries(engines).map(([capability, { engine, version }]) => {
    return { capability, name: engine === CORRECTED ? engine : `${engine} ${version}`.trim() };
  });
  const usual = entries.find((entry) => entry.capability === "key")?.name ?? entries[0]?.name ?? text.earlier;
  const others = entries.filter((entry) => entry.name !== usual).map((entry) => `${entry.capability}: ${entry.name}`);
  return [usual, ...others].join("; ");
}

/** Tracks the active cues. The list changes only when other cues become active. */
function useActiveCues(lanes: readonly TimelineLane[], player: SongPlayer): readonly ActiveCue[] {
  const [active, setActive] = useState<readonly ActiveCue[]>(() => activeCues(lanes, player.time()));
  useEffect(() => {
    let last = Number.NEGATIVE_INFINITY;
    const update = (time: number): void => {
      last = performance.now();
      const next = activeCues(lanes, time);
      setActive((old) => (isSameSet(old, next) ? old : next));
    };
    update(player.time());
    return player.onFrame((time, sought) => {
      if (sought || !player.state().isPlaying || performance.now() - last >= PANEL_MS) update(time);
    });
  }, [lanes, player]);
  return active;
}

function isSameSet(a: readonly ActiveCue[], b: readonly ActiveCue[]): boolean {
  return a.length === b.length && a.every(({ cue }, i) => cue === b[i]!.cue);
}
