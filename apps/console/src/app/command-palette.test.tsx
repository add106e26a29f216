// @vitest-environment jsdom
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from "@tanstack/react-router";
import { act } from "react";
import { expect, test, vi } from "vitest";
import { CurrentUser } from "../auth/session.ts";
import { theme } from "../lib/theme.ts";
import { eventually, show, Surroundings, type } from "../testing/show.tsx";
import { CommandPalette } from "./command-palette.tsx";

async function palette(roles: readonly string[] = ["Admin"]) {
  vi.stubGlobal("scrollTo", () => undefined);
  Element.prototype.scrollIntoView = () => undefined;
  const onClose = vi.fn();
  const root = createRootRoute({
    component: () => (
      <CurrentUser value={{ id: "u1", name: "Ada", email: "", phone: "", roles }}>
        <CommandPalette onClose={onClose} />
        <Outlet />
      </CurrentUser>
    ),
  });
  const routes = ["/", "/workers", "/events/$eventId/stage"].map((path) =>
    createRoute({ getParentRoute: () => root, path, component: () => null }),
  );
  const router = createRouter({ routeTree: root.addChildren(routes), history: createMemoryHistory() });
  await router.load();
  // The test's own router is not the console's registered one.
  await show(
    <Surroundings roles={roles}>
      <RouterProvider router={router as never} />
    </Surroundings>,
  );
  await eventually(() => expect(document.querySelector("[role=combobox]")).not.toBeNull());
  return { onClose, router, field: document.querySelector<HTMLInputElement>("[role=combobox]")! };
}

const options = () => [...document.querySelectorAll("[role=option]")].map((option) => option.textContent);
const press = (on: Element, key: string) =>
  act(async () => void on.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })));

test("offers screens and actions, fewer with each letter", async () => {
  const { field } = await palette();
  expect(options()).toContain("WorkersScreen");
  await type(field, "theme li");
  await eventually(() => expect(options()).toEqual(["Theme: LightAction"]));
});

test("offers the audit log to those who may read it", async () => {
  await palette();
  expect(options()).toContain("Audit logScreen");
});

test("does not offer the audit log to a Director", async () => {
  await palette(["Director"]);
  expect(options()).not.toContain("Audit logScreen");
});

test("goes to what Enter chooses", async () => {
  const { field, router, onClose } = await palette();
  await type(field, "work");
  await eventually(() => expect(options()).toEqual(["WorkersScreen"]));
  await press(field, "Enter");
  await eventually(() => expect(router.state.location.pathname).toBe("/workers"));
  expect(onClose).toHaveBeenCalledOnce();
});

test("chooses with the arrow keys", async () => {
  const { field } = await palette();
  await type(field, "theme");
  await eventually(() => expect(options()).toHaveLength(3));
  await press(field, "ArrowDown");
  await press(field, "Enter");
  await eventually(() => expect(theme.get()).toBe("light"));
});

test("says when nothing fits", async () => {
  const { field } = await palette();
  await type(field, "zzz");
  await eventually(() => expect(document.body.textContent).toContain("Nothing matches your search."));
  expect(options()).toEqual([]);
});

test("offers the stage screen to those who run it", async () => {
  const { field, router } = await palette(["Director"]);
  await type(field, "stage");
  await eventually(() => expect(options()).toEqual(["Stage screenScreen"]));
  await press(field, "Enter");
  await eventually(() => expect(router.state.location.pathname).toBe("/events/default/stage"));
});

test("does not offer it to others", async () => {
  const { field } = await palette(["AI"]);
  await type(field, "stage");
  await eventually(() => expect(options()).toEqual([]));
});
