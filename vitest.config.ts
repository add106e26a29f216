import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Tests that look at time on the wire; most of it they wait, so four of them run beside each other and nothing else. */
const TIMED = ["apps/server/src/stage/**/*.test.ts", "apps/server/src/stage-link/**/*.test.ts"];

/** Tests of the server that need nothing that runs. */
const PLAIN = [
  "documents",
  "kept",
  "licences",
  "packed-song",
  "printed-commands",
  "release-files",
  "site",
  "specification-page",
].map((name) => `apps/server/src/testing/${name}.test.ts`);

const journeys = (...names: string[]) => names.map((name) => `e2e/${name}.test.ts`);
/** Journeys that measure presses, or light against sound with patience: two of them leave half of two cores to each other. */
const TIMED_JOURNEYS = journeys("desk", "live-sound", "night");
/** Journeys that measure milliseconds between light and sound: each has the machine for itself. */
const EXACT_JOURNEYS = journeys("player", "sound-output", "sync");

/** Journeys about a database, a broker or a folder that a product or the journey itself brings: `npm test -- --outside` leaves them out. */
const OWN_PARTS = journeys("broken-parts", "clusters", "communities", "demo", "kills", "songs-in-s3");

/** Tests that take rights from their process for good. */
const ALONE = ["apps/server/src/testing/helpers-apart.test.ts"];

/** Each journey runs the whole product, on machines that are busy with other things: only one that hangs takes so long. */
const JOURNEY = { globalSetup: ["e2e/testing/made-database.ts"], testTimeout: 300_000, hookTimeout: 300_000 };

/** How the server's tests run, with PostgreSQL and a broker. */
const SERVER = {
  globalSetup: ["apps/server/src/testing/services.ts"],
  setupFiles: ["apps/server/src/testing/services-of-worker.ts"],
  // Some plan whole songs, on machines that are busy with other things: only one that hangs takes so long.
  testTimeout: 180_000,
  hookTimeout: 180_000,
};

/** Files that take longest, the longest first: begun last, one would have the machine for itself at the end. */
const LONGEST = [
  "e2e/overlays",
  "e2e/console",
  "e2e/kills",
  "e2e/broken-parts",
  "e2e/queue",
  "e2e/demo",
  "e2e/stage-moments",
  "e2e/outputs",
  "e2e/night",
  "workers/away-worker",
  "music/full-disk",
  "music/song-worker",
  "music/song-pipeline",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((name) => moduleId.includes(`/${name}.test.`));
      return at < 0 ? LONGEST.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    pool: "forks",
    // Patience of a test that waits, on a machine that is busy with other things; how fast something is, is measured.
    expect: { poll: { timeout: 20_000 } },
    // As the product's parts run (ENGINE in supervisor/keep-running.ts).
    execArgv: ["--no-memory-protection-keys", "--min-semi-space-size=64", "--max-semi-space-size=64"],
    projects: [
      {
        extends: true,
        test: {
          name: "pure",
          include: [
            "packages/*/src/**/*.test.ts",
            "bench/**/*.test.ts",
            "training/*.test.ts",
            "apps/console/src/**/*.test.ts",
            ...PLAIN,
          ],
          // What they import keeps nothing between tests: it is loaded once for all files of a worker, which takes a third less.
          isolate: false,
          // Some hear a dozen songs through, on machines that are busy with other things.
          testTimeout: 120_000,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "console",
          include: ["apps/console/src/**/*.test.tsx"],
          // A context for each file in one process, which compiles React and its like once: two fifths of the processor time.
          pool: "vmForks",
          setupFiles: ["apps/console/src/testing/web-streams.ts"],
          testTimeout: 120_000,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          ...SERVER,
          name: "server",
          include: ["apps/server/src/**/*.test.ts"],
          exclude: [...TIMED, ...PLAIN, ...ALONE],
          // The server's code is loaded once for all files of a worker: a third of the processor time.
          isolate: false,
          // Half of the time they wait for a database, a broker or a program.
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: { ...SERVER, name: "server-alone", include: ALONE, maxWorkers: 3, sequence: { groupOrder: 2 } },
      },
      {
        extends: true,
        test: { ...SERVER, name: "stage", include: TIMED, maxWorkers: 4, sequence: { groupOrder: 3 } },
      },
      {
        extends: true,
        test: {
          ...JOURNEY,
          name: "journeys",
          include: ["e2e/**/*.test.ts"],
          exclude: [...TIMED_JOURNEYS, ...EXACT_JOURNEYS, ...(process.env.TEST_OUTSIDE === "1" ? OWN_PARTS : [])],
          // Two leave a quarter of two cores idle.
          maxWorkers: 3,
          sequence: { groupOrder: 4 },
        },
      },
      {
        extends: true,
        test: {
          ...JOURNEY,
          name: "timed-journeys",
          include: TIMED_JOURNEYS,
          maxWorkers: 2,
          sequence: { groupOrder: 5 },
        },
      },
      {
        extends: true,
        test: {
          ...JOURNEY,
          name: "exact-journeys",
          include: EXACT_JOURNEYS,
          maxWorkers: 1,
          sequence: { groupOrder: 6 },
        },
      },
    ],
  },
});
