// A whole run as one call: a folder for it, checks, test files, summary. `npm test`, `npm run check` and their like call this.
import { say } from "../house.mjs";
import { runChecks } from "./checks.mjs";
import { openRunFolder } from "./run-folder.mjs";
import { finish } from "./summary.mjs";
import { runVitest } from "./vitest-run.mjs";

/** Signal → the exit code of a process that it ended (128 + its number). */
const STOPS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/**
 * Runs the checks, then vitest, prints the summary and sets the exit code. A signal ends all of it and leaves nothing behind.
 *
 * @param options.checks whether the static checks run, too
 * @param options.args options and words for vitest
 * @returns whether everything passed
 */
export async function runSuite({ checks: withChecks, args }) {
  const startedAt = Date.now();
  const folder = await openRunFolder();
  let isStopped = false;
  for (const [signal, code] of Object.entries(STOPS)) {
    process.once(signal, async () => {
      isStopped = true;
      say(`\nStopped by ${signal}. Ending what was started…`);
      await folder.close();
      process.exit(code);
    });
  }
  /** Waits for a step. After a signal it never settles: the handler above ends the process. */
  const unlessStopped = async (step) => {
    const result = await step;
    return isStopped ? new Promise(() => {}) : result;
  };
  try {
    const none = { passed: 0, failed: 0 };
    const checks = withChecks ? await unlessStopped(runChecks(folder.env)) : none;
    checks.seconds = (Date.now() - startedAt) / 1000;
    const run = await unlessStopped(runVitest(args, folder.env));
    return finish({ startedAt, checks, run });
  } finally {
    await folder.close();
  }
}
