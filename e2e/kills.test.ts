import { expect, test } from "vitest";
import { randomStream } from "../packages/lighting/src/random.ts";
import { sufferStorm } from "./testing/event-storm.ts";
import { sufferKills, type Target } from "./testing/kills.ts";
import { removeData, startProduct } from "./testing/product.ts";
import { startTwoApis } from "./testing/two-apis.ts";

/** A few of what `npm run bench:kills` and `npm run bench:events` do hundreds of times. */
const TARGETS: readonly Target[] = ["worker", "api", "broker", "worker", "database", "worker"];

test("no song is lost, doubled or half made when worker, API, broker and database are killed while songs come in", async () => {
  const product = await startProduct({ env: { FOLLOWSPOT_STEMS: "off" } });
  try {
    const report = await sufferKills(product, {
      targets: TARGETS,
      random: randomStream(12),
    });
    expect(report).toMatchObject({ lost: 0, doubled: 0, notReady: 0, wrongAudit: 0, wrongSteps: 0, wrongFiles: 0 });
    expect(report).toMatchObject({ leftInBroker: 0, leftInOutbox: 0 });
  } finally {
    await product.stop();
    await removeData(product.dataDir);
  }
}, 400_000);

test("two APIs tell every listener everything once and in order, over cut lines and killed parts", async () => {
  const apis = await startTwoApis();
  try {
    const report = await sufferStorm(apis, { events: 300, clients: 3, cuts: 5, kills: 2 });
    expect(report).toMatchObject({ lost: 0, doubled: 0, outOfOrder: 0, resets: 0 });
    expect(report.passedOn).toBeGreaterThan(100);
  } finally {
    await apis.close();
  }
}, 300_000);
