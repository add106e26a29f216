// npm start / npm run dev: from a bare checkout to a running product.
import { join } from "node:path";
import { ensureConsole, ensureInstalled, node24, ROOT, run } from "./house.mjs";

const dev = process.argv.includes("--dev");
await ensureInstalled();
if (!dev) await ensureConsole();
process.exit(await run([node24(), join(ROOT, "apps/server/src/main.ts"), ...(dev ? ["--dev"] : [])]));
