import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { STREAMS, subjects } from "@followspot/contract";
import { hasRoom } from "../../platform/files/disk.ts";
import { connectBroker, ensureStreams, leaveBroker, WORKER_CONSUMER, type Broker } from "../../platform/broker/nats.ts";
import { canMount, mountSmallDisk, type SmallDisk } from "../../testing/small-disk.ts";
import { keepService, type KeptService } from "./keep-running.ts";
import { askJetStream, findNatsServer, startNats } from "./nats.ts";

const WAIT = { timeout: 30_000, interval: 100 };
/** Time for songs to continue once there is room again. */
const BACK = { timeout: 10_000, interval: 100 };

describe.skipIf(!canMount)("NATS on a small disk", () => {
  let disk: SmallDisk;
  let kept: KeptService;
  let broker: Broker;
  let warnings: string[];
  let heard: string[];
  beforeEach(async () => {
    warnings = [];
    heard = [];
    disk = mountSmallDisk(64);
    const binary = await findNatsServer(process.env.NATS_SERVER_BIN, () => {});
    kept = keepService("broker", (url) => startNats(disk.path, binary, () => {}, url), {
      warn: (line) => warnings.push(line),
      question: { ask: askJetStream, silenceMs: 5000, wouldHelp: () => hasRoom(disk.path) },
    });
    broker = await connectBroker(await kept.url, "test", {
      onSilence: () => heard.push("silent"),
      onSilenceOver: () => heard.push("back"),
    });
    await ensureStreams(broker);
  });
  afterEach(async () => {
    await leaveBroker(broker);
    await kept.stop();
    await disk.unmount();
  });

  const moveSong = async (id: string) => {
    await ensureStreams(broker);
    await broker.js.publish(subjects.job("analysis"), JSON.stringify({ job_id: id }), { timeout: 1000 });
    const consumer = await broker.js.consumers.get(STREAMS.songs.name, WORKER_CONSUMER);
    const message = await consumer.next({ expires: 1000 });
    await message?.ackAck();
    return message?.json<{ job_id: string }>().job_id;
  };
  const fail = () => "not yet";

  // kept: Doors | With less than 340 MB free at the first start of NATS no song was ever processed | failed on the old
  // code
  test("moves songs with 64 MB from its first start on", async () => {
    expect(await moveSong("first")).toBe("first");
  });

  // kept: Doors | NATS stayed unusable after it had disabled JetStream on a full disk | also
  // kept: Doors | NATS that was restarted on a full disk never stored anything again | failed on the old code
  test("is reported as unavailable when its disk is full, and moves songs within 10 s once there is room", async () => {
    await disk.fill(200_000);
    // Messages fill the remaining space, and JetStream disables itself.
    const filling = setInterval(() => {
      void broker.js.publish(subjects.event("thing.changed"), "x".repeat(20_000), { timeout: 500 }).catch(fail);
    }, 20);
    try {
      await expect.poll(() => broker.isUp(), WAIT).toBe(false);
      await expect.poll(() => heard, WAIT).toEqual(["silent"]);
      await expect.poll(() => warnings, WAIT).toEqual([expect.stringMatching(/, and its disk is full\. Free some/)]);
    } finally {
      clearInterval(filling);
    }
    await disk.makeRoom();
    await expect.poll(() => moveSong("later").catch(fail), BACK).toBe("later");
    await expect.poll(() => [broker.isUp(), heard], WAIT).toEqual([true, ["silent", "back"]]);
  });
});
