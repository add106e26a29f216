import { Mic } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { DelayMeter, type MeterView } from "../sound-input/delay-meter.ts";
import { CLICKS } from "../sound-input/estimate-delay.ts";
import { useStore } from "../lib/store.ts";
import { Button } from "../ui/button.tsx";
import { Clicks } from "./clicks.ts";
import { MOST_DELAY_MS } from "./machine.ts";
import type { PaPlayer, PlayerView } from "./pa-player.ts";
import { playerStrings } from "./player.strings.ts";

const text = playerStrings.measure;

/** Plays clicks, records them with this machine's microphone, and proposes the measured delay. */
export function MeasureDelay({ player, onUse }: { readonly player: PaPlayer; readonly onUse: (ms: number) => void }) {
  const [view, setView] = useState<MeterView>({ kind: "off" });
  const close = useRef<() => void>(undefined);
  useEffect(() => () => close.current?.(), []);
  const sounds = isSounding(useStore(player.view));
  const isBusy = view.kind === "opening" || view.kind === "listening";
  const end = useEffectEvent(() => {
    close.current?.();
    close.current = undefined;
    if (isBusy) setView({ kind: "off" });
  });
  // The measurement ends when music starts.
  useEffect(
    () =>
      player.view.subscribe(() => {
        if (isSounding(player.view.get())) end();
      }),
    [player],
  );
  const measure = async () => {
    setView({ kind: "opening" });
    await player.allow();
    const clicks = new Clicks(player.context);
    const meter = new DelayMeter(
      (now) => clicks.next(now),
      (next) => {
        setView(next);
        if (next.kind !== "opening" && next.kind !== "listening") clicks.close();
      },
    );
    close.current = () => {
      meter.close();
      clicks.close();
    };
    await meter.open();
  };
  const cancel = () => {
    close.current?.();
    setView({ kind: "off" });
  };
  const discard = () => setView({ kind: "off" });
  const use = (ms: number) => {
    onUse(ms);
    discard();
  };
  return (
    <div className="flex flex-col gap-2 sm:col-span-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button large disabled={sounds && !isBusy} pending={isBusy} onClick={() => measure().catch(cancel)}>
          {!isBusy && <Mic aria-hidden size={14} />} {text.measure}
        </Button>
        {isBusy && (
          <Button large onClick={cancel}>
            {text.cancel}
          </Button>
        )}
        <p className="min-w-0 flex-1 basis-52 text-xs text-muted">{sounds && !isBusy ? text.playing : text.hint}</p>
      </div>
      <Said view={view} onUse={use} onDiscard={discard} />
    </div>
  );
}

const isSounding = ({ isHeard, queue }: PlayerView): boolean => isHeard && queue?.mode === "playing";

/** Shows the progress of the measurement, its result, or why it failed. */
function Said({
  view,
  onUse,
  onDiscard,
}: {
  readonly view: MeterView;
  readonly onUse: (ms: number) => void;
  readonly onDiscard: () => void;
}) {
  switch (view.kind) {
    case "off":
      return null;
    case "opening":
      return <p role="status">{text.opening}</p>;
    case "listening":
      return <p role="status">{text.listening(view.done, CLICKS)}</p>;
    case "missing":
      return <Why says={isSecureContext ? text.missing : text.insecure} />;
    case "denied":
      return <Why says={text.denied} />;
    case "done": {
      const { result, inputMs } = view;
      if (result.kind === "unheard") return <Why says={text.unheard(result.heard, CLICKS)} />;
      if (result.kind === "unsure") return <Why says={text.unsure(Math.round(result.spreadMs))} />;
      const ms = Math.max(0, Math.round(result.delayMs));
      if (ms > MOST_DELAY_MS) return <Why says={text.outside} />;
      return (
        <div role="status" className="flex flex-col items-start gap-2">
          <p className="text-sm">{text.result(ms, Math.round(result.spreadMs), result.heard)}</p>
          <p className="text-xs text-muted">{inputMs === undefined ? text.inputUnknown : text.input(inputMs)}</p>
          <div className="flex flex-wrap gap-2">
            <Button large variant="primary" onClick={() => onUse(ms)}>
              {text.use(ms)}
            </Button>
            <Button large onClick={onDiscard}>
              {text.discard}
            </Button>
          </div>
        </div>
      );
    }
    default:
      return view satisfies never;
  }
}

const Why = ({ says }: { readonly says: string }) => (
  <p role="alert" className="text-sm text-warn">
    {says}
  </p>
);
