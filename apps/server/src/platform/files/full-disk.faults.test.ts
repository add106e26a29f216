import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPostgres } from "../../operations/supervisor/postgres.ts";
import { canMount, mountSmallDisk, type SmallDisk } from "../../testing/small-disk.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { createTemplate } from "../testing/test-database.ts";

const NO_SPACE = {
  code: "resource_exhausted",
  message: "There is no space left on the database's disk. Free some; nothing was stored.",
};
const FULL = "There is no space left on the database's disk: nothing is stored until some is free.";

const healthOf = async ({ base }: TestServer) => (await fetch(`${base}/health`)).json();

describe.skipIf(!canMount)("a database whose disk is full", () => {
  let disk: SmallDisk;
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  let server: TestServer;
  let admin: string;
  const usual = process.env.DATABASE_URL;
  beforeAll(async () => {
    disk = mountSmallDisk(256);
    postgres = await startPostgres(disk.path, () => {});
    process.env.DATABASE_URL = postgres.url;
    await createTemplate();
    server = await startTestServer();
    admin = (await server.person("Ada", ["Admin"])).token;
  });
  afterAll(async () => {
    process.env.DATABASE_URL = usual;
    await disk?.makeRoom(); // removing a database needs disk space
    await server?.close();
    await postgres?.stop();
    await disk?.unmount();
  });

  const create = (name: string) =>
    server.call("user.v1.UserService/CreateUser", { name, bio: "x".repeat(1900) }, admin);

  // kept: Doors | A full disk of the database was reported as an internal error | failed on the old code
  test("refuses writes with a sentence, keeps what it stored, and accepts writes again once there is space", async () => {
    await disk.fill();
    const taken: string[] = [];
    let refused = 0;
    for (let i = 0; refused < 20 && i < 500; i++) {
      const { status, body } = await create(`Person ${i}`);
      if (status === 200) taken.push(body.user.id);
      else expect([++refused && status, body]).toEqual([429, NO_SPACE]);
    }
    expect(refused).toBe(20);
    expect(await healthOf(server)).toMatchObject({ status: "degraded", database: true, reasons: [FULL] });
    expect(await server.call("user.v1.UserService/CountUsers", {}, admin)).toMatchObject({ status: 200 });

    await disk.makeRoom();
    await expect.poll(() => healthOf(server)).toMatchObject({ status: "ok", reasons: [] });
    const after = await create("Later");
    expect(after.status).toBe(200);
    const kept = await server.sql<{ id: string }[]>`select id from users where name like 'Person %' order by id`;
    expect(kept.map(({ id }) => id)).toEqual(taken.toSorted());
    // One line for all of them.
    expect(server.failures).toMatchObject([
      { msg: expect.stringMatching(/^there is no space left on the database's disk: /) },
    ]);
  });
});

// kept: Doors | Each call to an unavailable or full database logged a stack trace | failed on the old code
test("logs a full disk once whatever the statement, and answers each call with a sentence", async () => {
  const server = await startTestServer();
  const { token } = await server.person("Ada", ["Admin"]);
  await server.sql.unsafe(`
    create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
    create trigger refuse before insert on users for each row execute function refuse()`);
  for (let i = 0; i < 5; i++) {
    const { status, body } = await server.call("user.v1.UserService/CreateUser", { name: "Eve" }, token);
    expect([status, body]).toEqual([429, NO_SPACE]);
  }
  expect(server.failures).toMatchObject([
    { msg: "there is no space left on the database's disk: could not extend file" },
  ]);
  expect(server.failures[0]).not.toHaveProperty("err");
  await server.close();
});
