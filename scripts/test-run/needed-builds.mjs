// What has to be built for tests.
import { closureOf, readImportGraph, testFiles } from "./import-graph.mjs";

/** For each build, a pattern in the text of files that need it: they serve or open the console, or start programs of the server. */
const USES = { console: /console\/dist|server\/dist\/main(-api)?\.js/, server: /server\/dist\// };

/** @param words as in `npm test -- WORD…`; without words all tests run */
export function neededBuilds(words) {
  const builds = Object.keys(USES);
  if (words.length === 0) return builds;
  const graph = readImportGraph();
  const paths = testFiles(graph).filter((path) => words.some((word) => path.includes(word)));
  const files = new Set(paths.flatMap((path) => [...closureOf(graph, path)]));
  return builds.filter((build) => [...files].some((path) => USES[build].test(graph.get(path).text)));
}
