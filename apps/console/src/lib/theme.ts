import { createStoredChoice } from "./stored-choice.ts";

export const THEMES = ["dark", "light", "system"] as const;
export type Theme = (typeof THEMES)[number];

export const theme = createStoredChoice<Theme>("followspot.theme", THEMES, "dark");
theme.subscribe(applyTheme);

export const chooseTheme = (next: Theme): void => theme.choose(next);

export function applyTheme(): void {
  document.documentElement.dataset["theme"] = theme.get();
}
