import { parseTimeCode, SETTABLE_RATES, type SettableRate } from "@followspot/lighting";
import { useId, useState } from "react";
import { cx } from "../../ui/class-names.ts";
import { Options } from "../../ui/options.tsx";
import { buttonLook, MUTED, SELECT, WARN } from "../look.ts";
import { LEADERS, type LeaderKind } from "./leader-settings.ts";
import { leaderStrings as text } from "./leader.strings.ts";
import type { LeaderView, OutsideLeader } from "./song-leader.ts";
import type { LeaderHandle } from "./use-leader.ts";

const DOT = "before:mr-[7px] before:inline-block before:size-2 before:rounded-full before:content-['']";
const LOOKS: Readonly<Record<LeaderView["state"], string>> = {
  waiting: "text-muted before:bg-(--vz-other)",
  locked: "text-fg before:bg-ok",
  freewheel: "text-warn before:bg-warn",
  held: "text-fg before:bg-(--vz-wave)",
};
const FIELD = "h-7 rounded-md border bg-raised px-1.5 font-mono text-[12px] text-fg aria-invalid:border-danger";
/** Audio level below which the input counts as silent, 0..1. */
const SILENCE = 0.003;

/** Selects the leader that provides the song position. */
export function LedBy({ leader }: { readonly leader: LeaderHandle }) {
  return (
    <select
      aria-label={text.ledBy}
      title={text.ledBy}
      className={cx(SELECT, "h-8 w-full")}
      value={leader.kind}
      onChange={({ target }) => leader.choose(target.value as LeaderKind)} // one of the options below
    >
      <Options of={LEADERS.map((kind) => [kind, text.kinds[kind]])} />
    </select>
  );
}

/** Bar with the state and the settings of an external leader. */
export function LeaderBar({ leader, hasBeats }: { readonly leader: LeaderHandle; readonly hasBeats: boolean }) {
  const { kind, view } = leader;
  if (kind === "player") return null;
  const trouble = troubleOf(kind, view);
  return (
    <section
      aria-label={text.bar}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b bg-surface px-4 py-2 text-[12px] max-[480px]:px-3"
    >
      {trouble ? (
        <Trouble leader={leader} words={trouble} />
      ) : (
        <>
          <p role="status" className={cx(DOT, LOOKS[view.state])}>
            {view.state === "waiting" ? text.states.waiting[kind] : text.states[view.state]}
          </p>
          <p className="font-mono text-[14px] tabular-nums">
            {kind === "clock" ? view.tempo !== undefined && text.tempo(view.tempo) : (view.code ?? "--:--:--:--")}
            {view.state !== "waiting" && <span className={cx(MUTED, "ml-2 text-[12px]")}>{text.rate(view.rate)}</span>}
          </p>
        </>
      )}
      {view.level !== undefined && <Level level={view.level} />}
      <Input leader={leader} />
      {kind !== "clock" && <Rate leader={leader} />}
      {kind !== "clock" && <Start key={leader.start} leader={leader} />}
      {kind === "mtc" && view.inputState === "open" && !view.hearsJumps && (
        <button
          type="button"
          className={buttonLook({ small: true })}
          title={text.hearJumpsHint}
          onClick={leader.hearJumps}
        >
          {text.hearJumps}
        </button>
      )}
      {kind === "clock" && !hasBeats && <p className={WARN}>{text.noBeats}</p>}
      {kind !== "ltc" && view.inputState === "open" && view.inputs.length === 0 && (
        <p className={WARN}>{text.noInputs}</p>
      )}
      <p className={cx(MUTED, "ml-auto max-[900px]:ml-0")}>{text.mute}</p>
    </section>
  );
}

function troubleOf(kind: OutsideLeader, { inputState }: LeaderView): string {
  if (inputState === "missing" && !window.isSecureContext) return text.insecure;
  const words = text.inputStates[inputState];
  return typeof words === "string" ? words : words[kind];
}

function Trouble({ leader, words }: { readonly leader: LeaderHandle; readonly words: string }) {
  const { inputState } = leader.view;
  return (
    <p role={inputState === "opening" ? "status" : "alert"} className="flex min-w-0 flex-wrap items-center gap-2">
      <span className={inputState === "opening" ? MUTED : WARN}>{words}</span>
      {inputState !== "opening" && (
        <button
          type="button"
          className={buttonLook({ small: true })}
          onClick={inputState === "asleep" ? leader.wake : leader.retry}
        >
          {inputState === "asleep" ? text.wake : text.retry}
        </button>
      )}
    </p>
  );
}

function Input({ leader }: { readonly leader: LeaderHandle }) {
  const { kind, view, input } = leader;
  const id = useId();
  if (view.inputs.length === 0) return null;
  // A chosen input that is not connected now remains selectable.
  const isKnown = input === "" || view.inputs.some((each) => each.id === input);
  return (
    <span className="flex items-center gap-1.5">
      <label htmlFor={id} className={MUTED}>
        {text.input}
      </label>
      <select
        id={id}
        className={cx(SELECT, "max-w-44")}
        value={input}
        onChange={({ target }) => leader.setInput(target.value)}
      >
        <option value="">{kind === "ltc" ? text.anySound : text.anyMidi}</option>
        {!isKnown && <option value={input}>{input}</option>}
        <Options of={view.inputs.map((each, i) => [each.id, each.name || `${i + 1}`])} />
      </select>
    </span>
  );
}

function Rate({ leader }: { readonly leader: LeaderHandle }) {
  const id = useId();
  return (
    <span className="flex items-center gap-1.5">
      <label htmlFor={id} className={MUTED}>
        {text.frameRate}
      </label>
      <select
        id={id}
        className={SELECT}
        title={text.frameRateHint}
        value={leader.frameRate}
        onChange={({ target }) => leader.setFrameRate(target.value as SettableRate | "")} // one of the options below
      >
        <option value="">{text.detected}</option>
        <Options of={SETTABLE_RATES.map((rate) => [rate, rate])} />
      </select>
    </span>
  );
}

function Start({ leader }: { readonly leader: LeaderHandle }) {
  const id = useId();
  const [typed, setTyped] = useState(leader.start);
  const isRight = parseTimeCode(typed, "30") !== undefined;
  const keep = () => isRight && typed !== leader.start && leader.setStart(typed.trim());
  const { code } = leader.view;
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <label htmlFor={id} className={MUTED}>
        {text.start}
      </label>
      <input
        id={id}
        className={cx(FIELD, "w-[14ch]")}
        value={typed}
        title={text.startHint}
        aria-invalid={!isRight}
        aria-describedby={isRight ? undefined : `${id}-error`}
        autoComplete="off"
        onChange={({ target }) => setTyped(target.value)}
        onBlur={keep}
        onKeyDown={({ key }) => key === "Enter" && keep()}
      />
      <button
        type="button"
        className={buttonLook({ small: true })}
        title={text.startHereHint}
        disabled={code === undefined}
        onClick={() => code && leader.setStart(code.replace(";", ":"))}
      >
        {text.startHere}
      </button>
      {!isRight && (
        <span id={`${id}-error`} role="alert" className="text-danger">
          {text.startWrong}
        </span>
      )}
    </span>
  );
}

function Level({ level }: { readonly level: number }) {
  const db = 20 * Math.log10(Math.max(level, 1e-5));
  const share = Math.min(1, Math.max(0, 1 + db / 50));
  return (
    <span className="flex items-center gap-1.5">
      <span className={MUTED}>{text.level}</span>
      <meter aria-label={text.level} className="h-2 w-20" min={0} max={1} value={share} />
      {level < SILENCE && <span className={WARN}>{text.silent}</span>}
    </span>
  );
}
