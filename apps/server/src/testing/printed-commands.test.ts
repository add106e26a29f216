import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../platform/settings.ts";

/** Returns the pages and sources that tell users what to type. */
function pages(): readonly string[] {
  const below = (folder: string): string[] =>
    readdirSync(join(ROOT, folder)).flatMap((name) => {
      const path = join(folder, name);
      if (statSync(join(ROOT, path)).isDirectory()) return name === "node_modules" || name === "gen" ? [] : below(path);
      return /\.(md|ts|tsx|mjs)$/.test(name) ? [path] : [];
    });
  return [
    "README.md",
    "ARCHITECTURE.md",
    ...["docs", "examples", "bench", "training", "e2e", "scripts", "apps", "packages", "programs"].flatMap(below),
  ];
}

const isForPeople = (page: string) => page.endsWith(".md") || /^(examples|training)\//.test(page);

/** A command as typed, up to the end of its code span or of its `$(…)`. */
const COMMAND = /(?:^|[`"( ])((?:npm (?:start|test|run)|npx|node) [\w./:@-][^`")\n]*)/gm;
const scripts = Object.keys(
  (JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: object }).scripts,
);

// kept: Live | A command of the guide did not run on the Node that the README allows | failed on the old code
test("commands in pages and messages exist, and run on any Node 20 or newer", () => {
  const wrong = pages().flatMap((page) =>
    [...readFileSync(join(ROOT, page), "utf8").matchAll(COMMAND)].flatMap(([, command = ""]) => {
      const [program, first = "", ...more] = command.split(/\s+/);
      if (program === "npm" && first === "run") {
        const name = more.find((word) => !word.startsWith("-"));
        return name === undefined || scripts.includes(name.replace(/[),.:;]+$/, "")) ? [] : [`${page}: ${command}`];
      }
      // Commands that may run with another Node must run on any version; sources also name processes of the product.
      // The packed song commands check their Node version themselves.
      const isBesideOurs = program === "npx" && !command.includes("followspot-song");
      const needsNode24 = isBesideOurs || (program === "node" && first.endsWith(".ts") && isForPeople(page));
      return needsNode24 ? [`${page}: ${command}`] : [];
    }),
  );
  expect(wrong).toEqual([]);
});
