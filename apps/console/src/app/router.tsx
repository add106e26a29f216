import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from "@tanstack/react-router";
import { musicSearch } from "../music/music-search.ts";
import { docsSearch } from "../docs/docs-search.ts";
import { listSearch } from "../lib/list-search.ts";
import { SessionGate } from "./session-gate.tsx";
import { NotFound, ScreenError, ScreenPending, Shell } from "./shell.tsx";

const root = createRootRoute({
  component: () => (
    <SessionGate>
      <Outlet />
    </SessionGate>
  ),
  notFoundComponent: NotFound,
});

const shell = createRoute({ getParentRoute: () => root, id: "shell", component: Shell });

const dashboard = createRoute({
  getParentRoute: () => shell,
  path: "/",
  component: lazyRouteComponent(() => import("../dashboard/dashboard-page.tsx"), "DashboardPage"),
});

const users = createRoute({
  getParentRoute: () => shell,
  path: "/users",
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import("../user/users-page.tsx"), "UsersPage"),
});

const events = createRoute({
  getParentRoute: () => shell,
  path: "/events",
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import("../event/events-page.tsx"), "EventsPage"),
});

const talks = createRoute({
  getParentRoute: () => shell,
  path: "/events/$eventId/talks",
  component: lazyRouteComponent(() => import("../talk/talks-page.tsx"), "TalksPage"),
});

const music = createRoute({
  getParentRoute: () => shell,
  path: "/music",
  validateSearch: musicSearch,
  component: lazyRouteComponent(() => import("../music/music-page.tsx"), "MusicPage"),
});

const lights = createRoute({
  getParentRoute: () => shell,
  path: "/lights",
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import("../lights/lights-page.tsx"), "LightsPage"),
});

const workers = createRoute({
  getParentRoute: () => shell,
  path: "/workers",
  component: lazyRouteComponent(() => import("../workers/workers-page.tsx"), "WorkersPage"),
});

const docs = createRoute({
  getParentRoute: () => shell,
  path: "/docs",
  validateSearch: docsSearch,
  component: lazyRouteComponent(() => import("../docs/docs-page.tsx"), "DocsPage"),
});

/** Full screen, without the tab bar. */
const visualizer = createRoute({
  getParentRoute: () => root,
  path: "/music/$id/visualizer",
  component: lazyRouteComponent(() => import("./visualizer-screen.tsx"), "VisualizerScreen"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    shell.addChildren([dashboard, users, events, talks, music, lights, workers, docs]),
    visualizer,
  ]),
  basepath: "/admin",
  defaultPreload: "intent",
  defaultPendingComponent: ScreenPending,
  defaultErrorComponent: ScreenError,
  scrollRestoration: false,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
