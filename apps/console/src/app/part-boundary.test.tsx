// @vitest-environment jsdom
import { Suspense, type FunctionComponent } from "react";
import { expect, test, vi } from "vitest";
import { lazyPart } from "../lib/lazy-part.ts";
import { eventually, show } from "../testing/show.tsx";
import { PartBoundary } from "./part-boundary.tsx";

test("a screen opened offline reports it, and loads once there is a network", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const Screen = () => <p>Users</p>;
  const load = () =>
    navigator.onLine
      ? Promise.resolve<Record<"Screen", FunctionComponent<object>>>({ Screen })
      : Promise.reject(new TypeError("Failed to fetch"));
  const Part = lazyPart(load, "Screen");
  const place = await show(
    <PartBoundary>
      <Suspense fallback="Loading...">
        <Part />
      </Suspense>
    </PartBoundary>,
  );
  await eventually(() => expect(place.textContent).toContain("You are offline. This screen loads as soon as you are back.")); // prettier-ignore
  online.mockReturnValue(true);
  window.dispatchEvent(new Event("online"));
  await eventually(() => expect(place.textContent).toBe("Users"));
  vi.restoreAllMocks();
});
