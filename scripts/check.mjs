// npm run check: the fast part of npm test, for between two commits; tests alone that a change since the last check that passed
// can reach. With --all, all of them.
import { ensureInstalled, say } from "./house.mjs";

await ensureInstalled();
const { runSuites, close } = await import("./suites.mjs");
const { readingTests, rememberPassed, sourcesSincePassed, treeOfNow } = await import("./since-passed.mjs");
const tree = treeOfNow();
const sources = process.argv.includes("--all") ? undefined : sourcesSincePassed(tree);
if (sources) say(`Tests what ${sources.length} changed sources reach, and tests that read files; all with --all.`);
const sum = await runSuites(["pure", "console"], sources && [...sources, ...readingTests()]);
if (sum.failed === 0) rememberPassed(tree);
close(sum);
