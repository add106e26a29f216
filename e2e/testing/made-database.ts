import { MADE_DATABASE } from "./data-folder.ts";
import { openPool, POOL_URL } from "./product-pool.ts";
import { removeData, startProduct } from "./product.ts";

/**
 * Makes the database of a first start once for all journeys: each would take a third of the processor time of its start for it.
 * Opens the pool of products that journeys share.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  // The runner's projects share both.
  if (process.env[POOL_URL]) return undefined;
  const pool = await openPool();
  process.env[POOL_URL] = pool.url;
  // A database outside is made by its own journey.
  if (process.env["TEST_OUTSIDE"] === "1") return pool.close;
  const product = await startProduct({ fresh: true });
  await product.stop();
  process.env[MADE_DATABASE] = product.dataDir;
  return async () => {
    await pool.close();
    await removeData(product.dataDir);
  };
}
