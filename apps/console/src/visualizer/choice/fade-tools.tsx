import type { LightingPlan } from "@followspot/contract";
import { useState, type FormEvent } from "react";
import { cx } from "../../ui/class-names.ts";
import { Options } from "../../ui/options.tsx";
import { buttonLook, HELP, MUTED, SELECT, SMALL_TITLE, TOOL_GROUP, TOOLS, WARN } from "../look.ts";
import type { SongPlayer } from "../player/song-player.ts";
import type { TimelineLane } from "../timeline/timeline-layout.ts";
import { choiceStrings } from "./choice.strings.ts";
import type { DrawnFade } from "./fades.ts";

const text = choiceStrings.fade;
const FIRST = { from: "0", to: "100", seconds: "4" };

/** State and actions of the fade tool. */
export interface FadeDrawing {
  /** Whether a drag on a lane draws a fade. */
  readonly isOn: boolean;
  readonly toggle: () => void;
  readonly draw: (fade: DrawnFade) => void;
  /** Reason why the last fade was rejected; empty if it was accepted. */
  readonly problem: string;
}

interface FadeToolsProps {
  readonly drawing: FadeDrawing;
  readonly plan: LightingPlan;
  readonly lanes: readonly TimelineLane[];
  readonly player: SongPlayer;
  readonly disabled: boolean;
}

/** Adds a fade: drawn on a lane, or entered as numbers. */
export function FadeTools({ drawing, plan, lanes, player, disabled }: FadeToolsProps) {
  const [lane, setLane] = useState("");
  const [typed, setTyped] = useState(FIRST);
  const target = lanes.some((each) => each.target === lane) ? lane : (lanes[0]?.target ?? "");
  const [level, toLevel, seconds] = [Number(typed.from) / 100, Number(typed.to) / 100, Number(typed.seconds)];
  const isRight = [level, toLevel].every((each) => each >= 0 && each <= 1) && seconds > 0;
  const add = (event: FormEvent): void => {
    event.preventDefault();
    const from = Math.round(player.time() * 1000) / 1000;
    const to = Math.min(plan.duration, from + seconds);
    if (isRight) drawing.draw({ target, from, to, level, toLevel });
  };
  const number = (key: keyof typeof FIRST, label: string, most?: number) => (
    <label className="flex min-w-0 flex-col gap-1">
      <span className={MUTED}>{label}</span>
      <input
        type="number"
        min="0"
        max={most}
        step="any"
        className={cx(SELECT, "w-full tabular-nums")}
        value={typed[key]}
        disabled={disabled}
        onChange={({ target: { value } }) => setTyped({ ...typed, [key]: value })}
      />
    </label>
  );
  return (
    <div role="group" aria-labelledby="vz-fade" className={TOOL_GROUP}>
      <h3 id="vz-fade" className={SMALL_TITLE}>
        {text.title}
      </h3>
      <div className={TOOLS}>
        <button
          type="button"
          className={buttonLook({ small: true })}
          aria-pressed={drawing.isOn}
          disabled={disabled}
          onClick={drawing.toggle}
        >
          {text.draw}
        </button>
      </div>
      {drawing.isOn && <p className={cx("-mt-1 text-xs", MUTED)}>{text.hint}</p>}
      <details>
        <summary className="text-xs">{text.byNumbers}</summary>
        <form className="grid grid-cols-3 gap-2 pt-2 text-xs" onSubmit={add}>
          <label className="col-span-full flex flex-col gap-1">
            <span className={MUTED}>{text.lane}</span>
            <select
              className={SELECT}
              value={target}
              disabled={disabled}
              onChange={(event) => setLane(event.target.value)}
            >
              <Options of={lanes.map((each) => [each.target, each.label])} />
            </select>
          </label>
          {number("from", text.from, 100)}
          {number("to", text.to, 100)}
          {number("seconds", text.length)}
          <button
            type="submit"
            className={cx(buttonLook({ small: true }), "col-span-full")}
            disabled={disabled || !isRight || target === ""}
          >
            {text.add}
          </button>
        </form>
      </details>
      {drawing.problem && (
        <p role="alert" className={cx(HELP, WARN, "-mt-1")}>
          {drawing.problem}
        </p>
      )}
    </div>
  );
}
