import type { NavigateOptions } from "@tanstack/react-router";

/** An item that was chosen in the command palette, with its address. */
export interface RecentChoice {
  readonly id: string;
  /** Kind of the item, for display. */
  readonly kind: string;
  readonly text: string;
  readonly goal: NavigateOptions;
}

const MOST = 6;
const keyOf = (userId: string) => `followspot.recent.${userId}`;

/** Returns this user's recent choices, newest first. Choices of other users of this browser are excluded. */
export function recentChoices(userId: string): readonly RecentChoice[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isChoice) : [];
  } catch {
    return []; // A private window, or an entry with another format.
  }
}

export function keepChoice(userId: string, { id, kind, text, goal }: RecentChoice): void {
  const others = recentChoices(userId).filter((each) => each.id !== id);
  try {
    localStorage.setItem(keyOf(userId), JSON.stringify([{ id, kind, text, goal }, ...others].slice(0, MOST)));
  } catch {
    // A private window: the choice is not stored.
  }
}

/** Deletes all choices, so that names of people and songs do not stay in the browser after sign-out. */
export function forgetChoices(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(keyOf(""))) localStorage.removeItem(key);
  } catch {
    // A private window: nothing was stored.
  }
}

const isChoice = (value: unknown): value is RecentChoice => {
  const { id, kind, text, goal } = (value ?? {}) as Partial<Record<keyof RecentChoice, unknown>>;
  return [id, kind, text].every((part) => typeof part === "string") && typeof goal === "object" && goal !== null;
};
