import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../platform/settings.ts";

/** Pages and sources that tell a person what to type. */
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

/** A command as people type it, up to the end of its code or of the `$(…)` it stands in. */
const COMMAND = /(?:^|[`"( ])((?:npm (?:start|test|run)|npx|node) [\w./:@-][^`")\n]*)/gm;
const scripts = Object.keys(
  (JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: object }).scripts,
);

// kept: Live | A command of the guide did not run on the Node that the README allows | failed on the old code
test("commands that pages and messages tell people to type exist, and run on any Node 20 or newer", () => {
  const wrong = pages().flatMap((page) =>
    [...readFileSync(join(ROOT, page), "utf8").matchAll(COMMAND)].flatMap(([, command = ""]) => {
      const [program, first = "", ...more] = command.split(/\s+/);
      if (program === "npm" && first === "run") {
        const name = more.find((word) => !word.startsWith("-"));
        return name === undefined || scripts.includes(name.replace(/[),.:;]+$/, "")) ? [] : [`${page}: ${command}`];
      }
      // What is started beside our own Node must run on any; sources name their own processes as well.
      // The packed song verbs say themselves which Node they take.
      const isBesideOurs = program === "npx" && !command.includes("followspot-song");
      const needsNode24 = isBesideOurs || (program === "node" && first.endsWith(".ts") && isForPeople(page));
      return needsNode24 ? [`${page}: ${command}`] : [];
    }),
  );
  expect(wrong).toEqual([]);
});
