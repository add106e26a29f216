import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PROGRAMS } from "../apps/server/src/platform/process/program-options.mjs";

const ROOT = join(import.meta.dirname, "..");
const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: Record<string, string> };
/** Programs with commands of their own, and the exit code for wrong use that their help documents. */
const WITH_COMMANDS = { admin: 1, song: 1 };
/** Scripts of developers: test passes its options to vitest, and benches read their own. */
const FOR_DEVELOPERS = /^(?:test|check|bench|pictures|look-book|screenshots|demo-songs|rehearse:|pack:lamps)/;

/** The arguments of Node for an npm script, with our own code run from its sources. */
function argsOf(name: string): string[] {
  const [, ...words] = scripts[name]!.split(" ");
  if (words[0] !== "scripts/run.mjs") return words;
  const source = { admin: "cli/admin.ts", song: "cli/song.ts", worker: "main-away-worker.ts" }[name];
  return [`apps/server/src/${source}`];
}

const start = (...words: string[]) =>
  new Promise<{ code: number; out: string; errors: string }>((resolve) => {
    // A wrong option must not start a product here: its data folder cannot be made.
    const env = { ...process.env, FOLLOWSPOT_DATA_DIR: "/dev/null/none" };
    execFile(process.execPath, words, { cwd: ROOT, env }, (error, out, errors) =>
      resolve({ code: Number(error?.code ?? 0), out, errors }),
    );
  });

const programs = [...Object.keys(PROGRAMS), ...Object.keys(WITH_COMMANDS)];

// kept: Changes | --help and unknown options started the product instead | failed on the old code
test.each(programs)("%s prints its options with --help and refuses an unknown one by name", async (name) => {
  const help = await start(...argsOf(name), "--help");
  expect({ code: help.code, errors: help.errors }).toEqual({ code: 0, errors: "" });
  for (const option of PROGRAMS[name]?.options ?? []) expect(help.out).toContain(`--${option.name}`);
  const { code, errors } = await start(...argsOf(name), "--helpp");
  expect(code).toBe(WITH_COMMANDS[name as keyof typeof WITH_COMMANDS] ?? 2);
  expect(errors).toMatch(/^Unknown option '?--helpp/);
});

test.each(["--help", "--helpp"])("the bundled program reads %s itself, as a container starts it", async (option) => {
  const { code, out, errors } = await start("apps/server/src/main.ts", option);
  expect([code, (out + errors).includes("--community FILE")]).toEqual([option === "--help" ? 0 : 2, true]);
});

test.each([
  ["start", ["--community"], "--community needs a value: --community FILE"],
  ["start", ["--demo=yes"], "--demo takes no value."],
  ["start", ["demo"], "Unexpected argument demo."],
  ["venue", ["--token", ""], "--token needs a value: --token TOKEN"],
  ["pack:contract", ["one", "two"], "Unexpected argument two."],
])("%s %j is refused", async (name, words, sentence) => {
  const { code, errors } = await start(...argsOf(name), ...words);
  expect([code, errors.split("\n")[0]]).toEqual([2, sentence]);
});

test("every program of README and guides has a table of options", () => {
  const pages = ["README.md", ...globSync("docs/guide/*.md", { cwd: ROOT })];
  const text = pages.map((page) => readFileSync(join(ROOT, page), "utf8")).join("\n");
  const named = [...text.matchAll(/\bnpm (?:run (?:-s )?)?([a-z:-]+)/g)].map(([, name]) => name!);
  const started = [...new Set(named)].filter((name) => name in scripts && !FOR_DEVELOPERS.test(name));
  expect(started.filter((name) => !programs.includes(name))).toEqual([]);
  expect(started).toContain("venue");
});
