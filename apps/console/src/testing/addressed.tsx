import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
  type AnyRouter,
} from "@tanstack/react-router";
import type { ReactNode } from "react";

/** Renders a screen inside a router at an address. */
export function addressed(node: ReactNode, address = "/"): { readonly router: AnyRouter; readonly page: ReactNode } {
  const router = createRouter({
    routeTree: createRootRoute({ component: () => node, notFoundComponent: () => node }),
    history: createMemoryHistory({ initialEntries: [address] }),
  });
  return { router, page: <RouterProvider router={router as never} /> };
}
