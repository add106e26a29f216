// The files of the server that run as a process or thread of their own, and where the code names them.
import { globSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const SERVER = resolve(fileURLToPath(import.meta.url), "../../apps/server");
/** Folder of the bundles. */
export const BUNDLES = join(SERVER, "dist");

/** Paths of the programs. Their base names are unique: all bundles are in one folder. */
export const PROGRAMS = globSync("src/{main*,cli/{admin,song},**/*-{child,thread}}.ts", { cwd: SERVER })
  .filter((file) => !file.endsWith(".test.ts"))
  .map((file) => join(SERVER, file));

/**
 * Replaces each `new URL("./PROGRAM.ts", import.meta.url)` in a module.
 *
 * @param id path of the module
 * @param addressOf returns the code that replaces the address of a program
 */
export function replaceAddresses(code, id, addressOf) {
  return code.replaceAll(/new URL\(\s*"(\.[^"]+\.ts)",\s*import\.meta\.url,?\s*\)/g, (found, file) => {
    const program = resolve(dirname(id), file);
    return PROGRAMS.includes(program) ? addressOf(program) : found;
  });
}
