// One run of vitest, and once more, alone, the files that failed.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { node24, ROOT, run, say } from "../house.mjs";
import { rememberTimes } from "./test-times.mjs";

/** With more failed files than this a second try would only take time: chance does not fail so many. */
const MAX_RETRIED = 8;

/**
 * Runs test files. A file that fails, or whose worker crashes, runs once more alone; if it passes then, it is flaky and its
 * first failures do not count as failed.
 *
 * @param args options and words for vitest
 * @param env of the run's folder
 * @param options.stdio of the runner, as for `spawn`
 * @param options.print receives lines for the user
 * @returns the files' reports, the paths of flaky and crashed files, and errors outside of tests
 */
export async function runVitest(args, env, { stdio = "inherit", print = say } = {}) {
  const first = await runOnce(args, { env, stdio });
  const isBad = ({ isFailed, isCrashed }) => isFailed || isCrashed;
  const bad = first.files.filter(isBad);
  const crashed = first.files.filter(({ isCrashed }) => isCrashed).map(({ path }) => path);
  if (bad.length === 0 || bad.length > MAX_RETRIED) return { ...first, crashed, flaky: [] };
  print(`\nOnce more, each alone:\n${bad.map(({ path }) => `  ${path}`).join("\n")}`);
  const paths = bad.map(({ path }) => path);
  const options = args.filter((arg) => arg.startsWith("-"));
  const second = await runOnce([...options, ...paths], { env: { ...env, TEST_ALONE: "1" }, stdio });
  const again = new Map(second.files.map((file) => [file.path, file]));
  return {
    files: first.files.map((file) => (isBad(file) ? (again.get(file.path) ?? file) : file)),
    errors: [...first.errors, ...second.errors],
    crashed,
    flaky: bad.filter(({ path }) => again.has(path) && !isBad(again.get(path))),
  };
}

async function runOnce(args, { env, stdio }) {
  const folder = mkdtempSync(join(tmpdir(), "followspot-report-"));
  const report = join(folder, "report.json");
  try {
    const code = await run(
      [
        node24(),
        join(ROOT, "node_modules/vitest/vitest.mjs"),
        "run",
        ...args,
        `--reporter=${join(ROOT, "scripts/test-run/reporter.mjs")}`,
      ],
      { env: { ...env, TEST_REPORT: report }, stdio },
    );
    const { files, errors } = JSON.parse(readFileSync(report, "utf8"));
    const isExplained = code === 0 || errors.length > 0 || files.some((file) => file.isFailed || file.isCrashed);
    rememberTimes(files.filter(({ isFailed }) => !isFailed));
    return { files, errors: isExplained ? errors : [...errors, `The test runner ended with code ${code}.`] };
  } catch {
    return { files: [], errors: ["The test runner left no report."] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
