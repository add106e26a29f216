import { Lock, LockOpen, Trash2 } from "lucide-react";
import { useState } from "react";
import { INTENT_FAMILIES, type Cue, type LightingPlan } from "@followspot/contract";
import { cx } from "../../ui/class-names.ts";
import { Options } from "../../ui/options.tsx";
import { buttonLook, HELP, MUTED, SELECT, SMALL_TITLE, TOOL_GROUP, TOOLS, WARN } from "../look.ts";
import { CueParams } from "../panels/cue-params.tsx";
import { UndoRedo } from "../side-tool.tsx";
import { intentLabel } from "../timeline/timeline-layout.ts";
import {
  cueOf,
  DARK,
  freeCue,
  isDark,
  keepCue,
  keptAt,
  type ChosenCue,
  type Changed,
  type CueChange,
} from "./change-wishes.ts";
import { choiceStrings } from "./choice.strings.ts";
import type { Choice } from "./use-choice.ts";

const text = choiceStrings.cue;
const MOST_COLORS = 4;

interface CueEditorProps {
  readonly choice: Choice;
  readonly plan: LightingPlan;
  readonly chosen: ChosenCue | undefined;
  readonly onChoose: (cue: ChosenCue) => void;
  readonly maySave: boolean;
}

/** Locks, changes or deletes one cue. Each change is an undo step; Save plans the show around the changed cues. */
export function CueEditor({ choice, plan, chosen, onChoose, maySave }: CueEditorProps) {
  const { steps, act, save, isUnsaved, isSaving } = choice;
  const cue = chosen && cueOf(plan, steps.present, chosen);
  return (
    <div role="group" aria-labelledby="vz-cue-editor" className={TOOL_GROUP}>
      <h3 id="vz-cue-editor" className={SMALL_TITLE}>
        {text.title}
      </h3>
      {!chosen && <p className={`-mt-1 text-xs ${MUTED}`}>{text.none}</p>}
      {chosen && !cue && <p className={`-mt-1 text-xs ${MUTED}`}>{text.missing}</p>}
      {chosen && cue && (
        <CueFields
          // Remounts for another cue, so that the error of the previous cue disappears.
          key={`${chosen.target} ${chosen.time}`}
          choice={choice}
          plan={plan}
          chosen={chosen}
          cue={cue}
          onChoose={onChoose}
          disabled={!maySave || isSaving}
        />
      )}
      {(steps.past.length > 0 || steps.future.length > 0) && (
        <div className={TOOLS}>
          <UndoRedo steps={steps} labels={text} onAct={act} />
          <button
            type="button"
            className={cx(buttonLook({ small: true, primary: true }), "ml-auto min-w-16")}
            disabled={!isUnsaved || isSaving || !maySave}
            onClick={() => save()}
          >
            {isSaving ? text.saving : text.save}
          </button>
        </div>
      )}
      <p role="status" className={cx(HELP, WARN, "-mt-1 empty:hidden")}>
        {isUnsaved && text.unsaved}
      </p>
    </div>
  );
}

interface CueFieldsProps extends Omit<CueEditorProps, "chosen" | "maySave"> {
  readonly chosen: ChosenCue;
  readonly cue: Cue;
  readonly disabled: boolean;
}

function CueFields({ choice, plan, chosen, cue, onChoose, disabled }: CueFieldsProps) {
  const { steps, change } = choice;
  const [problem, setProblem] = useState("");
  const isKept = keptAt(steps.present, chosen) !== undefined;
  const take = (changed: Changed): boolean => {
    setProblem("problem" in changed ? changed.problem : "");
    if ("wishes" in changed) change(changed.wishes);
    return "wishes" in changed;
  };
  const edit = (to: CueChange): void => {
    if (take(keepCue(steps.present, plan, chosen, cue, to)) && to.time !== undefined)
      onChoose({ ...chosen, time: to.time });
  };
  const intents = [...new Set([cue.intent, ...INTENT_FAMILIES])];
  const Mark = isKept ? Lock : LockOpen;
  return (
    <>
      <p className="-mt-1 flex items-start gap-1.5 text-xs">
        <Mark size={13} aria-hidden="true" className="mt-0.5 shrink-0 text-muted" />
        <span>
          {isDark(cue) ? text.removed : intentLabel(cue.intent)}{" "}
          <span className={MUTED}>· {isKept ? text.locked : text.free}</span>
        </span>
      </p>
      {!isDark(cue) && <CueParams cue={cue} beatsPerBar={beatsPerBar(plan)} />}
      <div className="grid grid-cols-2 gap-2 text-xs">
        <TimeField label={text.start} value={cue.time} disabled={disabled} onChange={(time) => edit({ time })} />
        <TimeField
          label={text.length}
          value={cue.duration}
          disabled={disabled}
          onChange={(duration) => edit({ duration })}
        />
        <label className="col-span-full flex flex-col gap-1">
          <span className={MUTED}>{text.intent}</span>
          <select
            className={SELECT}
            value={cue.intent}
            disabled={disabled}
            onChange={({ target }) => edit({ intent: target.value })}
          >
            <Options of={intents.map((intent) => [intent, intentLabel(intent)])} />
          </select>
        </label>
      </div>
      <div className={TOOLS}>
        {cue.palette.map((color, i) => (
          <input
            key={i}
            type="color"
            className="h-7 w-9 rounded-md border bg-raised p-0.5 disabled:opacity-45"
            aria-label={text.color(i + 1)}
            value={color}
            disabled={disabled}
            onChange={({ target }) => edit({ palette: cue.palette.with(i, target.value) })}
          />
        ))}
        <button
          type="button"
          className={buttonLook({ icon: true, small: true })}
          aria-label={text.addColor}
          disabled={disabled || cue.palette.length >= MOST_COLORS}
          onClick={() => edit({ palette: [...cue.palette, cue.palette.at(-1)!] })}
        >
          +
        </button>
        <button
          type="button"
          className={buttonLook({ icon: true, small: true })}
          aria-label={text.lessColor}
          disabled={disabled || cue.palette.length <= 1}
          onClick={() => edit({ palette: cue.palette.slice(0, -1) })}
        >
          −
        </button>
      </div>
      <div className={TOOLS}>
        <button
          type="button"
          className={buttonLook({ small: true })}
          disabled={disabled}
          onClick={() => (isKept ? change(freeCue(steps.present, chosen)) : edit({}))}
        >
          {isKept ? text.unlock : text.lock}
        </button>
        <button
          type="button"
          className={buttonLook({ small: true })}
          disabled={disabled || isDark(cue)}
          onClick={() => edit(DARK)}
        >
          <Trash2 size={13} aria-hidden="true" /> {text.remove}
        </button>
      </div>
      {problem && (
        <p role="alert" className={cx(HELP, WARN, "-mt-1")}>
          {problem}
        </p>
      )}
    </>
  );
}

/** Returns the number of beats between the first two downbeats; 4 without downbeats. */
function beatsPerBar({ beats, downbeats }: Pick<LightingPlan, "beats" | "downbeats">): number {
  const [first = 0, second] = downbeats;
  return second === undefined ? 4 : beats.filter((beat) => beat >= first && beat < second).length || 4;
}

interface TimeFieldProps {
  readonly label: string;
  readonly value: number;
  readonly disabled: boolean;
  readonly onChange: (value: number) => void;
}

/** Number field in seconds. Commits on blur and Enter only, so that a half-typed number changes nothing. */
function TimeField({ label, value, disabled, onChange }: TimeFieldProps) {
  const shown = String(Math.round(value * 1000) / 1000);
  const take = (field: HTMLInputElement): void => {
    const typed = field.valueAsNumber;
    if (field.value !== shown && Number.isFinite(typed)) onChange(typed);
    else field.value = shown;
  };
  return (
    <label className="flex min-w-0 flex-col gap-1">
      <span className={MUTED}>{label}</span>
      <input
        // Remounts if the value changes elsewhere; the new value replaces the typed text.
        key={shown}
        type="number"
        step="0.05"
        min="0"
        className={cx(SELECT, "w-full tabular-nums")}
        defaultValue={shown}
        disabled={disabled}
        onBlur={({ currentTarget }) => take(currentTarget)}
        onKeyDown={({ key, currentTarget }) => key === "Enter" && take(currentTarget)}
      />
    </label>
  );
}
