import { useEffect, useRef, useState } from "react";
import { Mic } from "lucide-react";
import { Button } from "../ui/button.tsx";
import { DelayMeter, type DueClick, type MeterView } from "../sound-input/delay-meter.ts";
import { CLICKS } from "../sound-input/estimate-delay.ts";
import type { SongPlayer } from "../visualizer/player/song-player.ts";
import { calibrationStrings, signed } from "./calibration.strings.ts";
import { offsetFor } from "./offset-for.ts";
import { MOST_MS } from "./offset-keeper.ts";

const text = calibrationStrings.mic;
const OFF: MeterView = { kind: "off" };

/** Measures the delay of the sound with the microphone, and proposes an offset. */
export function MicrophoneBlock({
  player,
  onUse,
}: {
  readonly player: SongPlayer | undefined;
  /** Applies the proposed offset; undefined if several outputs are calibrated, because one value does not fit all. */
  readonly onUse: ((ms: number) => void) | undefined;
}) {
  const [seen, setSeen] = useState<{ readonly view: MeterView; readonly of: SongPlayer }>();
  const meter = useRef<DelayMeter>(undefined);
  const close = () => {
    meter.current?.close();
    meter.current = undefined;
  };
  // A measurement in progress ends with the clicks. A finished result stays visible.
  const isOver = seen?.of !== player && (seen?.view.kind === "opening" || seen?.view.kind === "listening");
  const view = !seen || isOver ? OFF : seen.view;
  useEffect(() => (player ? close : undefined), [player]);
  const measure = () => {
    if (!player) return;
    close();
    meter.current = new DelayMeter(
      (now) => clickOf(player, now),
      (next) => setSeen({ view: next, of: player }),
    );
    void meter.current.open();
  };
  const isBusy = view.kind === "opening" || view.kind === "listening";
  return (
    <section aria-label={text.title} className="flex flex-col gap-3 rounded-lg border bg-surface p-4">
      <h2 className="text-sm font-semibold">{text.title}</h2>
      <p className="text-xs text-muted">{text.about}</p>
      <div className="flex flex-wrap items-center gap-3">
        <Button disabled={!player} pending={isBusy} onClick={measure}>
          {!isBusy && <Mic aria-hidden size={14} />} {view.kind === "off" || isBusy ? text.measure : text.again}
        </Button>
        {!player && <span className="text-xs text-muted">{text.startFirst}</span>}
        {view.kind === "opening" && <span role="status">{text.opening}</span>}
        {view.kind === "listening" && <span role="status">{text.listening(view.done, CLICKS)}</span>}
      </div>
      {(view.kind === "missing" || view.kind === "denied") && (
        <p role="alert" className="text-warn">
          {text[view.kind]}
        </p>
      )}
      {view.kind === "done" && <Result view={view} onUse={onUse} />}
    </section>
  );
}

/** Returns the next click if it is due within 0.5 s. The track clicks at each whole second. */
function clickOf(player: SongPlayer, nowMs: number): DueClick | undefined {
  const time = player.time();
  const next = Math.ceil(time);
  if (!player.state().isPlaying || next - time >= 0.5) return undefined;
  return { number: next, dueMs: nowMs + (next - time) * 1000 };
}

function Result({
  view: { result, inputMs, outputMs },
  onUse,
}: {
  readonly view: MeterView & { kind: "done" };
  readonly onUse: ((ms: number) => void) | undefined;
}) {
  if (result.kind !== "measured") {
    const words =
      result.kind === "unheard" ? text.unheard(result.heard, CLICKS) : text.unsure(Math.round(result.spreadMs));
    return (
      <p role="alert" className="text-warn">
        {words}
      </p>
    );
  }
  const offset = offsetFor(result.delayMs);
  const isAllowed = Math.abs(offset) <= MOST_MS;
  return (
    <div role="status" className="flex flex-col items-start gap-2">
      <p>{text.result(Math.round(result.delayMs), Math.round(result.spreadMs), result.heard)}</p>
      <p className="text-xs text-muted">
        {text.system(Math.round(outputMs))}{" "}
        {inputMs === undefined ? text.inputUnknown : text.input(Math.round(inputMs))}
      </p>
      {!isAllowed && <p className="text-warn">{text.outside}</p>}
      {isAllowed && onUse && <Button onClick={() => onUse(offset)}>{text.propose(signed(offset))}</Button>}
    </div>
  );
}
