import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { StageMemory } from "./stage-memory.ts";
import { folderUntil } from "../testing/open-until.ts";

let dir: string;
let logged: string[];
beforeEach(async () => {
  dir = await folderUntil(onTestFinished);
  logged = [];
});

const open = () => new StageMemory(dir, pino({}, { write: (line: string) => void logged.push(line) }));

it("logs nothing at a normal start without a state file", () => {
  expect(open().recall()).toBeUndefined();
  expect(logged).toEqual([]);
});

it("restores the state of an earlier process", async () => {
  const hands = { blackout: { value: true as const, owner: "ada", owner_name: "Ada", since: 1 } };
  const memory = open();
  memory.keep({ hands, lit: null });
  await memory.written();
  expect(open().recall()).toEqual({ hands, lit: null });
});

// kept: Stage and lamps | A damaged state file of the stage was treated as a normal start, without a log line | failed
// on the old code
it.each(["{", '{"hands":{},"lit":17}', ""])("logs a damaged state file: %j", async (text) => {
  await writeFile(join(dir, "stage-state.json"), text);
  expect(open().recall()).toBeUndefined();
  expect(logged.join()).toContain("the state of the stage cannot be read; nothing is taken up");
  expect(await readFile(join(dir, "stage-state.json"), "utf8")).toBe(text);
});
