// Which source file imports which, read from the text of the imports: enough to choose tests, without building anything.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { ROOT } from "../house.mjs";

const FOLDERS = ["apps", "packages", "programs", "bench", "e2e", "examples", "training", "scripts"];
const IS_SOURCE = /\.(ts|tsx|mjs|js|css)$/;
const IS_LEFT_OUT = /(^|\/)(node_modules|dist)(\/|$)/;
const IMPORT = /(?:from|import)\s+"([^"]+)"|import\("([^"]+)"\)|new URL\("(\.[^"]+)"|@import "([^"]+)"/g;

/** Path of each source file, from the root → what it imports, text included. */
export function readImportGraph() {
  const packages = readPackages();
  const sources = new Map();
  for (const path of FOLDERS.flatMap(sourcesBelow)) {
    const text = readFileSync(join(ROOT, path), "utf8");
    const names = [...text.matchAll(IMPORT)].map((match) => match.slice(1).find(Boolean).replace(/\?.*$/, ""));
    sources.set(path, { text, imports: names.flatMap((name) => resolve(path, name, packages)) });
  }
  return sources;
}

/** Test files of the graph. */
export const testFiles = (graph) => [...graph.keys()].filter((path) => /\.test\.tsx?$/.test(path));

/** A file and everything it imports, directly or not. */
export function closureOf(graph, path, found = new Set()) {
  if (found.has(path) || !graph.has(path)) return found;
  found.add(path);
  for (const next of graph.get(path).imports) closureOf(graph, next, found);
  return found;
}

/** Files that import one of `changed`, directly or not → the number of imports between them; 0 for the changed ones. */
export function distancesFrom(graph, changed) {
  const importers = new Map();
  for (const [path, { imports }] of graph) {
    for (const imported of imports) importers.set(imported, [...(importers.get(imported) ?? []), path]);
  }
  const distances = new Map(changed.map((path) => [path, 0]));
  // A map visits what is added while it is walked: breadth first.
  for (const [path, distance] of distances) {
    for (const next of importers.get(path) ?? []) if (!distances.has(next)) distances.set(next, distance + 1);
  }
  return distances;
}

function sourcesBelow(folder) {
  const root = join(ROOT, folder);
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true })
    .map((name) => `${folder}/${name.split(sep).join("/")}`)
    .filter((path) => IS_SOURCE.test(path) && !IS_LEFT_OUT.test(path));
}

function resolve(from, name, packages) {
  if (name.startsWith("."))
    return [
      relative(ROOT, join(ROOT, dirname(from), name))
        .split(sep)
        .join("/"),
    ];
  for (const { name: packageName, folder, exports } of packages) {
    if (name !== packageName && !name.startsWith(`${packageName}/`)) continue;
    const target =
      exports[`.${name.slice(packageName.length)}`] ?? starred(exports, name.slice(packageName.length + 1));
    return target ? [`${folder}/${target.replace("./", "")}`] : [];
  }
  return [];
}

function starred(exports, name) {
  return exports["./*"]?.default?.replace("*", name);
}

function readPackages() {
  const folders = readdirSync(join(ROOT, "packages")).map((name) => `packages/${name}`);
  return folders.map((folder) => {
    const { name, exports = {} } = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"));
    const targets = Object.entries(exports).map(([key, to]) => [
      key,
      typeof to === "string" || key === "./*" ? to : to.default,
    ]);
    return { name, folder, exports: Object.fromEntries(targets) };
  });
}
