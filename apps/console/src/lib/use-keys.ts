import { useEffect, useEffectEvent } from "react";
import { isElsewhere } from "./key-target.ts";
import { keysInWords, useOfKey, type KeyTable } from "./key-table.ts";
import { useScreenCommands } from "./screen-commands.ts";

type Act = () => void;

/**
 * Keys of the whole page while something is on it; the palette offers the same. A use without an act lets its keys go by.
 * Held down, keys of `repeats` act again and again. Space presses the button that has the focus: that is what it is focused
 * for.
 */
export function useKeys<Name extends string>(
  table: KeyTable<Name>,
  acts: Readonly<Record<Name, Act | undefined>>,
  { repeats = [] }: { readonly repeats?: readonly NoInfer<Name>[] } = {},
): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (isElsewhere(event) || (event.key === " " && isOnControl(event.target))) return;
    const use = useOfKey(table, event);
    const act = use && acts[use];
    if (!act || (event.repeat && !repeats.includes(use))) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
  const names = Object.keys(table) as Name[];
  useScreenCommands(
    names.flatMap((use) => {
      const act = acts[use];
      return act && !repeats.includes(use)
        ? { text: table[use].does, keys: keysInWords(table[use]), perform: act }
        : [];
    }),
  );
}

const isOnControl = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("button, a, summary") !== null;
