// The tests that `npm run check` runs after a change.
import { distancesFrom, readImportGraph, testFiles } from "./import-graph.mjs";
import { isPlain } from "./projects.mjs";
import { secondsOfFiles } from "./test-times.mjs";

/** What the chosen tests may take together, s. Nearer ones come first. */
const BUDGET_SECONDS = 40;
/** Of a file that was never timed, s. */
const UNKNOWN_SECONDS = 0.5;
/** Tests that read files by themselves: no import says what they depend on, so they always run. */
const READS_FILES = /from "node:fs|import\.meta\.glob/;

/**
 * Chooses test files by the number of imports between them and a changed source.
 *
 * @param changed paths of sources
 * @returns `chosen`: paths; `farther`: number of further test files that depend on the change
 */
export function nearestTests(changed) {
  const graph = readImportGraph();
  const seconds = secondsOfFiles();
  const secondsOf = (path) => seconds.get(path) ?? UNKNOWN_SECONDS;
  const distances = distancesFrom(graph, changed);
  const tests = testFiles(graph).filter(isPlain);
  const reading = tests.filter((path) => READS_FILES.test(graph.get(path).text));
  const reached = tests
    .filter((path) => distances.has(path) && !reading.includes(path))
    .toSorted((a, b) => distances.get(a) - distances.get(b) || secondsOf(a) - secondsOf(b));

  const chosen = [...reading];
  let left = BUDGET_SECONDS - reading.reduce((sum, path) => sum + secondsOf(path), 0);
  for (const path of reached) {
    // The nearest ones test the changed source itself, however long they take.
    if (distances.get(path) > 1 && secondsOf(path) > left) continue;
    chosen.push(path);
    left -= secondsOf(path);
  }
  return { chosen, farther: reading.length + reached.length - chosen.length };
}
