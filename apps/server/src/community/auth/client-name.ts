const BROWSERS = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;
const SYSTEMS = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["Windows", "Windows"],
  ["Mac OS", "macOS"],
  ["Linux", "Linux"],
] as const;
const MOST = 60;

/** Returns the browser and system of a user agent as shown in the list of sessions, such as "Firefox on Linux". */
export function clientName(userAgent: string): string {
  const find = (names: readonly (readonly [string, string])[]) => names.find(([mark]) => userAgent.includes(mark))?.[1];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  if (browser) return system ? `${browser} on ${system}` : browser;
  // Other programs name themselves first, as in "curl/8.5.0".
  return (/^[\w.-]+/.exec(userAgent)?.[0] ?? "").slice(0, MOST);
}
