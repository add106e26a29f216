import { spawn } from "node:child_process";
import { STREAMS } from "@followspot/contract";
import { describe, test, type TestContext } from "vitest";
import { findNatsServer } from "../../operations/supervisor/nats.ts";
import { freePort, stopChild } from "../../operations/supervisor/processes.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { connectBroker, ensureStreams, leaveBroker } from "./nats.ts";

const OTHER = { name: "OF_ANOTHER_PROGRAM", subjects: ["other.>"] };

const binary = await findNatsServer(process.env.NATS_SERVER_BIN, () => {});

/**
 * Starts a NATS server outside the installation, which no supervisor restarts when files of its streams are missing, and
 * connects to it. Each test has its own, so that they can wait for their probes at the same time.
 */
async function openBroker({ expect, onTestFinished: end }: TestContext) {
  const [port, folder] = [await freePort(), await folderUntil(end)];
  const server = spawn(binary, ["-js", "-sd", folder, "-a", "127.0.0.1", "-p", String(port)], { stdio: "ignore" });
  end(() => stopChild(server, "SIGTERM", 5000));
  let losses = 0;
  const onStreamsLost = () => losses++;
  const url = `nats://127.0.0.1:${port}`;
  const broker = openUntil(end, await connectBroker(url, "test", { onStreamsLost }), leaveBroker);
  await ensureStreams(broker);
  const requests = async () => (await broker.jsm.getAccountInfo()).api.total;
  return {
    broker,
    losses: () => losses,
    /** Waits for the next two probes; the first one may have begun before. */
    probed: async () => {
      for (let probes = 0, before = await requests(); probes < 2;) {
        await expect.poll(async () => (await requests()) - ++before).toBeGreaterThan(0);
        [probes, before] = [probes + 1, await requests()];
      }
    },
  };
}

describe.concurrent.each(Object.values(STREAMS).map(({ name }) => name))("the stream %s", (name) => {
  // kept: Live | Health was ok while streams were missing that had been deleted from a running broker | failed on the old code
  test("is reported as lost after it was deleted, until it exists again", async (context) => {
    const { expect } = context;
    const { broker, losses, probed } = await openBroker(context);
    await probed();
    expect(broker.hasStreams()).toBe(true);
    const before = losses();
    await broker.jsm.streams.delete(name);
    await expect.poll(() => broker.hasStreams()).toBe(false);
    expect(losses()).toBeGreaterThan(before);
    await ensureStreams(broker);
    await expect.poll(() => broker.hasStreams()).toBe(true);
  });
});

test.concurrent("the stream of another program is not missed", async (context) => {
  const { expect } = context;
  const { broker, losses, probed } = await openBroker(context);
  await broker.jsm.streams.add(OTHER);
  await probed();
  const before = losses();
  await broker.jsm.streams.delete(OTHER.name);
  await probed();
  expect([broker.hasStreams(), losses()]).toEqual([true, before]);
});
