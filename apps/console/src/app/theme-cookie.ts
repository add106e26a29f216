import { theme } from "../lib/theme.ts";

const YEAR_SECONDS = 31_536_000;

/** Tells the server the theme, now and when another is chosen: it writes it into the next page, painted before a script runs. */
export function tellTheme(): void {
  const tell = () =>
    void (document.cookie = `followspot_theme=${theme.get()}; path=/admin; max-age=${YEAR_SECONDS}; samesite=lax`);
  theme.subscribe(tell);
  tell();
}
