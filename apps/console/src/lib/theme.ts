import { createStore } from "./store.ts";

export const THEMES = ["dark", "light", "system"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "followspot.theme";

export const theme = createStore<Theme>(remembered());

export function chooseTheme(next: Theme): void {
  theme.set(next);
  applyTheme();
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // private window: the choice lasts as long as the page
  }
}

export function applyTheme(): void {
  document.documentElement.dataset["theme"] = theme.get();
}

function remembered(): Theme {
  try {
    const kept = localStorage.getItem(KEY);
    return THEMES.find((each) => each === kept) ?? "dark";
  } catch {
    return "dark";
  }
}
