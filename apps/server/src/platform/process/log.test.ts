import { execFile } from "node:child_process";
import { hostname } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { withoutRepeats } from "./log.ts";

/** Returns what a separate process writes to stderr. */
async function written(format: "text" | "json", statement: string): Promise<string> {
  const settings = JSON.stringify({ FOLLOWSPOT_LOG_LEVEL: "info", FOLLOWSPOT_LOG_FORMAT: format });
  const script = `import { openLog } from ${JSON.stringify(join(import.meta.dirname, "log.ts"))};
    const log = openLog("main-test", ${settings}); ${statement}`;
  const { stderr } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
  return stderr;
}

test("a text line has process, level, message and fields; messages below the level are omitted", async () => {
  const text = await written("text", 'log.debug("quiet"); log.warn({ song: "S1", request: "R1" }, "late");');
  expect(text).toBe('main-test warn: late {"song":"S1","request":"R1"}\n');
});

test("secrets are never logged, in whatever field they are", async () => {
  const statement = `log.info({ token: "hush", caller: { password: "hush", name: "Ada" }, cookie: "hush" }, "signed in");`;
  for (const format of ["text", "json"] as const) {
    const text = await written(format, statement);
    expect(text).toContain("Ada");
    expect(text).not.toContain("hush");
  }
});

test("text from outside cannot forge a log line", async () => {
  const text = await written("text", String.raw`log.info("a\nmain-api error: forged\u2028x");`);
  expect(text.trimEnd().split("\n")).toEqual(["main-test info: a main-api error: forged x"]);
});

test("a collector gets JSON with time, host, version and the error's stack", async () => {
  const line = JSON.parse(await written("json", 'log.error({ err: new Error("broken") }, "failed");')) as {
    err: { message: string; stack: string };
  };
  expect(line).toMatchObject({
    ...{ level: 50, process: "main-test", host: hostname(), err: { message: "broken" } },
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
  });
  expect(line.err.stack).toContain("Error: broken");
});

test("a repeated message is logged once per minute", () => {
  const lines: string[] = [];
  let now = 0;
  const say = withoutRepeats(
    (line) => lines.push(line),
    () => now,
  );
  for (now = 0; now < 125_000; now += 250) say("waiting for jobs: consumer not found");
  say("another");
  expect(lines).toEqual([...Array<string>(3).fill("waiting for jobs: consumer not found"), "another"]);
});
