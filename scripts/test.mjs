// npm test: everything, on a machine with only git, Node >= 20 and npm.
// npm test -- WORD…: the test files whose paths hold one of the words; options go to vitest.
// npm test -- --outside [WORD…]: the journeys, with database, broker and store of songs beside the product instead of in it.
import { ensureConsole, ensureInstalled } from "./house.mjs";

const OUTSIDE = "--outside";

await ensureInstalled();
await ensureConsole();
const { runSuites, runFiles, close } = await import("./suites.mjs");
const words = process.argv.slice(2).filter((word) => word !== OUTSIDE);
if (process.argv.includes(OUTSIDE)) {
  process.env.TEST_OUTSIDE = "1"; // read by vitest.config.ts and e2e/testing/outside.ts
  close(await runFiles(["--project", "*journeys", ...words]));
} else if (words.length > 0) {
  close(await runFiles(words));
} else {
  close(await runSuites(["*"]));
}
