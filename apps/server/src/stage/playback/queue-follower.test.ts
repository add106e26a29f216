import { emptyPlan } from "@followspot/lighting";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Lamps } from "../lamps/lamps.ts";
import { monotonicMs } from "../outputs/frame-ring.ts";
import { STAGE_SECRET, startStageApi, type StageApiServer } from "../testing/stage-api-server.ts";
import { QueueFollower } from "./queue-follower.ts";

let api: StageApiServer;
let lamps: Lamps;
let follower: QueueFollower;

beforeEach(async () => {
  api = await startStageApi();
  lamps = new Lamps();
  follower = new QueueFollower({
    config: { port: 0, secret: STAGE_SECRET, dataDir: "", api: api.url },
    log: pino({ level: "silent" }),
    lamps,
    fetchPlan: async () => emptyPlan(["all"]),
    refresh: () => {},
  });
  await follower.look();
});
afterEach(async () => {
  follower.close();
  await api.close();
});

/** Sets the queue and returns the scene after the follower has synced. */
async function queueIs(queue: Parameters<StageApiServer["setQueue"]>[0]) {
  api.setQueue(queue);
  await follower.look();
  return lamps.sceneAt(monotonicMs());
}
const DARK = { kind: "silent" };
const DEFAULT_LOOK = { kind: "show", houseMix: 1, isSafe: false };

// kept: Stage and lamps | After the last song the night could not be ended: the default look stayed until a blackout |
// failed on the old code
describe("the lights after the last song", () => {
  beforeEach(async () => {
    await queueIs({ song_id: "one", position: 5 });
    expect(await queueIs({ house_light: true })).toMatchObject(DEFAULT_LOOK);
  });

  test("stay in the default look while the queue stays stopped", async () => {
    expect(await queueIs({ house_light: true })).toMatchObject(DEFAULT_LOOK);
  });

  test("are dark once the night has ended", async () => {
    expect(await queueIs({ house_light: false })).toEqual(DARK);
  });

  test("follow the next song when one starts", async () => {
    expect(await queueIs({ song_id: "two", position: 5 })).toMatchObject({ kind: "show", houseMix: 0 });
  });
});

test("a stage that restarts with lit lights keeps its safe look until the queue changes", async () => {
  lamps.rest("safe");
  const restarted = new QueueFollower({
    config: { port: 0, secret: STAGE_SECRET, dataDir: "", api: api.url },
    log: pino({ level: "silent" }),
    lamps,
    fetchPlan: async () => emptyPlan(["all"]),
    refresh: () => {},
  });
  await restarted.look();
  restarted.close();
  expect(lamps.sceneAt(monotonicMs())).toMatchObject({ kind: "show", isSafe: true });
  expect(await queueIs({})).toEqual(DARK);
});
