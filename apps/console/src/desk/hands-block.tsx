import { GIVE_ALL_BACK, staysInHand, type DeskGroup } from "@followspot/contract";
import { useEffect, useState } from "react";
import { TOUCH } from "../ui/touch.ts";
import { controlText } from "./actions.ts";
import { ownerText } from "./desk-button.tsx";
import type { DeskView } from "./desk-connection.ts";
import { deskStrings as text } from "./desk.strings.ts";
import { press } from "./use-desk.ts";

const MINUTE_MS = 60_000;

/** Lists manual overrides and who holds them, with buttons to release them. */
export function HandsBlock({ view, groups }: { readonly view: DeskView; readonly groups: readonly DeskGroup[] }) {
  // A released size is no longer held; it only fades back.
  const held = Object.entries(view.state?.hands ?? {}).filter(([control, { ends }]) => control !== "size" || !ends);
  const hands = held.toSorted(([, a], [, b]) => a.since - b.since);
  const now = useNow();
  return (
    <section aria-label={text.hands} className="flex flex-col gap-2 rounded-lg border bg-surface p-3">
      <div className="flex min-h-11 items-center gap-2">
        <h2 className="text-sm font-semibold text-muted">{text.hands}</h2>
        {hands.some(([control]) => !staysInHand(control)) && (
          <button
            type="button"
            onClick={() => press(GIVE_ALL_BACK, null)}
            className={`${TOUCH} ml-auto border-border bg-raised text-sm text-warn`}
          >
            {text.giveAllBack}
          </button>
        )}
      </div>
      {view.state && hands.length === 0 && <p className="text-sm text-muted">{text.nothing}</p>}
      <ul className="flex flex-col gap-1">
        {hands.map(([control, hand]) => {
          const what = controlText(control, groups, hand.label);
          return (
            <li key={control} className="flex items-center gap-2">
              <span className="min-w-0 flex-1">
                <span className="block truncate text-base">{what}</span>
                <span className="block truncate text-xs text-muted">
                  {ownerText(view, control)} ·{" "}
                  {hand.ends ? text.ends : text.since(Math.floor(Math.max(0, now - hand.since) / MINUTE_MS))}
                </span>
              </span>
              <button
                type="button"
                aria-label={text.giveBackOf(what)}
                onClick={() => press(control, null)}
                className={`${TOUCH} border-border bg-raised text-sm`}
              >
                {text.giveBack}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Returns the current time, updated a few times per minute. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS / 4);
    return () => clearInterval(timer);
  }, []);
  return now;
}
