import type { BrowserContext, Page } from "playwright-core";

/**
 * Has a page ask each reading by a request of its own, as it does with a server that knows no calls together: a test that holds
 * back or answers one method finds it by its address.
 */
export const askAlone = (where: Page | BrowserContext): Promise<unknown> =>
  where.route("**/api/calls", (route) => route.fulfill({ status: 404, body: "" }));
