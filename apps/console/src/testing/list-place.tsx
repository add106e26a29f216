import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
  type AnyRouter,
} from "@tanstack/react-router";
import { notifyManager } from "@tanstack/react-query";
import { act, type ReactNode } from "react";
import { vi } from "vitest";

// What queries tell their components is drawn before a test looks again.
notifyManager.setNotifyFunction((notify) => void act(() => notify()));

/** Rows of jsdom have no size: the tables of a test are this high and wide, in pixels. */
export const TABLE = { width: 1200, height: 720 };

/** Gives every element the size of {@link TABLE}, for tables that show only what is visible. */
export function giveSizes(size: { readonly width: number; readonly height: number } = TABLE): void {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe(): void {}
      unobserve(): void {}
      disconnect(): void {}
    },
  );
  for (const name of ["clientWidth", "offsetWidth"] as const)
    vi.spyOn(HTMLElement.prototype, name, "get").mockReturnValue(size.width);
  for (const name of ["clientHeight", "offsetHeight"] as const)
    vi.spyOn(HTMLElement.prototype, name, "get").mockReturnValue(size.height);
}

/** An address for a screen to stand at. */
export function addressed(node: ReactNode, address = "/"): { readonly router: AnyRouter; readonly page: ReactNode } {
  const router = createRouter({
    routeTree: createRootRoute({ component: () => node, notFoundComponent: () => node }),
    history: createMemoryHistory({ initialEntries: [address] }),
  });
  return { router, page: <RouterProvider router={router as never} /> };
}
