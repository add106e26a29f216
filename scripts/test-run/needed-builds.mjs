// Whether tests need the built console.
import { closureOf, readImportGraph, testFiles } from "./import-graph.mjs";

/** In the text of what serves the built console, opens it, or starts a whole product. */
const USES_CONSOLE = /console\/dist|\bmain(-api)?\.ts\b/;

/** @param words as in `npm test -- WORD…`; without words all tests run */
export function needsConsole(words) {
  if (words.length === 0) return true;
  const graph = readImportGraph();
  return testFiles(graph)
    .filter((path) => words.some((word) => path.includes(word)))
    .some((path) => [...closureOf(graph, path)].some((each) => USES_CONSOLE.test(graph.get(each).text)));
}
