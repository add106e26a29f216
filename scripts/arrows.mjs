// Holds the imports of the apps against the arrows ARCHITECTURE.md draws: each folder may import the folders behind
// its arrow and nothing else. Types count. Files that stand in no folder (main*.ts) may know everything.
import { readdirSync, readFileSync } from "node:fs";
import { join, normalize, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const IMPORT = /(?:from|import)\s+"(\.[^"]+)"|import\("(\.[^"]+)"\)|new URL\("(\.[^"]+)"/g;

/** App folder → its folders → what they may import, from the fenced blocks named `arrows`. */
export function readArrows(markdown) {
  const blocks = [...markdown.matchAll(/^```arrows (\S+)\n([\s\S]*?)^```$/gm)];
  return new Map(
    blocks.map(([, app, text]) => {
      const lines = text.split("\n").filter((line) => line.includes("->"));
      const arrows = lines.map((line) => line.split("->").map((side) => side.trim().split(/\s+/).filter(Boolean)));
      return [app, new Map(arrows.flatMap(([froms, tos]) => froms.map((from) => [from, new Set(tos)])))];
    }),
  );
}

/** What is wrong with one app: a sentence per import that no arrow allows, per arrow that no import uses, and per circle. */
export function checkArrows(root, allowed) {
  const problems = [];
  const used = new Set();
  for (const file of sourcesBelow(root)) {
    const [folder] = relative(root, file).split(sep);
    for (const match of readFileSync(file, "utf8").matchAll(IMPORT)) {
      const [target, ...inside] = relative(root, normalize(join(file, "..", match[1] ?? match[2] ?? match[3]))).split(
        sep,
      );
      if (target === ".." || target === folder || inside.length === 0) continue;
      used.add(`${folder} -> ${target}`);
      if (allowed.get(folder)?.has(target)) continue;
      problems.push(
        `${relative(root, file)} imports ${target}/: ARCHITECTURE.md draws no arrow ${folder} -> ${target}`,
      );
    }
  }
  for (const [from, tos] of allowed) {
    for (const to of tos) if (!used.has(`${from} -> ${to}`)) problems.push(`no import uses the arrow ${from} -> ${to}`);
  }
  return [...problems, ...circles(allowed)];
}

function circles(allowed) {
  const isAbove = (from, to, seen = new Set()) =>
    !seen.has(from) && [...(allowed.get(from) ?? [])].some((next) => next === to || isAbove(next, to, seen.add(from)));
  return [...allowed.keys()]
    .filter((folder) => isAbove(folder, folder))
    .map((folder) => `${folder} stands above itself`);
}

/** Sources in folders of the app; tests and what only they use may know more. */
function sourcesBelow(root) {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.includes(".test."))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => relative(root, file).includes(sep) && !relative(root, file).split(sep).includes("testing"));
}

const self = fileURLToPath(import.meta.url);
if (process.argv[1] === self) {
  const top = join(self, "../..");
  const apps = readArrows(readFileSync(join(top, "ARCHITECTURE.md"), "utf8"));
  const problems = [...apps].flatMap(([app, allowed]) =>
    checkArrows(join(top, app), allowed).map((line) => `${app}: ${line}`),
  );
  if (apps.size === 0) problems.push("ARCHITECTURE.md draws no arrows");
  for (const line of problems) process.stderr.write(`${line}\n`);
  process.exit(problems.length > 0 ? 1 : 0);
}
