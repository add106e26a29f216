import type { NavigateOptions } from "@tanstack/react-router";

/** Something that was chosen in the palette, and where it is. */
export interface RecentChoice {
  readonly id: string;
  /** What it is, for a person. */
  readonly kind: string;
  readonly text: string;
  readonly goal: NavigateOptions;
}

const MOST = 6;
const keyOf = (userId: string) => `followspot.recent.${userId}`;

/** The newest first; what another person chose in this browser is left out. */
export function recentChoices(userId: string): readonly RecentChoice[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isChoice) : [];
  } catch {
    return []; // private window, or no list of ours
  }
}

export function keepChoice(userId: string, { id, kind, text, goal }: RecentChoice): void {
  const others = recentChoices(userId).filter((each) => each.id !== id);
  try {
    localStorage.setItem(keyOf(userId), JSON.stringify([{ id, kind, text, goal }, ...others].slice(0, MOST)));
  } catch {
    // private window: nothing is remembered
  }
}

/** Names of people and songs do not stay in a browser after sign-out. */
export function forgetChoices(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(keyOf(""))) localStorage.removeItem(key);
  } catch {
    // private window: nothing was remembered
  }
}

const isChoice = (value: unknown): value is RecentChoice => {
  const { id, kind, text, goal } = (value ?? {}) as Partial<Record<keyof RecentChoice, unknown>>;
  return [id, kind, text].every((part) => typeof part === "string") && typeof goal === "object" && goal !== null;
};
