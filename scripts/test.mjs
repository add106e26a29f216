// npm test: checks and tests, on a machine with only git, Node >= 20 and npm.
// npm test -- WORD…: the test files whose paths contain one of the words; options are passed to vitest.
// npm test -- --outside [WORD…]: the journeys, with database, broker and song store beside the product instead of inside it.
// npm run test:timing, npm run test:faults: tests that measure milliseconds or wait minutes; tests that break processes and hosts.
import { ensureBuilt, ensureInstalled, say } from "./house.mjs";

const KINDS = ["timing", "faults"];
const FLAGS = ["--outside", "--record-times", ...KINDS.map((kind) => `--${kind}`)];

const given = process.argv.slice(2);
const has = (flag) => given.includes(flag);
const args = given.filter((arg) => !FLAGS.includes(arg));
const words = args.filter((arg) => !arg.startsWith("-"));
const kind = KINDS.find((name) => has(`--${name}`));

const startedAt = Date.now();
await ensureInstalled();
const { clock, recordTimes } = await import("./test-run/test-times.mjs");
const { neededBuilds } = await import("./test-run/needed-builds.mjs");
for (const build of neededBuilds(words)) await ensureBuilt(build);
const preparedIn = (Date.now() - startedAt) / 1000;
if (preparedIn >= 1) say(`Installed and built in ${clock(preparedIn)}.`);

const { runSuite } = await import("./test-run/suite.mjs");
if (has("--outside")) process.env.TEST_OUTSIDE = "1"; // read by vitest.config.ts and e2e/testing/outside.ts
const projects = has("--outside")
  ? ["*journeys"]
  : kind
    ? [`*${kind}`]
    : words.length > 0
      ? []
      : ["!*timing", "!*faults"];
await runSuite({
  checks: words.length === 0 && !kind && !has("--outside"),
  args: [...projects.map((project) => `--project=${project}`), ...args],
});
if (has("--record-times")) recordTimes();
