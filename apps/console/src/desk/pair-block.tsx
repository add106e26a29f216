import { COLOR_PAIRS, type ColorPair } from "@followspot/lighting";
import { Check } from "lucide-react";
import { ownerText } from "./desk-button.tsx";
import { shownValue, type DeskView } from "./desk-connection.ts";
import { deskStrings as text } from "./desk.strings.ts";
import { press } from "./use-desk.ts";

/**
 * Buttons for the user-defined color pairs: the current song continues in the pair; without a song the rig is lit in
 * it.
 */
export function PairBlock({ view }: { readonly view: DeskView }) {
  const shown = shownValue(view, "pair");
  return (
    <section aria-label={text.pairs} className="flex flex-col gap-2 rounded-lg border bg-surface p-3">
      <div className="flex min-h-11 items-center gap-2">
        <h2 className="text-sm font-semibold text-muted">{text.pairs}</h2>
        <span className="min-w-0 flex-1 truncate text-right text-xs text-muted">{ownerText(view, "pair")}</span>
      </div>
      {/* Scrolls sideways on phones, so that the next block is not far away. */}
      <div className="grid gap-2 max-md:auto-cols-[6.5rem] max-md:grid-flow-col max-md:grid-rows-2 max-md:overflow-x-auto max-md:pb-1 md:grid-cols-4">
        {COLOR_PAIRS.map((pair) => (
          <PairTile key={pair.name} pair={pair} isOn={shown === pair.name} />
        ))}
      </div>
    </section>
  );
}

function PairTile({ pair, isOn }: { readonly pair: ColorPair; readonly isOn: boolean }) {
  const { name, colors, reason } = pair;
  return (
    <button
      type="button"
      aria-label={text.pairOf(name)}
      aria-pressed={isOn}
      title={reason}
      onClick={() => press("pair", isOn ? null : name)}
      className="flex min-w-0 flex-col overflow-hidden rounded-lg border-2 border-border bg-raised text-left transition-colors hover:border-muted aria-pressed:border-fg"
    >
      <span aria-hidden className="relative flex h-12 w-full">
        <span className="flex-1" style={{ backgroundColor: colors[0] }} />
        <span className="flex-1" style={{ backgroundColor: colors[2] }} />
        {isOn && (
          <span className="absolute inset-0 m-auto grid size-7 place-items-center rounded-full bg-black/70 text-white">
            <Check size={18} />
          </span>
        )}
      </span>
      <span className="flex h-9 w-full items-center px-1.5 text-xs leading-tight text-fg">
        <span className="line-clamp-2">{text.pairName(name)}</span>
      </span>
    </button>
  );
}
