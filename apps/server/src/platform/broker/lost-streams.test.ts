import { spawn } from "node:child_process";
import { STREAMS } from "@followspot/contract";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { findNatsServer } from "../../operations/supervisor/nats.ts";
import { freePort, stopChild } from "../../operations/supervisor/processes.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { connectBroker, ensureStreams, leaveBroker } from "./nats.ts";

const OTHER = { name: "OF_ANOTHER_PROGRAM", subjects: ["other.>"] };

/** A NATS server outside the installation: no supervisor restarts it when files of its streams are missing. */
const port = await freePort();
const folder = await folderUntil(afterAll);
const binary = await findNatsServer(process.env.NATS_SERVER_BIN, () => {});
const server = spawn(binary, ["-js", "-sd", folder, "-a", "127.0.0.1", "-p", String(port)], { stdio: "ignore" });
afterAll(() => stopChild(server, "SIGTERM", 5000));

let losses = 0;
const onStreamsLost = () => losses++;
const broker = openUntil(
  afterAll,
  await connectBroker(`nats://127.0.0.1:${port}`, "test", { onStreamsLost }),
  leaveBroker,
);
/** Waits for the next two probes; the first one may have begun before. */
async function probed() {
  const requests = async () => (await broker.jsm.getAccountInfo()).api.total;
  for (let probes = 0, before = await requests(); probes < 2;) {
    await expect.poll(async () => (await requests()) - ++before).toBeGreaterThan(0);
    [probes, before] = [probes + 1, await requests()];
  }
}

describe.each(Object.values(STREAMS).map(({ name }) => name))("the stream %s", (name) => {
  // kept: Live | Health was ok while streams were missing that had been deleted from a running broker | failed on the old code
  test("is reported as lost after it was deleted, until it exists again", async () => {
    await ensureStreams(broker);
    await probed();
    expect(broker.hasStreams()).toBe(true);
    const before = losses;
    await broker.jsm.streams.delete(name);
    await expect.poll(() => broker.hasStreams()).toBe(false);
    expect(losses).toBeGreaterThan(before);
    await ensureStreams(broker);
    await expect.poll(() => broker.hasStreams()).toBe(true);
  });
});

test("the stream of another program is not missed", async () => {
  await ensureStreams(broker);
  await broker.jsm.streams.add(OTHER);
  onTestFinished(async () => void (await broker.jsm.streams.delete(OTHER.name).catch(() => false)));
  await probed();
  const before = losses;
  await broker.jsm.streams.delete(OTHER.name);
  await probed();
  expect([broker.hasStreams(), losses]).toEqual([true, before]);
});
