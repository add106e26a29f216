// What a test run prints at its end: one screen, with the closing line last.
import { readFileSync } from "node:fs";
import { say } from "../house.mjs";
import { clock } from "./test-times.mjs";

/** More flaky files than this fail the run. */
const MAX_FLAKY = 3;
/** Clock ticks per second in /proc (`getconf CLK_TCK`; 100 on every Linux that Node runs on). */
const TICKS = 100;

/**
 * Prints the summary of a run that began at `startedAt`, and sets the exit code: 0 if tests ran and none failed.
 *
 * @returns whether it is 0
 */
export function finish({ startedAt, checks, run }) {
  const { lines, closing, isGreen } = summaryOf({ checks, run });
  const cpu = childCpuSeconds();
  const took = `Took ${clock((Date.now() - startedAt) / 1000)}`;
  say(
    ["", ...table(checks, run.files), "", cpu === undefined ? took : `${took}, ${clock(cpu)} of processor time`].join(
      "\n",
    ),
  );
  for (const line of lines) say(line);
  process.stdout.write(`\n${closing}\n`);
  process.exitCode = isGreen ? 0 : 1;
  return isGreen;
}

/**
 * Adds up a run.
 *
 * @returns `lines` on flaky, crashed and skipped tests and on errors outside of tests; `closing`: 'N passed, N failed'
 */
export function summaryOf({ checks, run }) {
  const isTooFlaky = run.flaky.length > MAX_FLAKY;
  const skipped = run.files.flatMap((file) => file.skipped);
  const lines = [
    ...run.crashed.map((path) => `Crashed in the JavaScript engine, and run again: ${path}`),
    ...run.flaky.map(({ path, failed }) => [`Flaky: ${path}`, ...failed].join("\n         ")),
    ...(isTooFlaky ? [`FAIL  ${run.flaky.length} flaky files; at most ${MAX_FLAKY} are accepted.`] : []),
    ...run.errors.map((error) => `FAIL  outside of tests: ${error}`),
    ...skipped.map((title) => `Skipped, because this machine or account cannot run it: ${title}`),
  ];
  const sum = (count) => run.files.reduce((total, file) => total + count(file), 0);
  const passed = checks.passed + sum((file) => file.passed);
  const failed = checks.failed + sum(failuresOf) + run.errors.length + (isTooFlaky ? 1 : 0);
  return {
    lines,
    closing: `${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ""}`,
    isGreen: failed === 0 && passed > 0,
  };
}

/** A file without a failed test fails as one: it could not be loaded, a hook failed, or its worker crashed. */
const failuresOf = ({ isFailed, isCrashed, failed }) => (isFailed || isCrashed ? Math.max(1, failed.length) : 0);

function table(checks, files) {
  const projects = groupByProject(files);
  const rows = Object.entries(projects).map(([name, its]) => {
    const total = (count) => its.reduce((sum, file) => sum + count(file), 0);
    const [passed, failed] = [total((file) => file.passed), total(failuresOf)];
    return [name, `${its.length} files`, `${passed} passed`, `${failed} failed`, clock(total((file) => file.seconds))];
  });
  if (checks.passed + checks.failed > 0) {
    rows.unshift(["checks", "", `${checks.passed} passed`, `${checks.failed} failed`, clock(checks.seconds)]);
  }
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => row[column].length)));
  const pad = (row) => row.map((text, i) => (i === 0 ? text.padEnd(widths[i]) : text.padStart(widths[i]))).join("   ");
  return rows.map(pad);
}

/** Node 20 has no Object.groupBy. */
function groupByProject(files) {
  const groups = {};
  for (const file of files) (groups[file.project] ??= []).push(file);
  return groups;
}

/** Processor time of all ended children of this process and theirs, s; undefined where the system does not report it. */
function childCpuSeconds() {
  try {
    const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1).split(" ");
    // cutime and cstime, the 16th and 17th field (proc(5)).
    return (Number(fields[13]) + Number(fields[14])) / TICKS;
  } catch {
    return undefined;
  }
}
