// npm start / npm run dev: from a bare checkout to a running product. `npm start -- --demo` runs a night to look around in,
// `npm run venue -- --server … --token …` the box of a venue, `npm start -- --community FILE` another community.
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, node24, ROOT, run } from "./house.mjs";

const dev = process.argv.includes("--dev");
await ensureInstalled();
if (!dev) {
  await ensureBuilt("console");
  await ensureBuilt("server");
}
const isVenue = process.argv.includes("--venue");
const isCommunity = process.argv.includes("--community");
const passedOn = process.argv
  .slice(2)
  .filter((word) => isVenue || isCommunity || ["--dev", "--demo", "--https"].includes(word));
process.exit(await run([node24(), join(ROOT, "apps/server", dev ? "src/main.ts" : "dist/main.js"), ...passedOn]));
