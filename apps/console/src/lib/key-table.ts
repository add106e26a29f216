/** A shortcut of a screen: one or more keys and their effect. */
export interface KeyUse {
  /**
   * Key names from `event.key`, with "Space" for " ", capital letters, and "Ctrl+" and "Shift+" in front:
   * "Ctrl+Shift+Z".
   */
  readonly keys: readonly string[];
  /** Description of the effect, for display. */
  readonly does: string;
  /** Display text for the keys, if it is shorter than their list. */
  readonly shown?: string;
}

/** Shortcuts of one screen by name. The screen acts on them, and the map of keys shows them. */
export type KeyTable<Name extends string = string> = Readonly<Record<Name, KeyUse>>;

type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

/**
 * Returns the name of the shortcut for a key press, or undefined. ⌘ counts as Ctrl; presses with Alt belong to the
 * browser. Shift is significant with Ctrl, and where the table also has the key with Shift.
 */
export function useOfKey<Name extends string>(table: KeyTable<Name>, press: Pressed): Name | undefined {
  if (press.altKey) return undefined;
  const ctrl = press.ctrlKey || press.metaKey ? "Ctrl+" : "";
  const name = nameOf(press.key);
  const find = (keys: string) => (Object.keys(table) as Name[]).find((use) => table[use].keys.includes(keys));
  const withShift = press.shiftKey ? find(`${ctrl}Shift+${name}`) : undefined;
  return withShift ?? (press.shiftKey && ctrl !== "" ? undefined : find(`${ctrl}${name}`));
}

/** Formats keys for display: "Ctrl+K", "←, →". */
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
