import { SECTION_LABELS, type SectionLabel, type TempoFactor } from "@followspot/contract";
import { Redo2, RotateCcw, Undo2, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { isOvertaken, plainErrorText } from "../lib/errors.ts";
import { clockTime } from "../lib/formatting.ts";
import { editLabel } from "./edit-history.ts";
import type { SongPlayer } from "./song-player.ts";
import { lowerBound } from "./timeline-layout.ts";
import type { Corrections } from "./use-corrections.ts";
import { useTaps } from "./use-taps.ts";

const FACTOR_NAMES: Readonly<Record<TempoFactor, readonly [string, string, number]>> = {
  "2": ["×2", "twice as fast", 2],
  "1/2": ["÷2", "half as fast", 1 / 2],
  "3/2": ["×3/2", "three for two", 3 / 2],
  "2/3": ["×2/3", "two for three", 2 / 3],
};
const FACTOR_ORDER: readonly TempoFactor[] = ["1/2", "2", "2/3", "3/2"];
const MOST_BEATS = 12;
/** A section is split no nearer to its edges than this, in seconds. */
const EDGE_SLACK = 0.05;

interface CorrectPanelProps {
  readonly corrections: Corrections | undefined;
  readonly problem: unknown;
  readonly onRetry: () => void;
  readonly player: SongPlayer;
  /** What becomes of the show after a save. */
  readonly planText: string;
  readonly isPlanning: boolean;
  readonly onRetryPlan: (() => void) | undefined;
  /** Why planning again could not even be asked for. */
  readonly retryProblem: unknown;
  readonly onClose: () => void;
}

/** What a person corrects in the analysis: tempo, bars, sections. Shown at once, kept when saved. */
export function CorrectPanel(props: CorrectPanelProps) {
  const { corrections, problem, onRetry, player, onClose } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  // Where the focus goes when the button that had it goes away.
  const focusHeading = (): void => heading.current?.focus();
  useEffect(() => {
    heading.current?.focus();
    heading.current?.scrollIntoView?.({ block: "nearest" });
  }, []);
  return (
    <section className="vz-correct" aria-label="Correct">
      <div className="vz-correct-title">
        <h2 ref={heading} tabIndex={-1}>
          Correct
        </h2>
        <button type="button" className="vz-button vz-icon vz-small" aria-label="Close corrections" onClick={onClose}>
          <X size={14} aria-hidden="true" />
        </button>
      </div>
      {corrections ? (
        <>
          <SaveBar {...props} corrections={corrections} focusHeading={focusHeading} />
          <SetAside corrections={corrections} focusHeading={focusHeading} />
          <GridTools corrections={corrections} player={player} />
          <SectionTools corrections={corrections} player={player} />
        </>
      ) : problem ? (
        <div role="alert" className="vz-help vz-warn">
          The corrections could not be loaded: {plainErrorText(problem)}{" "}
          <button type="button" className="vz-link" onClick={onRetry}>
            Retry
          </button>
        </div>
      ) : (
        <p role="status" className="vz-muted">
          Loading...
        </p>
      )}
    </section>
  );
}

function SaveBar({
  corrections,
  planText,
  isPlanning,
  onRetryPlan,
  retryProblem,
  focusHeading,
}: CorrectPanelProps & { readonly corrections: Corrections; readonly focusHeading: () => void }) {
  const { history, fits, isUnsaved, isSaving, act, save } = corrections;
  useUndoKeys(act);
  const undone = history.past.length > 0 ? editLabel(history.present.edits.at(-1)) : "";
  return (
    <div className="vz-save">
      <div className="vz-tools">
        <button
          type="button"
          className="vz-button vz-icon vz-small"
          aria-label={undone ? `Undo: ${undone}` : "Undo"}
          title={undone ? `Undo: ${undone}` : "Undo"}
          aria-keyshortcuts="Control+Z"
          disabled={history.past.length === 0}
          onClick={() => act("undo")}
        >
          <Undo2 size={14} aria-hidden="true" />
        </button>
        <button
          type="button"
          className="vz-button vz-icon vz-small"
          aria-label="Redo"
          title="Redo"
          aria-keyshortcuts="Control+Shift+Z"
          disabled={history.future.length === 0}
          onClick={() => act("redo")}
        >
          <Redo2 size={14} aria-hidden="true" />
        </button>
        <button
          type="button"
          className="vz-button vz-small"
          title="Back to what was heard"
          disabled={history.present.edits.length === 0}
          onClick={() => act("reset")}
        >
          <RotateCcw size={13} aria-hidden="true" /> Reset
        </button>
        <button
          type="button"
          className="vz-button vz-small vz-primary vz-save-button"
          disabled={!isUnsaved || isSaving}
          onClick={save}
        >
          {isSaving ? "Saving..." : "Save"}
        </button>
      </div>
      <NotSaved corrections={corrections} focusHeading={focusHeading} />
      <p role="status" className="vz-help">
        {isUnsaved ? (
          <span className="vz-warn">Unsaved changes, shown here only</span>
        ) : (
          <span className={isPlanning ? undefined : "vz-muted"}>{fits ? planText : "Saved, but not all in use"}</span>
        )}
        {!isUnsaved && onRetryPlan && (
          <>
            {" "}
            <button type="button" className="vz-link" onClick={onRetryPlan}>
              Plan again
            </button>
          </>
        )}
      </p>
      {onRetryPlan && Boolean(retryProblem) && (
        <p role="alert" className="vz-help vz-warn">
          {`Not planned again. ${asSentence(plainErrorText(retryProblem))}`}
        </p>
      )}
    </div>
  );
}

interface ToolProps {
  readonly corrections: Corrections;
  readonly focusHeading: () => void;
}

/** Why the last save failed, as long as there is something left to save or to load. */
function NotSaved({ corrections, focusHeading }: ToolProps) {
  const { isUnsaved, isSaving, saveError, reload, isLoading, loadError } = corrections;
  const isTheirs = isOvertaken(saveError);
  if (!saveError || isSaving || !(isUnsaved || isTheirs)) return null;
  return (
    <p role="alert" className="vz-help vz-warn">
      {`Not saved. ${asSentence(plainErrorText(saveError))} `}
      {isTheirs && (
        <button
          type="button"
          className="vz-link"
          disabled={isLoading}
          onClick={() => {
            reload();
            focusHeading();
          }}
        >
          {isLoading ? "Loading..." : "Load theirs"}
        </button>
      )}
      {isTheirs && Boolean(loadError) && !isLoading && (
        <span> Theirs could not be loaded. {asSentence(plainErrorText(loadError))}</span>
      )}
    </p>
  );
}

/** "the server cannot be reached" as "The server cannot be reached." */
function asSentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

function SetAside({ corrections: { fits, settle }, focusHeading }: ToolProps) {
  if (fits) return null;
  const choose = (choice: "use" | "remove") => (): void => {
    settle(choice);
    focusHeading();
  };
  return (
    <div role="alert" className="vz-aside-note">
      <p>
        The song was analysed again and its beats moved. Your corrections of tempo and bars are kept, but not in use.
      </p>
      <div className="vz-tools">
        <button type="button" className="vz-button vz-small" onClick={choose("use")}>
          Use them
        </button>
        <button type="button" className="vz-button vz-small" onClick={choose("remove")}>
          Remove them
        </button>
      </div>
    </div>
  );
}

function GridTools({ corrections, player }: { readonly corrections: Corrections; readonly player: SongPlayer }) {
  const { preview, fits, edit } = corrections;
  const { tap, text } = useTaps(player, corrections);
  useTapKey(tap);
  const hasBeats = preview.beats.length > 1;
  return (
    <>
      <div role="group" aria-labelledby="vz-tempo-tools" className="vz-tool-group">
        <h3 id="vz-tempo-tools">
          Tempo <span className="vz-muted">{hasBeats ? `${preview.tempo.toFixed(1)} BPM` : "no beats"}</span>
        </h3>
        <div className="vz-tools">
          {FACTOR_ORDER.map((factor) => {
            const [sign, words, value] = FACTOR_NAMES[factor];
            const next = preview.tempo * value;
            return (
              <button
                key={factor}
                type="button"
                className="vz-button vz-small"
                title={words}
                disabled={!fits || !hasBeats || next < 20 || next > 400}
                onClick={() => edit({ kind: "tempo", factor })}
              >
                {sign}
                <span className="vz-visually-hidden"> {words}</span>
              </button>
            );
          })}
        </div>
        <div className="vz-tools">
          <button type="button" className="vz-button vz-tap" aria-keyshortcuts="T" onClick={tap}>
            Tap <kbd>T</kbd>
          </button>
          <span role="status" className={text ? undefined : "vz-muted"}>
            {text || "Tap on every beat"}
          </span>
        </div>
      </div>
      <div role="group" aria-labelledby="vz-bar-tools" className="vz-tool-group">
        <h3 id="vz-bar-tools">First beat of the bar</h3>
        <div className="vz-tools">
          {([-1, 1] as const).map((beats) => (
            <button
              key={beats}
              type="button"
              className="vz-button vz-small"
              disabled={!fits || !hasBeats}
              onClick={() => edit({ kind: "downbeat", beats })}
            >
              {beats < 0 ? "← Earlier" : "Later →"}
              <span className="vz-visually-hidden"> by one beat</span>
            </button>
          ))}
          <label className="vz-select">
            <select
              aria-label="Beats per bar"
              value={preview.grid.beats_per_bar}
              disabled={!fits || !hasBeats}
              onChange={(event) => edit({ kind: "bar", beats: Number(event.target.value) })}
            >
              {Array.from({ length: Math.max(MOST_BEATS, preview.grid.beats_per_bar) }, (_, i) => (
                <option key={i} value={i + 1}>
                  {i + 1}
                </option>
              ))}
            </select>
            <span className="vz-muted">per bar</span>
          </label>
        </div>
      </div>
    </>
  );
}

function SectionTools({ corrections, player }: { readonly corrections: Corrections; readonly player: SongPlayer }) {
  const { preview, edit } = corrections;
  const { sections } = preview.structure;
  /** The sections that could not be split; as others the note is about nothing. */
  const [refused, setRefused] = useState<typeof sections>();
  const split = (): void => {
    const at = nearestBar(preview.downbeats, player.time());
    const isInside = sections.some(({ start, end }) => at > start + EDGE_SLACK && at < end - EDGE_SLACK);
    if (!isInside) return setRefused(sections);
    edit({ kind: "split", at });
  };
  return (
    <div role="group" aria-labelledby="vz-section-tools" className="vz-tool-group">
      <h3 id="vz-section-tools">Sections</h3>
      <p className="vz-help vz-muted">Drag the edges on the timeline, or focus one and press ← →.</p>
      <ol className="vz-section-list">
        {sections.map((section, index) => (
          <li key={index} className={`vz-section-${section.label}`}>
            <button
              type="button"
              className="vz-link"
              aria-label={`Go to section ${index + 1} at ${clockTime(section.start)}`}
              onClick={() => player.seek(section.start)}
            >
              {clockTime(section.start)}
            </button>
            <select
              aria-label={`Label of section ${index + 1}`}
              value={section.label}
              // The options are the labels.
              onChange={(event) =>
                edit({ kind: "label", at: section.start, label: event.target.value as SectionLabel })
              }
            >
              {SECTION_LABELS.map((label) => (
                <option key={label}>{label}</option>
              ))}
            </select>
            {index > 0 && (
              <button
                type="button"
                className="vz-button vz-small"
                title="Merge with the previous section"
                onClick={() => edit({ kind: "merge", at: section.start })}
              >
                Merge<span className="vz-visually-hidden"> section {index + 1} with the previous</span>
              </button>
            )}
          </li>
        ))}
      </ol>
      <div className="vz-tools">
        <button type="button" className="vz-button vz-small" onClick={split} disabled={sections.length === 0}>
          Split at playhead
        </button>
      </div>
      <p role="status" className="vz-help vz-warn">
        {refused === sections && "There is an edge here already, or no section. Move the playhead to another bar."}
      </p>
    </div>
  );
}

/** The bar nearest to a time; the time itself without bars. */
function nearestBar(downbeats: readonly number[], time: number): number {
  const i = lowerBound(downbeats, time, (each) => each);
  const [before, after] = [downbeats[i - 1], downbeats[i]];
  if (before === undefined) return after ?? time;
  return after === undefined || time - before <= after - time ? before : after;
}

function useTapKey(tap: () => void): void {
  const latest = useRef(tap);
  useEffect(() => {
    latest.current = tap;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== "t" || event.repeat || isElsewhere(event)) return;
      event.preventDefault();
      latest.current();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

function useUndoKeys(act: (action: "undo" | "redo") => void): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !event.altKey;
      // A choice in a list is undone like any other edit; only text has an undo of its own.
      if (!isUndo || isTyping(event.target, TEXT_FIELDS)) return;
      event.preventDefault();
      latest.current(event.shiftKey ? "redo" : "undo");
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

const TEXT_FIELDS = "input:not([type=range]), textarea, [contenteditable], [role=dialog], [role=alertdialog]";

const isTyping = (target: EventTarget | null, fields: string): boolean =>
  target instanceof Element && target.closest(fields) !== null;

/** Letters also choose in a list. */
const isElsewhere = (event: KeyboardEvent): boolean =>
  event.ctrlKey ||
  event.metaKey ||
  event.altKey ||
  event.defaultPrevented ||
  isTyping(event.target, `${TEXT_FIELDS}, select`);
