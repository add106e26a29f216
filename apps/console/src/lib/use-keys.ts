import { useEffect, useEffectEvent } from "react";
import { isElsewhere, isPressOfControl } from "./key-target.ts";
import { keysInWords, useOfKey, type KeyTable } from "./key-table.ts";
import { useScreenCommands } from "./screen-commands.ts";

type Act = () => void;

/**
 * Handles shortcuts of the whole page while a component is mounted; the command palette lists the same actions. A
 * shortcut without an action passes to the browser. Held keys act repeatedly only for shortcuts in `repeats`. Space
 * activates the focused control if the keyboard moved the focus there; otherwise it is a shortcut of the page.
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
    // Also for repeats and releases: browsers activate a focused button when Space is released.
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
