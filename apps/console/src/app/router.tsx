import { createRootRoute, createRoute, createRouter, Outlet } from "@tanstack/react-router";
import { calibrationSearch } from "../calibration/calibration-search.ts";
import { chatSearch } from "../chat/chat-search.ts";
import { docsSearch } from "../docs/docs-search.ts";
import { lazyPart } from "../lib/lazy-part.ts";
import { listSearch } from "../lib/list-search.ts";
import { reloadIfServed } from "../lib/reload-page.ts";
import { eventSearch } from "../event/event-search.ts";
import { talkSearch } from "../talk/talk-search.ts";
import { playlistSearch } from "../music/playlists/playlist-search.ts";
import { musicSearch } from "../music/music-search.ts";
import { rehearsalSearch } from "../night/rehearsal-search.ts";
import { userSearch } from "../user/user-search.ts";
import { workersSearch } from "../workers/workers-search.ts";
import { NotFoundPage } from "./not-found-page.tsx";
import { forgetMissing, ScreenError } from "./part-boundary.tsx";
import { SessionGate } from "./session-gate.tsx";
import { Overlays } from "./overlays.tsx";
import { ScreenPending, Shell } from "./shell.tsx";

const root = createRootRoute({
  component: () => (
    <SessionGate>
      <Outlet />
      <Overlays />
    </SessionGate>
  ),
});

const shell = createRoute({ getParentRoute: () => root, id: "shell", component: () => <Shell screens={screens} /> });

const DashboardPage = lazyPart(() => import("../dashboard/dashboard-page.tsx"), "DashboardPage", reloadIfServed);
const UsersPage = lazyPart(() => import("../user/users-page.tsx"), "UsersPage", reloadIfServed);
const EventsPage = lazyPart(() => import("../event/events-page.tsx"), "EventsPage", reloadIfServed);
const TalksPage = lazyPart(() => import("../talk/talks-page.tsx"), "TalksPage", reloadIfServed);
const CheckInPage = lazyPart(() => import("../event/check-in/check-in-page.tsx"), "CheckInPage", reloadIfServed);
const RegistrationsPage = lazyPart(
  () => import("../event/registrations/registrations-page.tsx"),
  "RegistrationsPage",
  reloadIfServed,
);
const DirectorPage = lazyPart(() => import("../director/director-page.tsx"), "DirectorPage", reloadIfServed);
const MusicPage = lazyPart(() => import("../music/music-page.tsx"), "MusicPage", reloadIfServed);
const PlaylistsPage = lazyPart(() => import("../music/playlists/playlists-page.tsx"), "PlaylistsPage", reloadIfServed);
const LightsPage = lazyPart(() => import("../lights/lights-page.tsx"), "LightsPage", reloadIfServed);
const CalibrationPage = lazyPart(
  () => import("../calibration/calibration-page.tsx"),
  "CalibrationPage",
  reloadIfServed,
);
const WorkersPage = lazyPart(() => import("../workers/workers-page.tsx"), "WorkersPage", reloadIfServed);
const AuditPage = lazyPart(() => import("../audit/audit-page.tsx"), "AuditPage", reloadIfServed);
const ChatPage = lazyPart(() => import("../chat/chat-page.tsx"), "ChatPage", reloadIfServed);
const TonightPage = lazyPart(() => import("../tonight/tonight-page.tsx"), "TonightPage", reloadIfServed);
const PreflightPage = lazyPart(() => import("../preflight/preflight-page.tsx"), "PreflightPage", reloadIfServed);
const ReportPage = lazyPart(() => import("../night/report-page.tsx"), "ReportPage", reloadIfServed);
const RehearsalPage = lazyPart(() => import("../night/rehearsal-page.tsx"), "RehearsalPage", reloadIfServed);
const DocsPage = lazyPart(() => import("../docs/docs-page.tsx"), "DocsPage", reloadIfServed);
const DeskPage = lazyPart(() => import("../desk/desk-page.tsx"), "DeskPage", reloadIfServed);
const CodesScreen = lazyPart(() => import("./codes-screen.tsx"), "CodesScreen", reloadIfServed);
const SheetScreen = lazyPart(() => import("./print-screens.tsx"), "SheetScreen", reloadIfServed);
const SetlistScreen = lazyPart(() => import("./print-screens.tsx"), "SetlistScreen", reloadIfServed);
const VisualizerScreen = lazyPart(() => import("./visualizer-screen.tsx"), "VisualizerScreen", reloadIfServed);

/** What the shell reads ahead, so that a click needs no network; Docs is long, and read by few. */
const screens = [
  DashboardPage,
  UsersPage,
  EventsPage,
  TalksPage,
  CheckInPage,
  DirectorPage,
  MusicPage,
  LightsPage,
  DeskPage,
  WorkersPage,
];

const inShell = { getParentRoute: () => shell };
/** Without the tab bar. */
const alone = { getParentRoute: () => root };

const dashboard = createRoute({ ...inShell, path: "/", component: DashboardPage });

const users = createRoute({ ...inShell, path: "/users", validateSearch: userSearch, component: UsersPage });

const events = createRoute({ ...inShell, path: "/events", validateSearch: eventSearch, component: EventsPage });

const talks = createRoute({
  ...inShell,
  path: "/events/$eventId/talks",
  validateSearch: talkSearch,
  component: TalksPage,
});

const checkIn = createRoute({ ...inShell, path: "/events/$eventId/check-in", component: CheckInPage });

const registrations = createRoute({
  ...inShell,
  path: "/events/$eventId/registrations",
  component: RegistrationsPage,
});

const director = createRoute({ ...inShell, path: "/events/$eventId/stage", component: DirectorPage });

const report = createRoute({ ...inShell, path: "/events/$eventId/report", component: ReportPage });

const music = createRoute({ ...inShell, path: "/music", validateSearch: musicSearch, component: MusicPage });

const playlists = createRoute({
  ...inShell,
  path: "/music/playlists",
  validateSearch: playlistSearch,
  component: PlaylistsPage,
});

const lights = createRoute({ ...inShell, path: "/lights", validateSearch: listSearch, component: LightsPage });

const calibration = createRoute({
  ...inShell,
  path: "/lights/calibration",
  validateSearch: calibrationSearch,
  component: CalibrationPage,
});

const workers = createRoute({ ...inShell, path: "/workers", validateSearch: workersSearch, component: WorkersPage });

const chat = createRoute({ ...inShell, path: "/chat", validateSearch: chatSearch, component: ChatPage });

const desk = createRoute({ ...inShell, path: "/desk", component: DeskPage });

const tonight = createRoute({ ...inShell, path: "/tonight", component: TonightPage });

const preflight = createRoute({ ...inShell, path: "/preflight", component: PreflightPage });

const rehearsal = createRoute({
  ...inShell,
  path: "/rehearsal",
  validateSearch: rehearsalSearch,
  component: RehearsalPage,
});

const docs = createRoute({ ...inShell, path: "/docs", validateSearch: docsSearch, component: DocsPage });

const audit = createRoute({ ...inShell, path: "/log", validateSearch: listSearch, component: AuditPage });

/** Whatever else somebody types below /admin. */
const unknown = createRoute({ ...inShell, path: "$", component: NotFoundPage });

/** Full screen. */
const visualizer = createRoute({ ...alone, path: "/music/$id/visualizer", component: VisualizerScreen });

/** The same without a song: an address with its id cut out. */
const songless = createRoute({ ...alone, path: "/music/visualizer", component: VisualizerScreen });

/** Sheets for the printer. */
const codes = createRoute({ ...alone, path: "/events/$eventId/codes", component: CodesScreen });

const sheet = createRoute({ ...alone, path: "/lights/sheet", component: SheetScreen });

const setlist = createRoute({ ...alone, path: "/music/playlists/$playlistId/setlist", component: SetlistScreen });

export const router = createRouter({
  routeTree: root.addChildren([
    shell.addChildren([
      dashboard,
      users,
      events,
      talks,
      checkIn,
      registrations,
      director,
      report,
      music,
      playlists,
      lights,
      calibration,
      workers,
      docs,
      audit,
      chat,
      desk,
      tonight,
      preflight,
      rehearsal,
      unknown,
    ]),
    visualizer,
    songless,
    codes,
    sheet,
    setlist,
  ]),
  basepath: "/admin",
  defaultPreload: "intent",
  defaultPendingComponent: ScreenPending,
  defaultErrorComponent: ScreenError,
  defaultOnCatch: forgetMissing,
  scrollRestoration: false,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
