import { spawn } from "node:child_process";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { ROOT } from "../platform/settings.ts";
import { folderUntil } from "../testing/open-until.ts";

const checkout = await folderUntil(afterAll);
await cp(join(ROOT, "scripts"), join(checkout, "scripts"), { recursive: true });
await writeFile(join(checkout, "package-lock.json"), "{}");
// Stands for a `song` command that reads stdin and prints JSON.
const verb = `for await (const chunk of process.stdin) process.stdout.write(JSON.stringify({ heard: String(chunk) }));`;
await writeFile(join(checkout, "verb.mjs"), verb);
await mkdir(join(checkout, "bin"));
const npm =
  "#!/bin/sh\necho 'added 262 packages in 3s'; cat; mkdir -p node_modules; touch node_modules/was-installed\n";
await writeFile(join(checkout, "bin/npm"), npm, { mode: 0o755 });

async function song(input: string): Promise<{ stdout: string; stderr: string }> {
  // Run as by a user, without the variables of the test runner.
  const { npm_execpath: _npm, INIT_CWD: _folder, VITEST: _tests, ...env } = process.env;
  const child = spawn(process.execPath, [join(checkout, "scripts/run.mjs"), "verb.mjs"], {
    cwd: checkout,
    env: { ...env, PATH: [join(checkout, "bin"), process.env.PATH].join(delimiter) },
  });
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { stdout, stderr };
}

test("a command that installs the packages first prints only its JSON and receives its input", async () => {
  const { stdout, stderr } = await song("a plan");
  expect(JSON.parse(stdout)).toEqual({ heard: "a plan" });
  expect(stderr).toContain("Installing packages");
  expect(stderr).toContain("added 262 packages");
});

test("the next start installs nothing", async () => {
  const { stdout, stderr } = await song("a plan");
  expect(JSON.parse(stdout)).toEqual({ heard: "a plan" });
  expect(stderr).toBe("");
});
