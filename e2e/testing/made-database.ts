import { MADE_DATABASE } from "./data-folder.ts";
import { removeData, startProduct } from "./product.ts";

/**
 * Makes the database of a first start once for all journeys: each would take a third of the processor time of its start for it.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  // The runner's projects share it; a database outside is made by its own journey.
  if (process.env[MADE_DATABASE] || process.env["TEST_OUTSIDE"] === "1") return undefined;
  const product = await startProduct({ fresh: true });
  await product.stop();
  process.env[MADE_DATABASE] = product.dataDir;
  return () => removeData(product.dataDir);
}
