import type { BrowserContext, Page } from "playwright-core";

/**
 * Makes a page send each read as its own request, as with a server without batched calls, so that a test can intercept
 * one method by its address.
 */
export const askAlone = (where: Page | BrowserContext): Promise<unknown> =>
  where.route("**/api/calls", (route) => route.fulfill({ status: 404, body: "" }));
