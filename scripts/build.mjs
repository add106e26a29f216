// npm run build: installs what package-lock.json says and builds console and server, without starting anything; for a place that
// is prepared once and may not be written to afterwards.
import { ensureBuilt, ensureInstalled } from "./house.mjs";

await ensureInstalled();
await ensureBuilt("console");
await ensureBuilt("server");
