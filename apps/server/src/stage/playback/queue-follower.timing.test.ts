import { beforeEach, expect, test } from "vitest";
import { monotonicMs } from "../outputs/frame-ring.ts";
import type { StageServer } from "../stage-server.ts";
import { until, type DmxNode } from "../testing/dmx-node.ts";
import { watchMachine } from "../testing/machine-lag.ts";
import { headersOf, openConsole, openHouse, openStage } from "../testing/house.ts";
import type { StageApiServer } from "../testing/stage-api-server.ts";

const headers = headersOf("Director");
let api: StageApiServer;
let node: DmxNode;
let dataDir: string;
let stage: StageServer;

beforeEach(async () => {
  ({ api, node, dataDir } = await openHouse());
  await raise();
});

const raise = async () => (stage = await openStage({ api, dataDir }));
const ring = () => fetch(`http://127.0.0.1:${stage.port}/queue`, { method: "POST", headers });
const slots = () => [...(node.packets.at(-1)?.bytes.subarray(18) ?? [])];
const brightest = () => Math.max(0, ...slots());
const isDark = () => node.packets.length > 0 && brightest() === 0;
const isFull = () => brightest() > 200;
/** Whether washes are in dim warm white. */
const isHouseLook = () => brightest() > 0 && brightest() < 120;

test("a song of the queue plays at its position with no console connected", async () => {
  api.setQueue({ song_id: "dark", position: 7 });
  await ring();
  await until(isDark);
  await until(isFull); // after the seconds before the song's first light
  const watcher = await openConsole(stage.port, "dark");
  expect(watcher.state).toMatchObject({ mode: "playing", song_id: "dark", owner: false });
  expect(watcher.state!.position).toBeGreaterThan(9.9);
  watcher.close();
});

test("the next song is on stage at once after a notification, and by polling if the notification is lost", async () => {
  api.setQueue({ song_id: "dark" });
  await ring();
  await until(isDark);
  const machine = watchMachine();
  api.setQueue({ song_id: "bright", position: 1 });
  const skipped = monotonicMs();
  void ring();
  await until(isFull);
  expect(node.packets.find(({ bytes }) => Math.max(...bytes.subarray(18)) > 200)!.ms - skipped).toBeLessThan(
    400 + 2 * machine.worst(),
  );
  api.setQueue({ song_id: "dark", position: 1 });
  await until(isDark, 3000 + 2 * machine.worst());
});

test("the stage is dark when the queue is stopped; after the last song the default look stays until a user takes over", async () => {
  api.setQueue({ song_id: "bright", position: 1 });
  await ring();
  await until(isFull);
  api.setQueue({});
  await ring();
  await until(isDark);
  api.setQueue({ song_id: "bright", position: 1 });
  await ring();
  await until(isFull);
  api.setQueue({ house_light: true });
  await ring();
  await until(isHouseLook);
  const console = await openConsole(stage.port, "bright");
  await console.play(1);
  await until(isFull);
  console.close();
});

test("light fades in from the default look, fades back, and stays in it during the gap", async () => {
  api.setQueue({ song_id: "bright", position: -1, duration: 5, fade_seconds: 2 });
  await ring();
  await until(isHouseLook);
  const levels: number[] = [];
  await until(() => {
    levels.push(brightest());
    return levels.length > 5 && isFull();
  });
  // There are levels in between: it fades and does not jump.
  expect(levels.filter((level) => level > 130 && level < 190).length).toBeGreaterThan(2);
  await until(() => !isFull());
  await until(isHouseLook);
});

test("a console that takes over the lights keeps them, and the queue is notified", async () => {
  api.setQueue({ song_id: "dark" });
  await ring();
  await until(isDark);
  const console = await openConsole(stage.port, "bright");
  await console.play(1, true);
  await until(() => api.taken.length > 0);
  expect(api.taken).toEqual(["dark"]);
  api.setQueue({});
  await ring();
  await until(isFull);
  expect(console.state).toMatchObject({ owner: true, mode: "playing" });
  console.close();
});

// kept: Stage and lamps | The show queue took the lights back from a console that had just taken over | failed on the
// old code
test("a console that takes over the lights just before the next song keeps them", async () => {
  api.setQueue({ song_id: "dark" });
  await ring();
  await until(isDark);
  // The queue's next song is due before main-api is notified.
  api.beforeTaken = () => api.setQueue({ song_id: "next" });
  const console = await openConsole(stage.port, "bright");
  await console.play(1, true);
  await ring();
  await until(() => api.taken.length > 1);
  const from = monotonicMs();
  await until(() => monotonicMs() - from > 700); // the queue is polled twice a second
  expect(console.state).toMatchObject({ owner: true, mode: "playing", song_id: "bright" });
  expect(isFull()).toBe(true);
  console.close();
});

test("a restarted stage continues in the middle of the song", async () => {
  api.setQueue({ song_id: "dark", position: 8.5 });
  await ring();
  await until(isDark);
  await stage.close();
  node.packets.length = 0;
  await raise();
  await until(isFull);
  const watcher = await openConsole(stage.port, "dark");
  expect(watcher.state!.position).toBeGreaterThan(9.9);
  watcher.close();
});

test("a song plays on while main-api is unavailable", async () => {
  api.setQueue({ song_id: "dark", position: 8 });
  await ring();
  await until(isDark);
  await api.close();
  await until(isFull);
});

test("a song without a plan leaves the default look, and the next one plays", async () => {
  api.setQueue({ song_id: "none" });
  await ring();
  await until(isHouseLook);
  api.setQueue({ song_id: "bright", position: 1 });
  await ring();
  await until(isFull);
});
