// Runs one of our TypeScript entry points on Node 24: `node scripts/run.mjs FILE [arguments]`.
import { join } from "node:path";
import { ensureInstalled, node24, ROOT, run } from "./house.mjs";

const [file, ...args] = process.argv.slice(2);
await ensureInstalled();
process.exit(await run([node24(), join(ROOT, file), ...args], { cwd: process.env.INIT_CWD ?? process.cwd() }));
