import { defineConfig, type TestProjectConfiguration } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
// @ts-expect-error plain JavaScript without types: `npm test` runs it before anything is installed
import { bundledPrograms } from "./scripts/test-run/bundled-programs.mjs";
// @ts-expect-error as above
import { PROJECTS } from "./scripts/test-run/projects.mjs";
// @ts-expect-error as above
import { secondsOfFiles } from "./scripts/test-run/test-times.mjs";

/** A second try of files that failed: each has the machine for itself. */
const IS_ALONE = process.env.TEST_ALONE === "1";
/** Journeys that bring a database, a broker or a data folder of their own: `npm test -- --outside` leaves them out. */
const OWN_SERVICES = ["broken-parts", "clusters", "communities", "demo", "kills", "songs-in-s3"];

/** Tests that print nothing while they pass. Those of the other suites print what they measure. */
const QUIET = "scripts/test-run/quiet-output.mjs";

/** Limits that only a hanging test reaches, ms: the machine may be busy with other things. */
const LONG = { testTimeout: 120_000, hookTimeout: 120_000 };
/** Server tests; some plan whole songs. */
const SERVER = {
  globalSetup: ["apps/server/src/testing/services.ts"],
  setupFiles: ["apps/server/src/testing/services-of-worker.ts"],
  ...{ testTimeout: 180_000, hookTimeout: 180_000 },
};
const QUIET_SERVER = { ...SERVER, setupFiles: [QUIET, ...SERVER.setupFiles] };
/** Tests of a whole product in Chromium. */
const JOURNEYS = { globalSetup: ["e2e/testing/made-database.ts"], testTimeout: 300_000, hookTimeout: 300_000 };

/** The order of projects; within one, files that take longest run first: started last, one would run alone at the end. */
class LongestFirst extends BaseSequencer {
  readonly #seconds: ReadonlyMap<string, number> = secondsOfFiles();
  readonly #projects = Object.keys(PROJECTS);

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project: { name } }: TestSpecification) => this.#projects.indexOf(name);
    const secondsOf = ({ moduleId }: TestSpecification) =>
      this.#seconds.get(moduleId.slice(import.meta.dirname.length + 1)) ?? 0;
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b) || secondsOf(b) - secondsOf(a));
  }
}

/**
 * One project of `npm test`.
 *
 * @param order projects of a lower order run to their end first
 * @param maxWorkers files that run at the same time; projects of one order share them
 */
function project(
  name: keyof typeof PROJECTS & string,
  order: number,
  maxWorkers: number,
  options: object,
): TestProjectConfiguration {
  const { include, exclude = [] } = PROJECTS[name];
  const isLeftOut = process.env.TEST_OUTSIDE === "1" ? OWN_SERVICES.map((journey) => `e2e/**/${journey}.test.ts`) : [];
  return {
    extends: true,
    test: {
      name,
      include,
      exclude: [...exclude, ...isLeftOut],
      maxWorkers: IS_ALONE ? 1 : maxWorkers,
      sequence: { groupOrder: order },
      ...options,
    },
  };
}

export default defineConfig({
  // Projects extend this; the pattern of the plugin matches files of the server only.
  plugins: [bundledPrograms()],
  test: {
    sequence: { sequencer: LongestFirst },
    pool: "forks",
    // Condition-based waits have the same patience; only benches judge speed.
    expect: { poll: { timeout: 20_000 } },
    // As the product's processes run (ENGINE in operations/supervisor/keep-running.ts).
    execArgv: ["--no-memory-protection-keys", "--min-semi-space-size=64", "--max-semi-space-size=64"],
    projects: [
      // One order, so that no processor waits for the last file of a project. Three, because services and browsers keep tests waiting.
      // Modules that keep no state between tests are loaded once per worker: a third less processor time.
      project("pure", 0, 3, { isolate: false, setupFiles: [QUIET], ...LONG }),
      // A context per file in one process, which compiles React once: two fifths less processor time.
      project("console", 0, 3, {
        pool: "vmForks",
        setupFiles: [QUIET, "apps/console/src/testing/browser-features.ts"],
        ...LONG,
      }),
      project("server", 0, 3, { isolate: false, ...QUIET_SERVER }),
      project("server-alone", 0, 3, QUIET_SERVER),
      project("stage", 0, 3, { isolate: false, ...QUIET_SERVER }),
      project("journeys", 0, 3, { setupFiles: [QUIET], ...JOURNEYS }),
      // They mostly wait for processes to end and start.
      project("server-faults", 1, 4, SERVER),
      // Some of these measure seconds.
      project("journeys-faults", 2, 3, JOURNEYS),
      project("server-timing", 3, 2, SERVER),
      // Journeys that measure milliseconds between light and sound have the machine for themselves.
      project("journeys-timing", 4, 1, JOURNEYS),
    ],
  },
});
