/**
 * Paths of the screens below /admin, with the file that each is loaded from. The build lists them for the server
 * (`vite.config.ts`).
 */
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
