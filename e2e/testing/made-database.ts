import { MADE_DATABASE } from "./data-folder.ts";
import { openPool, POOL_URL } from "./product-pool.ts";
import { removeData, startProduct } from "./product.ts";

/**
 * Creates the database of a first start once for all tests, which saves each a third of the processor time of its start, and
 * opens the pool of shared products.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  // The runner's projects share both.
  if (process.env[POOL_URL]) return undefined;
  const pool = await openPool();
  process.env[POOL_URL] = pool.url;
  // Each test of an external database creates its own.
  if (process.env["TEST_OUTSIDE"] === "1") return pool.close;
  const product = await startProduct({ fresh: true });
  await product.stop();
  process.env[MADE_DATABASE] = product.dataDir;
  return async () => {
    await pool.close();
    await removeData(product.dataDir);
  };
}
