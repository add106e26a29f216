import { afterAll, beforeAll, expect, test } from "vitest";
import { synthesiseSong } from "../../apps/server/src/testing/synthetic-song.ts";
import { listenForArtNet } from "../testing/art-net-listener.ts";
import { processesOn, removeData, startProduct, until, type Product } from "../testing/product.ts";
import { isReady, lightPars, upload } from "../testing/songs.ts";

let product: Product;
let node: Awaited<ReturnType<typeof listenForArtNet>>;

beforeAll(async () => {
  [product, node] = await Promise.all([startProduct(), listenForArtNet()]);
  await lightPars(product, 4, node.port);
});
afterAll(async () => {
  node?.close();
  await product?.stop();
  await removeData(product.dataDir);
});

const call = (method: string, body: object) => product.call(`music.v1.MusicService/${method}`, body);
const playing = async (): Promise<string> => {
  const { queue } = await call("GetShowQueue", {});
  return queue.mode === "playing" ? queue.song.title : queue.mode;
};
const position = async (): Promise<number> => {
  const { queue } = await call("GetShowQueue", {});
  return (Date.parse(queue.serverTime) - Date.parse(queue.startedAt)) / 1000;
};
const isDark = () => [...(node.packets.at(-1)?.slots ?? [])].every((level) => level === 0);

async function addSong(title: string, seconds: number): Promise<string> {
  const { body } = await upload(product, `Test Artist - ${title}.wav`, synthesiseSong(seconds, 125));
  await until(() => isReady(product, body.song.id), 90_000);
  return body.song.id;
}

test("a song continues after the stage was killed", async () => {
  await call("BroadcastSong", { song_id: await addSong("Short", 20) });
  await until(() => !isDark());
  const [stage] = await processesOn(product.dataDir, "main-stage.");
  process.kill(stage!, "SIGKILL");
  node.packets.length = 0;
  await until(() => node.packets.length > 20 && !isDark());
  expect([await playing(), "stopped"]).toContain("Short");
  await call("StopMusic", {});
  await until(isDark);
});

test("a start after all processes were killed during a song restores song, position, timer and light", async () => {
  await call("BroadcastSong", { song_id: await addSong("Long", 40) });
  await product.call("director.v1.DirectorService/StartTimer", { seconds: 300 });
  await call("SeekMusic", { position: 28 });
  await until(() => !isDark());
  const { dataDir } = product;
  const parts = await processesOn(dataDir);
  const before = await position();
  const killedAt = performance.now();
  for (const pid of parts) process.kill(pid, "SIGKILL");
  await until(async () => (await processesOn(dataDir)).length === 0);
  // Longer than the rest of the song together with the start: by wall-clock time it would be over.
  await new Promise((later) => setTimeout(later, 6000));
  node.packets.length = 0;
  const startedAt = performance.now();
  product = await startProduct({ dataDir });
  const readyAt = performance.now();
  expect(await playing()).toBe("Long");
  const since = (await position()) - (performance.now() - readyAt) / 1000;
  // One heartbeat per second; and the song resumes just before the start is reported.
  expect(since).toBeGreaterThan(before - 2.5);
  expect(since).toBeLessThan(before + 2.5);
  await until(() => node.packets.length > 20 && !isDark());
  const backAfter = Math.round(performance.now() - startedAt);
  process.stderr.write(
    `killed for ${Math.round(startedAt - killedAt)} ms, ${before.toFixed(1)} s became ${since.toFixed(1)} s after ${backAfter} ms\n`,
  );
  expect(backAfter).toBeLessThan(20_000);
  const { screen } = await product.call("director.v1.DirectorService/GetStageScreen", {});
  const left = (Date.parse(screen.timerEndsAt) - Date.parse(screen.serverTime)) / 1000;
  expect(left).toBeGreaterThan(270);
});
