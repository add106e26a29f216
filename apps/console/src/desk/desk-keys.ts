import { useEffect } from "react";
import { isElsewhere } from "../lib/key-target.ts";
import { perform, type DeskAction } from "./actions.ts";
import { deskHandle, press } from "./use-desk.ts";

/** Key → action id. */
const KEYS: Readonly<Record<string, string>> = {
  b: "blackout",
  f: "blinder",
  s: "strobe",
  h: "hold",
  "+": "bigger",
  "=": "bigger",
  "-": "calmer",
  t: "tap",
  g: "all",
};

/** One key for each of the large controls, on the desk's page; 1 to 9 and 0 set the master from 10 to 100 %. */
export function useDeskKeys(actions: readonly DeskAction[]): void {
  useEffect(() => {
    const down = new Set<string>();
    const find = (key: string) => actions.find(({ id }) => id === KEYS[key]);
    const onDown = (event: KeyboardEvent): void => {
      const key = event.key.toLowerCase();
      if (isElsewhere(event) || event.repeat) return;
      if (/^[0-9]$/.test(key)) return press("master", key === "0" ? 1 : Number(key) / 10);
      const action = find(key);
      if (!action) return;
      event.preventDefault();
      down.add(key);
      perform(action, 1, deskHandle);
    };
    const letGo = (key: string): void => {
      const action = down.delete(key) ? find(key) : undefined;
      if (action) perform(action, 0, deskHandle);
    };
    const onUp = ({ key }: KeyboardEvent): void => letGo(key.toLowerCase());
    // Whoever looks at another window does not press any more.
    const letAllGo = (): void => [...down].forEach(letGo);
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
