import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "@nats-io/transport-node";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { findNatsServer, startNats } from "../../operations/supervisor/nats.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { ADMIN_SUBJECTS, brokerFlaw, deniesAdmin, isBelowFloor } from "./broker-floor.ts";
import { connectBroker, ensureStreams, leaveBroker } from "./nats.ts";

test.each([
  ["2.9.10", true],
  ["2.9.25", true],
  ["2.10.0", true],
  ["2.10.26", true],
  ["2.10.27", false],
  ["2.10.29", false],
  ["2.11.0", true],
  ["2.11.0-RC.1", true],
  ["2.11.1", false],
  ["2.12.0", false],
  ["2.14.5", false],
  ["3.0.0", false],
])("nats-server %s is below the floor: %s", (version, expected) => {
  expect(isBelowFloor(version)).toBe(expected);
});

const OLD = { version: "2.10.26", isOwn: false, areSeveral: true, deniesAdmin: false };
test.each([
  ["an old outside broker of several communities is refused", {}, true],
  ["an old outside broker of one community is named", { areSeveral: false }, false],
  ["a current broker is used", { version: "2.11.1" }, undefined],
  ["our own broker is used", { isOwn: true }, undefined],
  ["an old broker that denies administration is used", { deniesAdmin: true }, undefined],
] as const)("%s", (_title, facts, isRefused) => {
  const flaw = brokerFlaw({ ...OLD, ...facts });
  expect(flaw?.isRefused).toBe(isRefused);
  if (flaw)
    expect(flaw.says).toMatch(/nats-server 2\.10\.26.*CVE-2025-30215.*Update it to 2\.10\.27, 2\.11\.1 or later\.$/);
});

const program = await findNatsServer(process.env.NATS_SERVER_BIN, () => {});
const start = async (others: readonly { slug: string; password: string }[]) =>
  openUntil(afterAll, await startNats(await folderUntil(afterAll), program, () => {}, undefined, others), (nats) =>
    nats.stop(),
  );

// kept: Live | A community could delete the streams of another one by administration subjects of the broker | failed on the old code
test("communities on one broker are denied its administration, and use their own streams", async () => {
  const nats = await start([{ slug: "harbour", password: "secret-of-harbour" }]);
  const harbour = Object.assign(new URL(nats.url), { username: "harbour", password: "secret-of-harbour" }).href;
  for (const url of [nats.url, harbour]) {
    const broker = openUntil(onTestFinished, await connectBroker(url, "test"), leaveBroker);
    await ensureStreams(broker);
    expect(await broker.jsm.streams.names().next()).toHaveLength(5);
    expect(await deniesAdmin(broker.connection)).toBe(true);
    for (const subject of ADMIN_SUBJECTS.map((each) => each.replace(">", "PURGE.first")))
      await expect(broker.connection.request(subject, "", { timeout: 5000 }), subject).rejects.toThrow(
        /Permissions Violation/,
      );
  }
});

test("a broker with one account and no permissions does not deny its administration", async () => {
  const { url } = await start([]);
  const { host, username, password } = new URL(url);
  const connection = await connect({ servers: host, user: username, pass: password });
  openUntil(onTestFinished, connection);
  expect(await deniesAdmin(connection)).toBe(false);
});

// kept: Doors | After a second community was added, the streams of before stayed on the disk with names and messages | failed on the old code
test("the streams of a broker that was not shared are removed once it is", async () => {
  const dataDir = await folderUntil(afterAll);
  const alone = await startNats(dataDir, program, () => {});
  const broker = await connectBroker(alone.url, "test");
  await ensureStreams(broker);
  await broker.js.publish("events.users.1", '{"name":"Ada of before"}');
  await leaveBroker(broker);
  await alone.stop();
  const filesWithName = async () => {
    const entries = await readdir(join(dataDir, "nats"), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    const texts = await Promise.all(files.map((path) => readFile(path, "latin1")));
    return files.filter((_, i) => texts[i]!.includes("Ada of before"));
  };
  expect(await filesWithName()).toHaveLength(1);
  const others = [{ slug: "harbour", password: "secret-of-harbour" }];
  const shared = await startNats(dataDir, program, () => {}, undefined, others);
  openUntil(onTestFinished, shared, (nats) => nats.stop());
  expect(await filesWithName()).toEqual([]);
});
