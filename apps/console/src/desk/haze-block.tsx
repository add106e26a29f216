import { HAZE } from "@followspot/contract";
import { useEffect, useState } from "react";
import { DeskButton } from "./desk-button.tsx";
import type { DeskView } from "./desk-connection.ts";
import { deskStrings as text } from "./desk.strings.ts";
import { press } from "./use-desk.ts";

/** Button that runs all hazers while it is held, up to the stage's time limit. */
export function HazeBlock({ view }: { readonly view: DeskView }) {
  const hand = view.state?.hands["haze"];
  return (
    <section aria-label={text.haze} className="flex flex-col gap-2 rounded-lg border bg-surface p-3">
      <DeskButton
        view={view}
        control="haze"
        label={text.haze}
        className="h-14"
        onDown={() => press("haze", true)}
        onUp={() => press("haze", null)}
      >
        {hand ? <SecondsLeft key={hand.since} /> : text.haze}
      </DeskButton>
      <p className="text-xs text-muted">{text.hazeHint(HAZE.ms / 1000)}</p>
    </section>
  );
}

/** Counted on this page's clock, which may differ from the stage's. */
function SecondsLeft() {
  const [begun] = useState(() => performance.now());
  const [now, setNow] = useState(begun);
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 200);
    return () => clearInterval(timer);
  }, []);
  return <span role="timer">{text.hazing(Math.max(0, Math.ceil((HAZE.ms - (now - begun)) / 1000)))}</span>;
}
