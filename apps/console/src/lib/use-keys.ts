import { useEffect, useEffectEvent } from "react";
import { isElsewhere, isPressOfControl } from "./key-target.ts";
import { keysInWords, useOfKey, type KeyTable } from "./key-table.ts";
import { useScreenCommands } from "./screen-commands.ts";

type Act = () => void;

/**
 * Keys of the whole page while something is on it; the palette offers the same. A use without an act lets its keys pass.
 * Held down, keys of `repeats` act again and again. Space presses the focused control if the keyboard moved the focus there;
 * otherwise it is a key of the page.
 */
export function useKeys<Name extends string>(
  table: KeyTable<Name>,
  acts: Readonly<Record<Name, Act | undefined>>,
  { repeats = [] }: { readonly repeats?: readonly NoInfer<Name>[] } = {},
): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (isElsewhere(event) || isPressOfControl(event)) return;
    const use = useOfKey(table, event);
    const act = use && acts[use];
    if (!act) return;
    // Repeats and releases too: browsers press a focused button when Space is released.
    event.preventDefault();
    if (event.type === "keydown" && (!event.repeat || repeats.includes(use))) act();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    window.addEventListener("keydown", listen);
    window.addEventListener("keyup", listen);
    return () => {
      window.removeEventListener("keydown", listen);
      window.removeEventListener("keyup", listen);
    };
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
