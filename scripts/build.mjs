// npm run build: installs what package-lock.json says and builds console and server, without starting anything; for a place that
// is prepared once and may not be written to afterwards.
import { readOptions } from "../apps/server/src/platform/process/program-options.mjs";
import { ensureBuilt, ensureInstalled } from "./house.mjs";

readOptions("build");
await ensureInstalled();
await ensureBuilt("console");
await ensureBuilt("server");
