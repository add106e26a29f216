import type { Light } from "@followspot/contract/lights";
import { ChevronRight } from "lucide-react";
import { useMemo, type ReactNode } from "react";
import { cx } from "../ui/class-names.ts";
import { Button } from "../ui/button.tsx";
import { patchStrings as text } from "./patch.strings.ts";
import { UniverseMap } from "./universe-map.tsx";
import { nextFree, slotsInUse, toSlotLight, universeSlots, universesOf, type SlotLook } from "./universe-slots.ts";

const LEGEND: readonly Exclude<SlotLook, "free">[] = ["auto", "override", "conflict", "selected"];
/** Channel count for the next-free hint: the common size of a fixture. */
const COMMON_CHANNELS = 8;

/** Universe map above the table of lights; shows one universe at a time. */
export function UniversePanel({
  lights,
  universe,
  selected,
  onSelect,
  onUniverse,
  beside,
}: {
  /** Every patched light. */
  readonly lights: readonly Light[];
  readonly universe: number;
  readonly selected: number | undefined;
  readonly onSelect: (lightId: number) => void;
  readonly onUniverse: (universe: number) => void;
  /** Content next to the description of the selected light. */
  readonly beside?: ReactNode;
}) {
  const here = useMemo(
    () => lights.filter((light) => light.universe === universe).map(toSlotLight),
    [lights, universe],
  );
  const inUse = slotsInUse(universeSlots(here, undefined));
  const free = nextFree(here, COMMON_CHANNELS);
  const universes = universesOf(lights);
  const next = universes[(universes.indexOf(universe) + 1) % universes.length] ?? universe;
  return (
    <section
      aria-label={text.universe(universe)}
      className="flex shrink-0 flex-col gap-2 rounded-lg border bg-surface p-3"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="text-sm font-semibold">{text.universe(universe)}</h2>
        <p className="text-xs text-muted max-sm:order-last max-sm:w-full">
          {text.inUse(inUse)} ·{" "}
          {free === undefined ? text.noneFree(COMMON_CHANNELS) : text.nextFree(COMMON_CHANNELS, free)}
        </p>
        <ul className="ml-auto flex flex-wrap gap-x-3 text-xs text-muted max-sm:hidden">
          {LEGEND.map((look) => (
            <li key={look} className="flex items-center gap-1.5">
              <span aria-hidden className={cx("um-slot size-2.5", `um-${look}`)} /> {text.looks[look]}
            </li>
          ))}
        </ul>
        {next !== universe && (
          <Button className="max-sm:ml-auto" onClick={() => onUniverse(next)}>
            {text.universe(next)} <ChevronRight aria-hidden size={14} />
          </Button>
        )}
      </div>
      <UniverseMap universe={universe} lights={here} selected={selected} onSelect={onSelect}>
        {beside}
      </UniverseMap>
    </section>
  );
}
