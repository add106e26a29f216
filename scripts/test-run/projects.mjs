// Which test files belong to which project of vitest.config.ts.

/** Tests in the server's folders that need no service: they read files, or run packed programs. */
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

/** Tests that measure milliseconds or wait for minutes (`npm run test:timing`). */
const TIMING = ["apps/server/src/**/*.timing.test.ts", "e2e/timing/**/*.test.ts"];
/** Tests that break processes, disks and hosts (`npm run test:faults`). */
const FAULTS = ["apps/server/src/**/*.faults.test.ts", "e2e/faults/**/*.test.ts"];
/** Tests that drop privileges of their process and cannot get them back: each needs a process of its own. */
const ALONE = ["apps/server/src/testing/helpers-apart.test.ts"];
/** Tests of DMX output on the wire. They mostly wait, and want no busy neighbors. */
const STAGE = ["apps/server/src/stage/**/*.test.ts", "apps/server/src/api/stage-link/**/*.test.ts"];

/** Project → its test files. Server projects have PostgreSQL and NATS, journeys a whole product. */
export const PROJECTS = {
  pure: {
    include: [
      "packages/*/src/**/*.test.ts",
      "bench/**/*.test.ts",
      "training/*.test.ts",
      "scripts/**/*.test.ts",
      "apps/console/src/**/*.test.ts",
      ...PLAIN,
    ],
  },
  console: { include: ["apps/console/src/**/*.test.tsx"] },
  server: { include: ["apps/server/src/**/*.test.ts"], exclude: [...STAGE, ...PLAIN, ...ALONE, ...TIMING, ...FAULTS] },
  "server-alone": { include: ALONE },
  stage: { include: STAGE, exclude: [...TIMING, ...FAULTS] },
  journeys: { include: ["e2e/**/*.test.ts"], exclude: [...TIMING, ...FAULTS] },
  "server-timing": { include: TIMING.filter((glob) => glob.startsWith("apps/")) },
  "journeys-timing": { include: TIMING.filter((glob) => glob.startsWith("e2e/")) },
  "server-faults": { include: FAULTS.filter((glob) => glob.startsWith("apps/")) },
  "journeys-faults": { include: FAULTS.filter((glob) => glob.startsWith("e2e/")) },
};

/** Whether `npm run check` may run a test file: it needs no service and no browser. */
export const isPlain = (path) => !/^(apps\/server|e2e)\//.test(path) || PLAIN.includes(path);
