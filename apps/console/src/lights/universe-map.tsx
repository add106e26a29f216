import { nameInWords, rangeInWords } from "@followspot/lighting";
import { memo, useId, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { useOfKey } from "../lib/key-table.ts";
import { cx } from "../ui/class-names.ts";
import { patchStrings as text } from "./patch.strings.ts";
import {
  DRAFT,
  overlaps,
  universeInWords,
  universeSlots,
  type SlotLight,
  type UniverseSlot,
} from "./universe-slots.ts";
import { UNIVERSE_KEYS } from "./universe.keys.ts";

/** Slots per row, for layout and arrow keys. */
const ROW = 64;
const SLOTS = 512;
const ROWS = Array.from({ length: SLOTS / ROW }, (_, row) => row * ROW);

/**
 * Map of the 512 channels of a universe. Hovering or focusing a slot shows its light. Arrow keys move the focus; Enter selects
 * the light.
 */
export function UniverseMap({
  universe,
  lights,
  selected,
  onSelect,
  isSmall = false,
  children,
}: {
  readonly universe: number;
  /** Lights of this universe, including the draft of an open form. */
  readonly lights: readonly SlotLight[];
  /** ID of the light whose slots are highlighted. */
  readonly selected?: number | undefined;
  readonly onSelect?: (lightId: number) => void;
  /** Whether the map is the compact version in a form. */
  readonly isSmall?: boolean;
  /** Content next to the line that describes the slot. */
  readonly children?: ReactNode;
}) {
  const slots = useMemo(() => universeSlots(lights, selected), [lights, selected]);
  const problems = useMemo(() => overlaps(lights, universe), [lights, universe]);
  const [pointed, setPointed] = useState<number>();
  const [active, setActive] = useState(0);
  const grid = useRef<HTMLDivElement>(null);
  const lineId = useId();
  const slot = pointed === undefined ? undefined : slots[pointed];
  const chosen = lights.find(({ id }) => id === selected);
  const problem = problems.get(selected ?? DRAFT) ?? problems.values().next().value;

  const press = (key: KeyboardEvent) => {
    const use = useOfKey(UNIVERSE_KEYS, key);
    const next = use === "move" ? nextSlot(key.key, active) : undefined;
    const light = slots[active]?.light;
    if (next !== undefined) {
      setActive(next);
      grid.current?.querySelector<HTMLElement>(`[data-slot="${next}"]`)?.focus();
    } else if (use === "choose" && light && onSelect) onSelect(light.id);
    else return;
    key.preventDefault();
  };
  const slotAt = (target: EventTarget) => {
    const found = target instanceof HTMLElement ? target.dataset["slot"] : undefined;
    return found === undefined ? undefined : Number(found);
  };
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div
        ref={grid}
        role="grid"
        aria-label={text.map(universe)}
        aria-describedby={lineId}
        onKeyDown={press}
        onPointerOver={({ target }) => setPointed(slotAt(target))}
        onPointerLeave={() => setPointed(undefined)}
        onFocus={({ target }) => {
          const at = slotAt(target);
          setPointed(at);
          if (at !== undefined) setActive(at);
        }}
        onBlur={() => setPointed(undefined)}
        onClick={({ target }) => {
          const light = slots[slotAt(target) ?? -1]?.light;
          if (light && onSelect) onSelect(light.id);
        }}
        className={cx(
          "grid grid-cols-[repeat(64,minmax(0,1fr))] gap-px max-sm:grid-cols-[repeat(32,minmax(0,1fr))]",
          isSmall ? "auto-rows-[8px]" : "auto-rows-[12px] gap-[2px]",
        )}
      >
        {ROWS.map((from) => (
          <MapRow key={from} slots={slots} from={from} active={active} canSelect={onSelect !== undefined} />
        ))}
      </div>
      <div className="flex min-h-5 flex-wrap items-center gap-x-3 text-xs text-muted">
        <p id={lineId} className="min-w-0 flex-1 truncate" aria-live="off">
          {slot ? slotInWords(slot) : chosen ? text.chosen(nameInWords(chosen), rangeInWords(chosen)) : text.pointAt}
        </p>
        {children}
      </div>
      {problem && (
        <p role="status" className="text-xs text-danger">
          {problem}
        </p>
      )}
      <ul className="sr-only" aria-label={text.inWords(universe)}>
        {universeInWords(lights).map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
    </div>
  );
}

const MapRow = memo(function MapRow({
  slots,
  from,
  active,
  canSelect,
}: {
  readonly slots: readonly UniverseSlot[];
  readonly from: number;
  readonly active: number;
  readonly canSelect: boolean;
}) {
  return (
    <div role="row" className="contents">
      {slots.slice(from, from + ROW).map(({ address, look, isOdd, light }) => (
        <div
          key={address}
          role="gridcell"
          data-slot={address - 1}
          tabIndex={address - 1 === active ? 0 : -1}
          aria-label={slotInWords({ address, look, isOdd, light })}
          aria-selected={canSelect ? look === "selected" : undefined}
          className={cx(
            "um-slot outline-offset-0",
            look !== "free" && `um-${look}`,
            isOdd && "um-odd",
            canSelect && light && "cursor-pointer",
          )}
        />
      ))}
    </div>
  );
});

/** Describes a slot, for example "17: Spot 1, channel 3 of 16". */
function slotInWords({ address, look, light }: UniverseSlot): string {
  if (!light) return text.slotFree(address);
  const words = text.slot(address, nameInWords(light), address - light.address + 1, light.channelCount);
  return look === "conflict" ? `${words}, ${text.looks.conflict}` : words;
}

function nextSlot(key: string, at: number): number | undefined {
  const moves: Readonly<Record<string, number>> = {
    ArrowRight: at + 1,
    ArrowLeft: at - 1,
    ArrowDown: at + ROW,
    ArrowUp: at - ROW,
    Home: at - (at % ROW),
    End: at - (at % ROW) + ROW - 1,
  };
  const next = moves[key];
  return next === undefined ? undefined : next >= 0 && next < SLOTS ? next : at;
}
