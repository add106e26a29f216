/** Paths of the screens below /admin, and the file each of them is read from. */
export const SCREENS = {
  dashboard: { path: "/", read: () => import("../dashboard/dashboard-page.tsx") },
  users: { path: "/users", read: () => import("../user/users-page.tsx") },
  events: { path: "/events", read: () => import("../event/events-page.tsx") },
  talks: { path: "/events/$eventId/talks", read: () => import("../talk/talks-page.tsx") },
  checkIn: { path: "/events/$eventId/check-in", read: () => import("../event/check-in/check-in-page.tsx") },
  registrations: {
    path: "/events/$eventId/registrations",
    read: () => import("../event/registrations/registrations-page.tsx"),
  },
  director: { path: "/events/$eventId/stage", read: () => import("../director/director-page.tsx") },
  music: { path: "/music", read: () => import("../music/music-page.tsx") },
  playlists: { path: "/music/playlists", read: () => import("../music/playlists/playlists-page.tsx") },
  lights: { path: "/lights", read: () => import("../lights/lights-page.tsx") },
  calibration: { path: "/lights/calibration", read: () => import("../calibration/calibration-page.tsx") },
  workers: { path: "/workers", read: () => import("../workers/workers-page.tsx") },
  audit: { path: "/log", read: () => import("../audit/audit-page.tsx") },
  chat: { path: "/chat", read: () => import("../chat/chat-page.tsx") },
  tonight: { path: "/tonight", read: () => import("../tonight/tonight-page.tsx") },
  preflight: { path: "/preflight", read: () => import("../preflight/preflight-page.tsx") },
  report: { path: "/events/$eventId/report", read: () => import("../night/report-page.tsx") },
  rehearsal: { path: "/rehearsal", read: () => import("../night/rehearsal-page.tsx") },
  docs: { path: "/docs", read: () => import("../docs/docs-page.tsx") },
  desk: { path: "/desk", read: () => import("../desk/desk-page.tsx") },
  codes: { path: "/events/$eventId/codes", read: () => import("./codes-screen.tsx") },
  sheet: { path: "/lights/sheet", read: () => import("./print-screens.tsx") },
  setlist: { path: "/music/playlists/$playlistId/setlist", read: () => import("./print-screens.tsx") },
  visualizer: { path: "/music/$id/visualizer", read: () => import("./visualizer-screen.tsx") },
  songless: { path: "/music/visualizer", read: () => import("./visualizer-screen.tsx") },
} as const;

/** Starts to read the file of the screen at an address, before there is a router to ask. */
export function readScreen(pathname: string): void {
  const name = screenAt(pathname);
  // What does not come ahead of time is asked for again when it is shown.
  if (name) SCREENS[name].read().catch(() => undefined);
}

/** The screen at an address such as "/admin/users"; undefined when there is none. */
export function screenAt(pathname: string): keyof typeof SCREENS | undefined {
  const [, ...segments] = segmentsOf(pathname); // without "admin"
  const names = Object.keys(SCREENS) as (keyof typeof SCREENS)[];
  return names.find((name) => isAt(segments, segmentsOf(SCREENS[name].path)));
}

const segmentsOf = (path: string) => path.split("/").filter((segment) => segment !== "");

/** @param path its segments that begin with "$" stand for any */
const isAt = (segments: readonly string[], path: readonly string[]) =>
  segments.length === path.length && path.every((part, at) => part.startsWith("$") || part === segments[at]);
