import { IDLE_LOOKS } from "@followspot/contract";
import { DeskButton } from "./desk-button.tsx";
import { shownValue, type DeskView } from "./desk-connection.ts";
import { deskStrings as text } from "./desk.strings.ts";
import { press } from "./use-desk.ts";

/** Selects the look while no song plays; it stays until it is released, also across restarts. */
export function IdleBlock({ view }: { readonly view: DeskView }) {
  const shown = shownValue(view, "idle");
  return (
    <section aria-label={text.idle} className="flex flex-col gap-2 rounded-lg border bg-surface p-3">
      <h2 className="text-sm font-semibold text-muted">{text.idle}</h2>
      <div className="grid grid-cols-3 gap-2">
        {IDLE_LOOKS.map((look) => (
          <DeskButton
            key={look}
            view={shown === look ? view : { ...view, state: undefined, waiting: new Map() }}
            control="idle"
            label={text.idleLooks[look]}
            isOn={shown === look}
            className="px-1 text-sm"
            onDown={() => press("idle", shown === look ? null : look)}
          />
        ))}
      </div>
    </section>
  );
}
