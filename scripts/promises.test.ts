import { expect, test } from "vitest";
// @ts-expect-error plain JavaScript without types
import { findUnhandled } from "./promises.mjs";

const found = (source: string): string[] =>
  (findUnhandled("a.ts", source) as { at: string; text: string }[]).map(({ at, text }) => `${at} ${text}`);

test.each([
  "void save();",
  "setInterval(() => void this.#save(), 5);",
  "if (isDue) return void save();",
  "else void save(1, { a: 2 });",
  "void save().then(() => done());",
  "void save()\n  .then(() => done())\n  .finally(() => end());",
  "async function save() { await write(); }\nvoid save();",
  "class A { async #save() { await write(); }\n go() { void this.#save(); } }",
])("finds a promise without a handler in %j", (source) => {
  expect(found(source)).toHaveLength(1);
});

test.each([
  "void save().catch(() => undefined);",
  "void save()\n  .then(done)\n  .catch(warn)\n  .finally(() => end());",
  "void save().then(done, warn);",
  "async function save() {\n  try {\n    await write();\n  } catch {}\n}\nvoid save();",
  "/** Never rejects. */\nasync function save() {\n  await write();\n}\nvoid save();",
  "function f(): void {}\nconst g: () => void = f;",
  "const f = (a: number): void | Promise<void> => g(a);",
  "if (isOver) return void message.ack();",
  "if (isOver) return void (await save());",
  "// would void save()\nconst text = 1;",
])("accepts %j", (source) => {
  expect(found(source)).toEqual([]);
});

test("names file and line", () => {
  expect(found("\n\nvoid save();")).toEqual(["a.ts:3 save()"]);
});
