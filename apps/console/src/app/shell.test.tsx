// @vitest-environment jsdom
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { expect, test, vi } from "vitest";
import { UNREACHABLE } from "../lib/errors.ts";
import { lazyPart } from "../lib/lazy-part.ts";
import { eventually, press, show, Surroundings } from "../testing/show.tsx";
import { NotFoundPage } from "./not-found-page.tsx";
import { forgetMissing, ScreenError } from "./part-boundary.tsx";
import { Shell } from "./shell.tsx";

/** Callbacks of the resize observers. */
let sizes: (() => void)[];
class Sizes {
  constructor(tell: () => void) {
    sizes.push(tell);
  }
  observe() {}
  disconnect() {}
}

/** Renders the console at an address, with one screen that loads only while the server is reachable. */
async function consoleAt(address: string) {
  const server = { isThere: true };
  vi.stubGlobal("scrollTo", () => undefined);
  sizes = [];
  vi.stubGlobal("ResizeObserver", Sizes);
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const Users = lazyPart(async () => {
    if (!server.isThere) throw new TypeError(UNREACHABLE);
    return { Users: () => <main>All users</main> };
  }, "Users");
  const root = createRootRoute();
  const shell = createRoute({ getParentRoute: () => root, id: "shell", component: () => <Shell screens={[]} /> });
  const routes = [
    createRoute({ getParentRoute: () => shell, path: "/", component: () => <main>Dashboard</main> }),
    createRoute({ getParentRoute: () => shell, path: "/users", component: Users }),
    createRoute({ getParentRoute: () => shell, path: "$", component: NotFoundPage }),
  ];
  const router = createRouter({
    routeTree: root.addChildren([shell.addChildren(routes)]),
    history: createMemoryHistory({ initialEntries: [address] }),
    defaultErrorComponent: ScreenError,
    defaultOnCatch: forgetMissing,
  });
  await router.load();
  const place = await show(
    <Surroundings>
      {/* The test's own router is not the console's registered one. */}
      <RouterProvider router={router as never} />
    </Surroundings>,
  );
  await eventually(() => expect(place.querySelector("main")).not.toBeNull());
  return { place, server, go: (to: string) => router.navigate({ to: to as never }) };
}

const tabs = (place: HTMLElement) => [...place.querySelectorAll("nav a")].map(({ textContent }) => textContent);

// kept: Console | Without a network a click on a tab ended in the browser's error page | also
test("keeps the tabs while a screen's file cannot be loaded, and shows the screen once it loads", async () => {
  const { place, server, go } = await consoleAt("/");
  await eventually(() => expect(place.textContent).toContain("Dashboard"));
  server.isThere = false;
  await go("/users");
  await eventually(() => expect(place.textContent).toContain("This screen could not be loaded"));
  expect(tabs(place)).toEqual(["Followspot", "Users", "Events", "Music", "Lights", "Workers", "Docs"]);
  await go("/");
  await eventually(() => expect(place.textContent).toContain("Dashboard"));
  await go("/users");
  await eventually(() => expect(place.textContent).toContain("This screen could not be loaded"));
  server.isThere = true;
  await press("Retry");
  await eventually(() => expect(place.textContent).toContain("All users"));
});

// kept: Console | An unknown address was JSON, or a page without the console around it | also
test("shows an unknown address inside the shell, with its own title", async () => {
  const { place } = await consoleAt("/nowhere");
  await eventually(() => expect(place.textContent).toContain("This page does not exist."));
  expect(tabs(place)).toContain("Music");
  expect(document.title).toBe("Page not found · Followspot");
});

test("keeps the open tab in view when content beside the tabs takes space", async () => {
  const { place } = await consoleAt("/users");
  const bar = place.querySelector("nav")!;
  const open = place.querySelector("[aria-current=page]")!;
  Object.defineProperty(bar, "clientWidth", { value: 100 });
  Object.defineProperties(open, { offsetLeft: { value: 200 }, offsetWidth: { value: 50 } });
  sizes.forEach((tell) => tell());
  expect(bar.scrollLeft).toBe(175);
});

// kept: Console | The skip link could not be reached | failed with the fault put back
test("the skip link is the first focusable element", async () => {
  const { place } = await consoleAt("/users");
  expect(place.querySelector("a, button, input, [tabindex]")?.textContent).toBe("Skip to content");
});

test("marks the tab of the current screen; the dashboard's only at its exact address", async () => {
  const { place, go } = await consoleAt("/");
  const marked = () => [...place.querySelectorAll("nav a[aria-current=page]")].map(({ textContent }) => textContent);
  expect(marked()).toEqual(["Followspot"]);
  await go("/users");
  await eventually(() => expect(marked()).toEqual(["Users"]));
});
