import { serverPath } from "../lib/base-path.ts";
import { theme } from "../lib/theme.ts";

const YEAR_SECONDS = 31_536_000;

/**
 * Stores the theme in a cookie, now and at each change. The server writes it into the next page, which is painted
 * before any script runs.
 */
export function tellTheme(): void {
  const tell = () =>
    void (document.cookie = `followspot_theme=${theme.get()}; path=${serverPath("/admin")}; max-age=${YEAR_SECONDS}; samesite=lax`);
  theme.subscribe(tell);
  tell();
}
