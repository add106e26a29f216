// @vitest-environment jsdom
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { expect, test, vi } from "vitest";
import { eventually, press, show } from "../testing/show.tsx";
import { Toasts } from "../ui/toast.tsx";
import { DocsPage } from "./docs-page.tsx";
import { docsSearch } from "./docs-search.ts";

async function docs(address: string): Promise<HTMLElement> {
  vi.stubGlobal("scrollTo", () => undefined);
  const root = createRootRoute();
  const shell = createRoute({ getParentRoute: () => root, id: "shell" });
  const page = createRoute({
    getParentRoute: () => shell,
    path: "/docs",
    component: DocsPage,
    validateSearch: docsSearch,
  });
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createRouter({ routeTree: root.addChildren([shell.addChildren([page])]), history });
  await router.load();
  // The test's own router is not the console's registered one.
  const place = await show(
    <>
      <RouterProvider router={router as never} />
      <Toasts />
    </>,
  );
  await eventually(() => expect(place.querySelector("h1")?.textContent).toBe("Docs"));
  return place;
}

test("states that the API uses a bearer token", async () => {
  expect((await docs("/docs")).textContent).toContain("The API uses a bearer token");
});

test("shows the methods that match, with path, messages and access", async () => {
  const place = await docs("/docs?q=RetrySong");
  const card = place.querySelector("details")?.textContent;
  for (const part of ["POST", "/followspot.music.v1.MusicService/RetrySong", "RetrySongResponse", "Access: Admin"]) {
    expect(card).toContain(part);
  }
});

test("says so when nothing matches", async () => {
  expect((await docs("/docs?q=zzz")).textContent).toContain("No services found matching your search.");
});

test("opens the card its address names", async () => {
  window.location.hash = "#followspot.music.v1.MusicService.RetrySong";
  const place = await docs("/docs?q=RetrySong");
  expect(place.querySelector("details")?.open).toBe(true);
  window.location.hash = "";
});

test("says why it cannot copy where the browser gives pages no clipboard", async () => {
  await docs("/docs?q=RetrySong");
  await press("Copy as curl");
  await eventually(() => expect(document.body.textContent).toContain("over https or on localhost only"));
});

test("documents all sockets", async () => {
  const text = (await docs("/docs?tab=websocket")).textContent;
  for (const part of [
    "/ws/events",
    "ClientHello",
    "heartbeat_sec",
    "4401",
    "/lights/playback/{id}",
    "prepare_playback",
    "/lights/desk",
    "taken",
  ])
    expect(text).toContain(part);
});
