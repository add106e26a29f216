import { useEffect } from "react";
import { useOfKey } from "../lib/key-table.ts";
import { isElsewhere } from "../lib/key-target.ts";
import { useScreenCommands } from "../lib/screen-commands.ts";
import { perform, type DeskAction } from "./actions.ts";
import { DESK_KEYS } from "./desk.keys.ts";
import { deskHandle, press } from "./use-desk.ts";

/** Registers the shortcuts of the main controls on the desk page. */
export function useDeskKeys(actions: readonly DeskAction[]): void {
  useScreenCommands(
    actions
      .filter(({ kind }) => kind === "switch" || kind === "once" || kind === "step")
      .map((action) => ({ text: action.label, perform: () => perform(action, 1, deskHandle) })),
  );
  useEffect(() => {
    /** Held keys with their actions. */
    const down = new Map<string, DeskAction>();
    const onDown = (event: KeyboardEvent): void => {
      if (isElsewhere(event) || event.repeat) return;
      const use = useOfKey(DESK_KEYS, event);
      if (use === "master") return press("master", event.key === "0" ? 1 : Number(event.key) / 10);
      const action = actions.find(({ id }) => id === use);
      if (!action) return;
      event.preventDefault();
      down.set(event.key.toLowerCase(), action);
      perform(action, 1, deskHandle);
    };
    const letGo = (key: string): void => {
      const action = down.get(key);
      down.delete(key);
      if (action) perform(action, 0, deskHandle);
    };
    const onUp = ({ key }: KeyboardEvent): void => letGo(key.toLowerCase());
    // Releases every key when the window loses the focus.
    const letAllGo = (): void => [...down.keys()].forEach(letGo);
    addEventListener("keydown", onDown);
    addEventListener("keyup", onUp);
    addEventListener("blur", letAllGo);
    return () => {
      letAllGo();
      removeEventListener("keydown", onDown);
      removeEventListener("keyup", onUp);
      removeEventListener("blur", letAllGo);
    };
  }, [actions]);
}
