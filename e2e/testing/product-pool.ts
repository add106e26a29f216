import { createWriteStream } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserServer } from "playwright-core";
import { freePort } from "../../apps/server/src/operations/supervisor/processes.ts";
import { launchBrowser } from "./browser.ts";
import { removeData, startProduct, type Product } from "./product.ts";
import { resetProduct, takeSnapshot } from "./reset-product.ts";

/** Environment variable with the address of the pool. */
export const POOL_URL = "TEST_PRODUCT_POOL";
/** Where `/` of a shared product leads. */
export const PUBLIC_SITE = "https://community.example/";

/** A product of the pool, as a journey receives it. */
export interface PooledProduct {
  readonly url: string;
  readonly dataDir: string;
  readonly token: string;
  readonly ownerLink: string | undefined;
  /** File with everything the product has printed since it started. */
  readonly log: string;
  /** Origin of another site that the product allows. */
  readonly allowedOrigin: string;
  /** Port on loopback where the product searches for Art-Net nodes. */
  readonly nodePort: number;
}

/** With `npm test -- --outside` the tables of a product are not its own to restore: each journey gets a new product. */
const isOutside = process.env["TEST_OUTSIDE"] === "1";

interface Entry {
  readonly product: Product;
  readonly pooled: PooledProduct;
}

/**
 * Starts one product and one browser per test worker when the worker first asks for them, and owns them until the run ends:
 * worker processes end with each file. A product is reset each time it is handed out; one that cannot be reset is replaced.
 *
 * @returns the pool's address, and a function that stops everything
 */
export async function openPool(): Promise<{ url: string; close: () => Promise<void> }> {
  const products = new Map<string, Promise<Entry>>();
  const browsers = new Map<string, Promise<BrowserServer>>();

  /** Handles one request per worker at a time: a test that failed early may have left one pending. */
  const productOf = async (worker: string): Promise<PooledProduct> => {
    const next = resetOrStarted(products.get(worker));
    products.set(worker, next);
    return (await next).pooled;
  };
  const resetOrStarted = async (before: Promise<Entry> | undefined): Promise<Entry> => {
    const entry = await before?.catch(() => undefined);
    if (entry && (await isReset(entry.product))) return entry;
    if (entry) await end(entry);
    return start();
  };
  const browserOf = async (worker: string): Promise<string> => {
    if (!browsers.has(worker)) browsers.set(worker, launchBrowser());
    return (await browsers.get(worker)!).wsEndpoint(); // set above
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const [, what, worker = ""] = request.url!.split("/"); // a request to a server has a URL
    try {
      const found = what === "product" ? await productOf(worker) : await browserOf(worker);
      response.end(JSON.stringify(found));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));

  // A run that is ended by a signal does not close its pool.
  const children: Product[] = [];
  const endChildren = () => children.forEach(({ process: child }) => child.kill("SIGTERM"));
  process.once("exit", endChildren);

  async function start(): Promise<Entry> {
    const [allowedOrigin, nodePort] = [`http://127.0.0.1:${await freePort()}`, await freePort()];
    const product = await startProduct({
      env: {
        // Without a downloader every link fails, and with a reason.
        FOLLOWSPOT_YTDLP_RELEASES: "off",
        FOLLOWSPOT_PUBLIC_SITE: PUBLIC_SITE,
        FOLLOWSPOT_ALLOWED_ORIGINS: allowedOrigin,
        FOLLOWSPOT_SEARCH_ADDRESSES: `127.0.0.1:${nodePort}`,
      },
    });
    children.push(product);
    const log = join(product.dataDir, "printed.log");
    const file = createWriteStream(log);
    for (const stream of [product.process.stdout, product.process.stderr]) stream?.pipe(file, { end: false });
    const token = await product.token();
    if (!isOutside) await takeSnapshot(product);
    const { url, dataDir, ownerLink } = product;
    return { product, pooled: { url, dataDir, ownerLink, token, log, allowedOrigin, nodePort } };
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // a TCP server's address is never a string
    close: async () => {
      server.close();
      for (const browser of await Promise.allSettled(browsers.values()))
        if (browser.status === "fulfilled") await browser.value.close();
      const entries = await Promise.allSettled(products.values());
      await Promise.all(entries.map((entry) => entry.status === "fulfilled" && end(entry.value)));
      process.off("exit", endChildren);
    },
  };
}

/** Maximum duration of a reset, ms: a longer one is blocked by a process that hangs. */
const RESET_MS = 60_000;
/** PostgreSQL's codes for a deadlock and a lock that was not free in time: the product still finishes its last journey's work. */
const LOCK_CONFLICTS = ["40P01", "55P03"];

async function isReset(product: Product, triesLeft = 2): Promise<boolean> {
  if (isOutside) return false;
  try {
    const limit = sleep(RESET_MS, undefined, { ref: false }).then(() => Promise.reject(new Error("it hangs")));
    await Promise.race([resetProduct(product), limit]);
    return true;
  } catch (error) {
    if (triesLeft > 0 && LOCK_CONFLICTS.includes((error as { code?: string }).code ?? ""))
      return isReset(product, triesLeft - 1);
    process.stderr.write(`A shared product is replaced: ${String(error)}\n`);
    return false;
  }
}

async function end({ product }: Entry): Promise<void> {
  await product.stop();
  await removeData(product.dataDir);
}
