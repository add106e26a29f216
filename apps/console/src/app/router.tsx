import { createRootRoute, createRoute, createRouter, Outlet } from "@tanstack/react-router";
import { calibrationSearch } from "../calibration/calibration-search.ts";
import { chatSearch } from "../chat/chat-search.ts";
import { docsSearch } from "../docs/docs-search.ts";
import { serverPath } from "../lib/base-path.ts";
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
import { SCREENS } from "./screens.ts";
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

const DashboardPage = lazyPart(SCREENS.dashboard.read, "DashboardPage", reloadIfServed);
const UsersPage = lazyPart(SCREENS.users.read, "UsersPage", reloadIfServed);
const EventsPage = lazyPart(SCREENS.events.read, "EventsPage", reloadIfServed);
const TalksPage = lazyPart(SCREENS.talks.read, "TalksPage", reloadIfServed);
const CheckInPage = lazyPart(SCREENS.checkIn.read, "CheckInPage", reloadIfServed);
const RegistrationsPage = lazyPart(SCREENS.registrations.read, "RegistrationsPage", reloadIfServed);
const DirectorPage = lazyPart(SCREENS.director.read, "DirectorPage", reloadIfServed);
const MusicPage = lazyPart(SCREENS.music.read, "MusicPage", reloadIfServed);
const PlaylistsPage = lazyPart(SCREENS.playlists.read, "PlaylistsPage", reloadIfServed);
const LightsPage = lazyPart(SCREENS.lights.read, "LightsPage", reloadIfServed);
const CalibrationPage = lazyPart(SCREENS.calibration.read, "CalibrationPage", reloadIfServed);
const WorkersPage = lazyPart(SCREENS.workers.read, "WorkersPage", reloadIfServed);
const AuditPage = lazyPart(SCREENS.audit.read, "AuditPage", reloadIfServed);
const ChatPage = lazyPart(SCREENS.chat.read, "ChatPage", reloadIfServed);
const TonightPage = lazyPart(SCREENS.tonight.read, "TonightPage", reloadIfServed);
const PreflightPage = lazyPart(SCREENS.preflight.read, "PreflightPage", reloadIfServed);
const ReportPage = lazyPart(SCREENS.report.read, "ReportPage", reloadIfServed);
const RehearsalPage = lazyPart(SCREENS.rehearsal.read, "RehearsalPage", reloadIfServed);
const DocsPage = lazyPart(SCREENS.docs.read, "DocsPage", reloadIfServed);
const DeskPage = lazyPart(SCREENS.desk.read, "DeskPage", reloadIfServed);
const CodesScreen = lazyPart(SCREENS.codes.read, "CodesScreen", reloadIfServed);
const SheetScreen = lazyPart(SCREENS.sheet.read, "SheetScreen", reloadIfServed);
const SetlistScreen = lazyPart(SCREENS.setlist.read, "SetlistScreen", reloadIfServed);
const VisualizerScreen = lazyPart(SCREENS.visualizer.read, "VisualizerScreen", reloadIfServed);

/** Screens that the shell preloads, so that a click needs no network. Docs is omitted: it is large and rarely read. */
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
/** Routes without the tab bar. */
const alone = { getParentRoute: () => root };

const dashboard = createRoute({ ...inShell, path: SCREENS.dashboard.path, component: DashboardPage });

const users = createRoute({ ...inShell, path: SCREENS.users.path, validateSearch: userSearch, component: UsersPage });

const events = createRoute({
  ...inShell,
  path: SCREENS.events.path,
  validateSearch: eventSearch,
  component: EventsPage,
});

const talks = createRoute({
  ...inShell,
  path: SCREENS.talks.path,
  validateSearch: talkSearch,
  component: TalksPage,
});

const checkIn = createRoute({ ...inShell, path: SCREENS.checkIn.path, component: CheckInPage });

const registrations = createRoute({
  ...inShell,
  path: SCREENS.registrations.path,
  component: RegistrationsPage,
});

const director = createRoute({ ...inShell, path: SCREENS.director.path, component: DirectorPage });

const report = createRoute({ ...inShell, path: SCREENS.report.path, component: ReportPage });

const music = createRoute({ ...inShell, path: SCREENS.music.path, validateSearch: musicSearch, component: MusicPage });

const playlists = createRoute({
  ...inShell,
  path: SCREENS.playlists.path,
  validateSearch: playlistSearch,
  component: PlaylistsPage,
});

const lights = createRoute({
  ...inShell,
  path: SCREENS.lights.path,
  validateSearch: listSearch,
  component: LightsPage,
});

const calibration = createRoute({
  ...inShell,
  path: SCREENS.calibration.path,
  validateSearch: calibrationSearch,
  component: CalibrationPage,
});

const workers = createRoute({
  ...inShell,
  path: SCREENS.workers.path,
  validateSearch: workersSearch,
  component: WorkersPage,
});

const chat = createRoute({ ...inShell, path: SCREENS.chat.path, validateSearch: chatSearch, component: ChatPage });

const desk = createRoute({ ...inShell, path: SCREENS.desk.path, component: DeskPage });

const tonight = createRoute({ ...inShell, path: SCREENS.tonight.path, component: TonightPage });

const preflight = createRoute({ ...inShell, path: SCREENS.preflight.path, component: PreflightPage });

const rehearsal = createRoute({
  ...inShell,
  path: SCREENS.rehearsal.path,
  validateSearch: rehearsalSearch,
  component: RehearsalPage,
});

const docs = createRoute({ ...inShell, path: SCREENS.docs.path, validateSearch: docsSearch, component: DocsPage });

const audit = createRoute({ ...inShell, path: SCREENS.audit.path, validateSearch: listSearch, component: AuditPage });

/** Any other address below /admin. */
const unknown = createRoute({ ...inShell, path: "$", component: NotFoundPage });

/** Full screen. */
const visualizer = createRoute({ ...alone, path: SCREENS.visualizer.path, component: VisualizerScreen });

/** The visualizer without a song ID in the address. */
const songless = createRoute({ ...alone, path: SCREENS.songless.path, component: VisualizerScreen });

/** Printable pages. */
const codes = createRoute({ ...alone, path: SCREENS.codes.path, component: CodesScreen });

const sheet = createRoute({ ...alone, path: SCREENS.sheet.path, component: SheetScreen });

const setlist = createRoute({ ...alone, path: SCREENS.setlist.path, component: SetlistScreen });

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
  basepath: serverPath("/admin"),
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
