// A reporter of vitest: writes what `suites.mjs` adds up to the file that SUM_OF_TESTS names.
import { writeFileSync } from "node:fs";

/** The engine itself ended the process: no test of ours can do that, and no test can be blamed for it. */
const ENGINE_CRASH = /Worker exited unexpectedly with signal (SIGSEGV|SIGTRAP|SIGILL|SIGBUS)\b.* test file (\S+)/s;

export default class SumOfTests {
  onTestRunEnd(modules, unhandled) {
    const crashes = unhandled.map((error) => ENGINE_CRASH.exec(error.cause?.message ?? error.message ?? ""));
    const crashed = [...new Set(crashes.flatMap((match) => match?.[2] ?? []))];
    const sum = { passed: 0, failed: 0, left: [], crashed, errors: [] };
    unhandled.forEach((error, i) => crashes[i] || sum.errors.push(`beside the tests: ${error.message}`));
    for (const module of modules.filter(({ moduleId }) => !crashed.includes(moduleId))) {
      // Left out by `-t` is not skipped.
      const isChosen = ({ fullName }) =>
        module.project.config.testNamePattern?.test(fullName.replaceAll(" > ", " ")) ?? true;
      for (const test of module.children.allTests()) {
        if (!isChosen(test)) continue;
        const { state } = test.result();
        // What this machine or account cannot do; it is said at the end, and nothing is skipped in any other way.
        if (state === "skipped") sum.left.push(test.fullName);
        else sum[state === "passed" ? "passed" : "failed"]++;
      }
      // A file that cannot even be loaded.
      for (const error of module.errors()) sum.errors.push(`${module.moduleId}: ${error.message}`);
    }
    writeFileSync(process.env.SUM_OF_TESTS, JSON.stringify(sum));
  }
}
