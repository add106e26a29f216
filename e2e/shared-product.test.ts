import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ConsoleSocket } from "../apps/server/src/stage/testing/console-socket.ts";
import { synthesiseSong } from "../apps/server/src/testing/synthetic-song.ts";
import { until } from "./testing/product.ts";
import { sharedProduct, type SharedProduct } from "./testing/shared-product.ts";
import { isReady, lightPars, upload } from "./testing/songs.ts";

const LISTS = {
  users: "user.v1.UserService/ListUsers",
  events: "event.v1.EventService/ListEvents",
  songs: "music.v1.MusicService/ListSongs",
  lights: "lights.v1.LightsService/ListLights",
  outputs: "lights.v1.LightsService/ListOutputs",
  entries: "audit.v1.AuditService/ListAuditEntries",
};

async function counts(product: SharedProduct): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const [name, method] of Object.entries(LISTS)) found[name] = (await product.call(method, {}))[name]?.length ?? 0;
  return found;
}

test("a shared product is in the state of its first start, whatever an earlier test has left", async () => {
  const product = await sharedProduct();
  const before = await counts(product);
  const headers = { authorization: `Bearer ${await product.token()}` };
  const { user } = await product.call("user.v1.UserService/CreateUser", { name: "Ada" });
  await product.call("user.v1.UserService/DeleteUser", { user_id: user.id });
  const at = { starts_at: new Date().toISOString(), ends_at: new Date(Date.now() + 3600_000).toISOString() };
  await product.call("event.v1.EventService/CreateEvent", { title: "Friday night", ...at });
  await lightPars(product, 2, product.nodePort);
  const { body } = await upload(product, "House Band - Left Behind.wav", synthesiseSong(5, 120));
  await until(() => isReady(product, body.song.id), 90_000);
  const sockets = product.url.replace("http", "ws");
  const player = await new ConsoleSocket(`${sockets}/lights/playback/${body.song.id}`, { headers }).opened();
  await player.play(0);
  player.close();
  const blackout = await fetch(`${product.url}/api/stage/blackout`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ on: true }),
  });
  expect(blackout.status).toBe(200);
  expect(await counts(product)).not.toEqual(before);

  const again = await sharedProduct();
  expect([again.url, again.ownerLink]).toEqual([product.url, product.ownerLink]);
  expect(await counts(again)).toEqual(before);
  expect(await readdir(join(again.dataDir, "songs"))).toEqual([]);
  const stage = async () => (await fetch(`${again.url}/api/stage/health`, { headers })).json();
  expect(await stage()).toMatchObject({ mode: "idle", blackout: false });
  await until(async () => ((await stage()) as { universes: number[] }).universes.length === 0);
  await lightPars(again, 1, again.nodePort);
  expect((await again.call(LISTS.lights, {})).lights).toMatchObject([{ id: 1 }]);
});
