import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { openUntil } from "../../testing/open-until.ts";
import { openDatabase } from "./database.ts";
import { openCable } from "../testing/cable.ts";
import { createTestDatabase } from "../testing/test-database.ts";

const run = promisify(execFile);
const PROCESS = `
  import { openDatabase } from "./database.ts";
  import { outliveLostConnections } from "./lost-connections.ts";
  outliveLostConnections();
  const sql = openDatabase(process.env.DATABASE_URL, 1);
  const ask = () => sql\`select 1\`.then(() => "answered", ({ code }) => code);
  let said;
  do said = await ask(); while (said !== "answered");
  console.log(said);
  await sql.end();
  if (process.env.REJECTS) void Promise.reject(new Error("a fault of ours"));
`;

async function startOn(url: string, more: NodeJS.ProcessEnv = {}): Promise<string> {
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", PROCESS], {
    cwd: import.meta.dirname,
    env: { ...process.env, ...more, DATABASE_URL: url, NODE_OPTIONS: "" },
  });
  return stdout;
}

test("a process survives a connection that is lost while the driver reads types, and uses the next one", async () => {
  const database = openUntil(onTestFinished, await createTestDatabase());
  const cable = openUntil(onTestFinished, await openCable(database.url));
  cable.loseAnswer("typarray", "reset");
  expect(await startOn(cable.url)).toBe("answered\n");
});

test("an uncaught error still ends the process", async () => {
  const database = openUntil(onTestFinished, await createTestDatabase());
  await expect(startOn(database.url, { REJECTS: "1" })).rejects.toThrow("a fault of ours");
});

test("array types are read on the first connection only, and arrays work on all connections", async () => {
  const database = openUntil(onTestFinished, await createTestDatabase());
  const cable = openUntil(onTestFinished, await openCable(database.url));
  const sql = openUntil(onTestFinished, openDatabase(cable.url, 3), (pool) => pool.end({ timeout: 1 }));
  await sql`select 1`;
  cable.loseAnswer("typarray", "reset");
  const ask = () => sql`select ${["a", "b"]}::text[] as letters, array[1.5, 2]::float8[] as numbers, pg_sleep(.1)`;
  for (const [row] of await Promise.all([ask(), ask(), ask()]))
    expect(row).toMatchObject({ letters: ["a", "b"], numbers: [1.5, 2] });
});
