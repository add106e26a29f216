// npm start / npm run dev / npm run venue: from a bare checkout to a running product. Their options: program-options.mjs.
import { join } from "node:path";
import { readOptions } from "../apps/server/src/platform/process/program-options.mjs";
import { ensureBuilt, ensureInstalled, node24, ROOT, run } from "./house.mjs";

/** The first argument, from package.json, names the program unless it is `npm start`. */
const args = process.argv.slice(2);
const program = { "--dev": "dev", "--venue": "venue" }[args[0]] ?? "start";
// Before anything is installed or built: a wrong command line costs no minutes.
readOptions(program, program === "start" ? args : args.slice(1));
const isDev = program === "dev";
await ensureInstalled();
if (!isDev) {
  await ensureBuilt("console");
  await ensureBuilt("server");
}
process.exit(await run([node24(), join(ROOT, "apps/server", isDev ? "src/main.ts" : "dist/main.js"), ...args]));
