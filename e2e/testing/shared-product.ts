import { readFileSync, statSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";
import { patient } from "./browser.ts";
import { POOL_URL, type PooledProduct } from "./product-pool.ts";
import { serverAt, type RunningProduct } from "./product.ts";

/** A product that other journeys of this worker have used, reset to its first start. */
export interface SharedProduct extends RunningProduct {
  /** Origin of another site that the product allows. */
  readonly allowedOrigin: string;
  /** Port on loopback where the product searches for Art-Net nodes. */
  readonly nodePort: number;
}

/**
 * Resets the worker's product and returns it; the first call starts it. For journeys that neither stop nor kill any of its
 * processes and need no settings of their own.
 */
export async function sharedProduct(): Promise<SharedProduct> {
  const { token, log, ...pooled } = (await ask("product")) as PooledProduct;
  const before = statSync(log).size;
  return {
    ...serverAt(pooled.url, () => Promise.resolve(token)),
    ...pooled,
    output: () => readFileSync(log).subarray(before).toString(),
  };
}

/** Connects to the worker's browser. Closing the connection closes the contexts that it opened. */
export async function sharedBrowser(): Promise<Browser> {
  return patient(await chromium.connect((await ask("browser")) as string));
}

async function ask(what: "product" | "browser"): Promise<unknown> {
  const answer = await fetch(`${process.env[POOL_URL]}/${what}/${process.env["VITEST_POOL_ID"]}`);
  if (!answer.ok) throw new Error(`no ${what}: ${await answer.text()}`);
  return answer.json();
}
