/** What one or more keys do on a screen. */
export interface KeyUse {
  /** As `event.key` says them, "Space" for " ", letters as capitals, "Ctrl+" and "Shift+" in front: "Ctrl+Shift+Z". */
  readonly keys: readonly string[];
  /** For a person: what pressing does. */
  readonly does: string;
  /** How a person reads the keys, where that is shorter than all of them. */
  readonly shown?: string;
}

/** The keys of one screen by what they do: the screen acts on them, and the map of keys shows them. */
export type KeyTable<Name extends string = string> = Readonly<Record<Name, KeyUse>>;

type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

/**
 * Which use of the table a press is; undefined for none. ⌘ counts as Ctrl, a press with Alt is the browser's. Shift counts
 * with Ctrl, and where the table has the key with Shift as well.
 */
export function useOfKey<Name extends string>(table: KeyTable<Name>, press: Pressed): Name | undefined {
  if (press.altKey) return undefined;
  const ctrl = press.ctrlKey || press.metaKey ? "Ctrl+" : "";
  const name = nameOf(press.key);
  const find = (keys: string) => (Object.keys(table) as Name[]).find((use) => table[use].keys.includes(keys));
  const withShift = press.shiftKey ? find(`${ctrl}Shift+${name}`) : undefined;
  return withShift ?? (press.shiftKey && ctrl !== "" ? undefined : find(`${ctrl}${name}`));
}

/** Keys as a person reads them: "Ctrl+K", "←, →". */
export const keysInWords = ({ keys, shown }: KeyUse): string => shown ?? keys.map(keyInWords).join(", ");

const nameOf = (key: string): string => (key === " " ? "Space" : key.length === 1 ? key.toUpperCase() : key);

const SIGNS: Readonly<Record<string, string>> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  PageUp: "Page Up",
  PageDown: "Page Down",
  Escape: "Esc",
};

const keyInWords = (keys: string): string => keys.replace(/[A-Za-z]+$/, (name) => SIGNS[name] ?? name);
