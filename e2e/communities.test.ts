import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv, promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeData, ROOT, startProduct, until, type Product } from "./testing/product.ts";

/*
 * Creates two communities on one installation with the administrator's commands only. two-communities.test.ts checks method by
 * method what one can see and do of the other.
 */

let first: Product;
let harbour: Product;

beforeAll(async () => {
  first = await startProduct();
});
afterAll(async () => {
  for (const product of [harbour, first]) {
    await product?.stop();
    if (product) await removeData(product.dataDir);
  }
});

/** Runs a command of `npm run admin` of the first community. @returns its output */
async function admin(words: readonly string[], typed = ""): Promise<string> {
  const env = { ...process.env, DATABASE_URL: "", NATS_URL: "", FOLLOWSPOT_DATA_DIR: first.dataDir };
  const running = promisify(execFile)(process.execPath, [join(ROOT, "apps/server/dist/admin.js"), ...words], {
    env,
  });
  running.child.stdin!.end(typed);
  const { stdout, stderr } = await running;
  return stdout + stderr;
}

const addUser = ({ call }: Product, name: string) =>
  call("user.v1.UserService/CreateUser", { name, email: "door@example.org" });

const people = async ({ call }: Product): Promise<string[]> =>
  (await call("user.v1.UserService/ListUsers", {})).users.map((user: { name: string }) => user.name);

test("one command adds a community, and both run separately on one database and one broker", async () => {
  await addUser(first, "Ada of the first");
  const said = await admin(["add-community", "harbour", "--name", "Harbour Light"]);
  expect(said).toContain("npm start -- --community");
  await expect(admin(["add-community", "harbour", "--name", "Again"])).rejects.toThrow(
    "There is a community harbour already",
  );

  const { dataDir } = first;
  const file = join(dataDir, "communities", "harbour.env");
  const { PORT, FOLLOWSPOT_DATA_DIR } = parseEnv(await readFile(file, "utf8"));
  await first.stop();
  first = await startProduct({ dataDir, port: Number(new URL(first.url).port) });
  harbour = await startProduct({ words: ["--community", file], dataDir: FOLLOWSPOT_DATA_DIR!, port: Number(PORT) });

  // The same email address is another user there.
  await addUser(harbour, "Bo of the harbour");
  expect(await people(first)).toContain("Ada of the first");
  expect(await people(first)).not.toContain("Bo of the harbour");
  expect(await people(harbour)).toContain("Bo of the harbour");
  expect(await people(harbour)).not.toContain("Ada of the first");
  const stranger = await fetch(`${harbour.url}/followspot.user.v1.UserService/ListUsers`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${await first.token()}` },
    body: "{}",
  });
  expect(stranger.status).toBe(401);
  expect(await admin(["communities"])).toMatch(/^first: 1 person.*\nharbour “Harbour Light”: 1 person/m);
});

test("a community is removed once it is stopped and its name is typed, and the first one continues", async () => {
  await expect(admin(["remove-community", "harbour"], "harbour\n")).rejects.toThrow("Stop it first");
  await harbour.stop();
  await expect(admin(["remove-community", "harbour"], "harbor\n")).rejects.toThrow("Nothing was removed");
  expect(await admin(["remove-community", "harbour"], "harbour\n")).toContain("The community harbour is removed");
  expect(await admin(["communities"])).not.toContain("harbour");
  await until(() => people(first).then((names) => names.includes("Ada of the first")));
});
