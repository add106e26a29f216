import type { Output } from "@followspot/contract/lights";
import { useBlocker } from "@tanstack/react-router";
import { useState, type KeyboardEvent } from "react";
import { plainErrorText } from "../lib/errors.ts";
import { useOfKey } from "../lib/key-table.ts";
import { useOutputCalls } from "../outputs/outputs.queries.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/dialog.tsx";
import { Status } from "../ui/status.tsx";
import { showToast } from "../ui/toast.tsx";
import type { SongPlayer } from "../visualizer/player/song-player.ts";
import { calibrationStrings as text, signed } from "./calibration.strings.ts";
import { MicrophoneBlock } from "./microphone-block.tsx";
import { MOST_MS, OffsetKeeper, type OffsetView } from "./offset-keeper.ts";
import { OFFSET_KEYS } from "./offset.keys.ts";
import { answered, isFound, newStaircase, type Answer } from "./staircase.ts";

/** Range of the slider in both directions, ms. The number field allows larger values. */
const SLIDER_MS = 200;
const LARGE_STEP_MS = 10;
const TONES = { saved: "ok", saving: "wait", failed: "bad" } as const;
const CARD = "flex flex-col gap-3 rounded-lg border bg-surface p-4";

/** Controls for the offset of one output or the common shift of several. Changes apply during the drag. */
export function OffsetPanel({
  outputs,
  player,
  onReadAgain,
}: {
  readonly outputs: readonly Output[];
  /** Calibration player; undefined while the flashes are stopped. */
  readonly player: SongPlayer | undefined;
  readonly onReadAgain: () => void;
}) {
  const { update } = useOutputCalls();
  const [changed, setChanged] = useState<OffsetView>();
  const [keeper] = useState(() => new OffsetKeeper({ outputs, save: update, onChange: setChanged }));
  const view = changed ?? keeper.view;
  const isAll = outputs.length > 1;
  const keep = async () => {
    const value = signed(keeper.view.value);
    if (await keeper.keep()) showToast(isAll ? text.keptAll(value) : text.keptOne(value));
  };
  const putBack = async () => {
    if (await keeper.cancel()) showToast(text.putBack);
  };
  return (
    <>
      <section aria-label={isAll ? text.moved : text.offset} className={CARD}>
        <Slider label={isAll ? text.moved : text.offset} value={view.value} onValue={(ms) => keeper.set(ms)} />
        <div className="flex flex-wrap items-center gap-2">
          <span role="status" className="text-xs">
            <Status tone={TONES[view.saving]}>{text.states[view.saving]}</Status>
          </span>
          <span className="ml-auto flex flex-wrap gap-2">
            <Button onClick={() => keeper.set(0)}>{text.reset}</Button>
            <Button disabled={!view.isChanged} onClick={() => void putBack()}>
              {text.cancel}
            </Button>
            <Button variant="primary" disabled={!view.isChanged} onClick={() => void keep()}>
              {text.keep}
            </Button>
          </span>
        </div>
        {view.saving === "failed" && (
          <p role="alert" className="flex flex-wrap items-center gap-2 text-xs wrap-anywhere text-danger">
            {text.failed(plainErrorText(view.problem))}
            <Button onClick={onReadAgain}>{text.readAgain}</Button>
          </p>
        )}
      </section>
      <Answers onMove={(ms) => keeper.set(view.value + ms)} />
      <MicrophoneBlock player={player} onUse={isAll ? undefined : (ms) => keeper.set(ms)} />
      <LeaveUnkept isChanged={view.isChanged} putBack={() => keeper.cancel()} />
    </>
  );
}

function Slider({
  label,
  value,
  onValue,
}: {
  readonly label: string;
  readonly value: number;
  readonly onValue: (ms: number) => void;
}) {
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    const use = useOfKey(OFFSET_KEYS, event);
    if (!use) return;
    event.preventDefault();
    onValue(value + (use === "later" ? LARGE_STEP_MS : -LARGE_STEP_MS));
  };
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-center gap-3">
        <span className="text-xs font-medium">{label}</span>
        <output className="text-2xl font-semibold tabular-nums">{signed(value)}</output>
        <input
          type="number"
          aria-label={text.exact}
          className="ml-auto h-8 w-20 rounded-md border bg-bg px-2 text-sm tabular-nums"
          min={-MOST_MS}
          max={MOST_MS}
          value={value}
          onChange={({ target }) => Number.isFinite(target.valueAsNumber) && onValue(target.valueAsNumber)}
        />
      </div>
      <input
        type="range"
        aria-label={label}
        aria-describedby="offset-hint"
        className="h-11 w-full touch-none accent-accent"
        min={-SLIDER_MS}
        max={SLIDER_MS}
        value={value}
        onChange={({ target }) => onValue(target.valueAsNumber)}
        onKeyDown={onKey}
      />
      <p id="offset-hint" className="text-xs text-muted">
        {text.offsetHint}
      </p>
    </div>
  );
}

/** Alternative to the slider: finds the offset from answers about which came first. */
function Answers({ onMove }: { readonly onMove: (ms: number) => void }) {
  const [stairs, setStairs] = useState(newStaircase);
  const say = (answer: Answer) => {
    const [move, next] = answered(stairs, answer);
    setStairs(next);
    if (move !== 0) onMove(move);
  };
  return (
    <section aria-label={text.answers} className={CARD}>
      <h2 className="text-sm font-semibold">{text.answers}</h2>
      {isFound(stairs) ? (
        <p role="status" className="flex flex-wrap items-center gap-3">
          {text.found}
          <Button onClick={() => setStairs(newStaircase())}>{text.again}</Button>
        </p>
      ) : (
        <>
          <div className="grid grid-cols-3 gap-2 max-sm:grid-cols-1">
            {(["light", "together", "sound"] as const).map((answer) => (
              <Button key={answer} className="h-11" onClick={() => say(answer)}>
                {text[answer]}
              </Button>
            ))}
          </div>
          <p className="text-xs text-muted">{text.step(stairs.stepMs)}</p>
        </>
      )}
    </section>
  );
}

/** Confirmation on leaving with an unconfirmed offset; leaving restores the initial offset. */
function LeaveUnkept({
  isChanged,
  putBack,
}: {
  readonly isChanged: boolean;
  readonly putBack: () => Promise<boolean>;
}) {
  const leaving = useBlocker({
    shouldBlockFn: () => isChanged,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      title={text.leave.title}
      message={text.leave.message}
      confirmLabel={text.leave.confirm}
      open={leaving.status === "blocked"}
      onConfirm={() => void putBack().then(() => leaving.proceed?.())}
      onClose={() => leaving.reset?.()}
    />
  );
}
