// npm run build: installs what package-lock.json says and builds the console, without starting anything; for a place that is
// prepared once and may not be written to afterwards.
import { ensureConsole, ensureInstalled } from "./house.mjs";

await ensureInstalled();
await ensureConsole();
