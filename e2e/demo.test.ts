import { afterAll, beforeAll, expect, test } from "vitest";
import { removeData, startProduct, until, type Product } from "./testing/product.ts";

const LIT_MS = 120_000;

let product: Product;
beforeAll(async () => {
  product = await startProduct({ words: ["--demo"] });
}, 120_000);
afterAll(async () => {
  await product.stop();
  await removeData(product.dataDir);
  await removeData(product.dataDir.replace(/-demo$/, ""));
});

test("a demo night has people, talks, lamps in three universes and a chat, all labelled, in a folder of its own", async () => {
  expect(product.dataDir).toMatch(/-demo$/);
  expect(product.output()).toContain(`delete ${product.dataDir} to begin it anew`);
  const [{ users }, { events }, { talks }, { lights }, { threads }] = await Promise.all([
    product.call("user.v1.UserService/ListUsers", { list: { query: "Demo:" } }),
    product.call("event.v1.EventService/ListEvents", {}),
    product.call("talk.v1.TalkService/ListTalks", {}),
    product.call("lights.v1.LightsService/ListLights", {}),
    product.call("chat.v1.ChatService/ListThreads", {}),
  ]);
  expect([users.length, events.length, talks.length, lights.length]).toEqual([8, 1, 3, 24]);
  expect(new Set(lights.map(({ universe }: { universe: number }) => universe))).toEqual(new Set([1, 2, 3]));
  for (const { title, label } of [...events, ...talks, ...lights, ...threads])
    expect(title ?? label).toMatch(/^Demo: /);
});

test("its three songs stand on a playlist, and are heard and lit by the real line", { timeout: LIT_MS }, async () => {
  const isLit = ({ song }: any) => song.lighting_status === "ready" || song.lightingStatus === "ready";
  await until(async () => {
    const { playlists } = await product.call("music.v1.MusicService/ListPlaylists", {});
    return playlists[0].songs.length === 3 && playlists[0].songs.every(isLit);
  }, LIT_MS);
});

test("started again it is the same night, and nothing is made twice", { timeout: 120_000 }, async () => {
  const { dataDir } = product;
  await product.stop();
  product = await startProduct({ words: ["--demo"], dataDir: dataDir.replace(/-demo$/, "") });
  const { lights } = await product.call("lights.v1.LightsService/ListLights", {});
  expect(lights).toHaveLength(24);
});
