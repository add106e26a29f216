// npm test: everything, on a machine with only git, Node >= 20 and npm.
// npm test -- WORD…: the test files whose paths hold one of the words; options go to vitest.
import { ensureConsole, ensureInstalled } from "./house.mjs";

await ensureInstalled();
await ensureConsole();
const { runSuites, runFiles, close } = await import("./suites.mjs");
const words = process.argv.slice(2);
close(
  words.length > 0
    ? await runFiles(words)
    : await runSuites(["pure", "console", "server", "stage", "journeys", "timed-journeys"]),
);
