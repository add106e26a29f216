// Runs one of our entry points on Node 24: `node scripts/run.mjs [--console] [--server] FILE [arguments]`. What the options name
// is built first: the console for pages, the server's programs for what starts them.
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, node24, ROOT, run } from "./house.mjs";

const words = process.argv.slice(2);
await ensureInstalled();
while (words[0]?.startsWith("--")) await ensureBuilt(words.shift().slice(2));
const [file, ...args] = words;
process.exit(await run([node24(), join(ROOT, file), ...args], { cwd: process.env.INIT_CWD ?? process.cwd() }));
