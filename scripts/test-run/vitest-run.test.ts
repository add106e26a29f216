import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
// @ts-expect-error plain JavaScript without types: `npm test` runs it before anything is installed
import { summaryOf } from "./summary.mjs";
// @ts-expect-error as above
import { runVitest } from "./vitest-run.mjs";

/** A test file; `body` is its only test. */
const file = (body: string) => `
  import { existsSync, writeFileSync } from "node:fs";
  import { expect, test } from "vitest";
  test("works", () => { ${body} });`;
const FAILS_ONCE = `
  const mark = import.meta.dirname + "/tried";
  const isSecond = existsSync(mark);
  writeFileSync(mark, "");
  expect(isSecond).toBe(true);`;

const QUIET = join(import.meta.dirname, "quiet-output.mjs");

async function run(files: Record<string, string>) {
  const root = await mkdtemp(join(tmpdir(), "followspot-runner-"));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const [name, body] of Object.entries(files)) await writeFile(join(root, name), file(body));
  const test = { include: ["*.test.mjs"], globals: true, setupFiles: [QUIET] };
  await writeFile(join(root, "vitest.config.mjs"), `export default { test: ${JSON.stringify(test)} };`);
  const args = [`--root=${root}`, `--config=${join(root, "vitest.config.mjs")}`];
  const printed = await open(join(root, "printed.txt"), "w+");
  const result = await runVitest(args, process.env, { stdio: ["ignore", printed.fd, printed.fd], print: () => {} });
  await printed.close();
  return {
    result,
    summary: summaryOf({ checks: { passed: 0, failed: 0 }, run: result }),
    printed: await readFile(join(root, "printed.txt"), "utf8"),
  };
}

test("a file that fails once and passes alone is flaky, named with its failed test, and does not fail the run", async () => {
  const { result, summary } = await run({ "once.test.mjs": FAILS_ONCE, "good.test.mjs": "expect(1).toBe(1)" });
  expect(result.flaky).toMatchObject([{ path: expect.stringContaining("once.test.mjs"), failed: ["works"] }]);
  expect(summary).toMatchObject({ closing: "2 passed, 0 failed", isGreen: true });
  expect(summary.lines.join("\n")).toMatch(/^Flaky: .*once\.test\.mjs\n\s+works$/);
});

test("a file that fails twice fails the run", async () => {
  const { summary } = await run({ "bad.test.mjs": "expect(1).toBe(2)", "good.test.mjs": "expect(1).toBe(1)" });
  expect(summary).toMatchObject({ closing: "1 passed, 1 failed", isGreen: false });
});

test("output of a file is printed only if the file fails", async () => {
  const print = (text: string) =>
    `process.stderr.write("${text} to stderr\\n"); process.stdout.write("${text} to stdout\\n"); console.log("${text} logged");`;
  const { printed } = await run({
    "good.test.mjs": print("passes"),
    "bad.test.mjs": `${print("fails")} expect(1).toBe(2)`,
  });
  for (const line of ["fails to stderr", "fails to stdout", "fails logged"]) expect(printed).toContain(line);
  for (const line of ["passes to stderr", "passes to stdout", "passes logged"]) expect(printed).not.toContain(line);
});

const flaky = (count: number) => ({
  files: Array.from({ length: count }, (_, i) => ({ path: `${i}`, passed: 1, failed: [], skipped: [] })),
  flaky: Array.from({ length: count }, (_, i) => ({ path: `${i}`, failed: ["works"] })),
  crashed: [],
  errors: [],
});

test.each([
  [3, "3 passed, 0 failed", true],
  [4, "4 passed, 1 failed", false],
])("%i flaky files end with %s", (count, closing, isGreen) => {
  expect(summaryOf({ checks: { passed: 0, failed: 0 }, run: flaky(count) })).toMatchObject({ closing, isGreen });
});

test("an error outside of tests and a file without tests that failed count as failed", () => {
  const broken = { path: "a", passed: 0, failed: [], skipped: [], isFailed: true };
  const run = { files: [broken], flaky: [], crashed: [], errors: ["no port"] };
  expect(summaryOf({ checks: { passed: 5, failed: 1 }, run })).toMatchObject({ closing: "5 passed, 3 failed" });
});
