// Runs one of our TypeScript entry points on Node 24: `node scripts/run.mjs [--console] FILE [arguments]`. With --console the
// console is built first, for what opens its pages.
import { join } from "node:path";
import { ensureConsole, ensureInstalled, node24, ROOT, run } from "./house.mjs";

const words = process.argv.slice(2);
const needsConsole = words[0] === "--console";
const [file, ...args] = needsConsole ? words.slice(1) : words;
await ensureInstalled();
if (needsConsole) await ensureConsole();
process.exit(await run([node24(), join(ROOT, file), ...args], { cwd: process.env.INIT_CWD ?? process.cwd() }));
