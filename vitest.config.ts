import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    pool: "forks",
    // As the product's parts run (ENGINE in supervisor/keep-running.ts).
    execArgv: ["--no-memory-protection-keys"],
    projects: [
      {
        extends: true,
        test: {
          name: "pure",
          include: [
            "packages/*/src/**/*.test.ts",
            "bench/**/*.test.ts",
            "training/*.test.ts",
            "apps/console/src/**/*.test.{ts,tsx}",
          ],
          // Some hear a dozen songs through, on machines that are busy with other things.
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: "server",
          include: ["apps/server/src/**/*.test.ts"],
          globalSetup: ["apps/server/src/testing/services.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "journeys",
          include: ["e2e/**/*.test.ts"],
          testTimeout: 180_000,
          hookTimeout: 120_000,
          // Each journey runs the whole product; two cores carry one at a time.
          fileParallelism: false,
        },
      },
    ],
  },
});
