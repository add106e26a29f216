import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
// @ts-expect-error a script before anything is installed: plain JavaScript without types
import { checkArrows, readArrows } from "../../../../scripts/arrows.mjs";
import { folderUntil } from "./open-until.ts";

const write = async (path: string, text: string) => {
  await mkdir(join(root, path, ".."), { recursive: true });
  await writeFile(join(root, path), text);
};
const drawn = (lines: string) => readArrows(`\`\`\`arrows app\n${lines}\n\`\`\``).get("app");

const root = await folderUntil(afterAll);
await write("platform/log.ts", 'import { pino } from "pino";');
await write("user/users.ts", 'import type { Log } from "../platform/log.ts";');
await write("auth/auth.ts", 'import { users } from "../user/users.ts";\nimport "../platform/log.ts";');
await write("user/users.test.ts", 'import "../auth/auth.ts";');
await write("main.ts", 'import "./auth/auth.ts";');

test("accepts declared imports; tests and entry points may import more", () => {
  expect(checkArrows(root, drawn("auth -> user platform\nuser -> platform"))).toEqual([]);
});

test("names an undeclared import with its file, types included", () => {
  expect(checkArrows(root, drawn("auth -> user platform"))).toEqual([
    "user/users.ts imports platform/: ARCHITECTURE.md draws no arrow user -> platform",
  ]);
});

test("rejects a declared arrow without an import, and a cycle", () => {
  const problems = checkArrows(root, drawn("auth -> user platform\nuser -> platform auth"));
  expect(problems).toContain("no import uses the arrow user -> auth");
  expect(problems).toContain("auth stands above itself");
});
