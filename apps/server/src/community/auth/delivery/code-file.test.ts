import { readFile, stat } from "node:fs/promises";
import { expect, it, onTestFinished } from "vitest";
import { folderUntil } from "../../../testing/open-until.ts";
import { SignInCodeFile } from "./code-file.ts";

it("holds the newest twenty codes, in order and readable by its owner alone", async () => {
  const file = new SignInCodeFile(await folderUntil(onTestFinished));
  await Promise.all(Array.from({ length: 25 }, (_, i) => file.add(`code ${i}\n`)));
  const lines = (await readFile(file.path, "utf8")).trimEnd().split("\n");
  expect(lines).toEqual(Array.from({ length: 20 }, (_, i) => `code ${i + 5}`));
  expect((await stat(file.path)).mode & 0o777).toBe(0o600);
});
