import { afterAll, beforeAll, expect, test } from "vitest";
import { synthesiseSong } from "../../apps/server/src/testing/synthetic-song.ts";
import { listenForArtNet } from "../testing/art-net-listener.ts";
import { processesOn, removeData, startProduct, until, type Product } from "../testing/product.ts";
import { isReady, lightPars, upload } from "../testing/songs.ts";

/** How long a receiver holds its last look (E1.31 §6.7.1), ms: an audience would notice a longer gap. */
const HELD_MS = 3000;

let first: Product;
let standby: Product;
let node: Awaited<ReturnType<typeof listenForArtNet>>;
let songId: string;
let playlistId: string;

const music = (of: Product, method: string, body: object = {}) => of.call(`music.v1.MusicService/${method}`, body);
const venue = (of: Product, method: string, body: object = {}) => of.call(`venue.v1.VenueService/${method}`, body);
const partOf = async (of: Product) => (await venue(of, "GetBox")).lamps?.part;
const queueOf = async (of: Product) => (await music(of, "GetShowQueue")).queue;
const isLit = (slots: Uint8Array) => slots.some((level) => level > 0);
/** Returns the song's position at a machine, seconds. */
const positionAt = async (of: Product) => {
  const { startedAt, serverTime } = await queueOf(of);
  return (Date.parse(serverTime) - Date.parse(startedAt)) / 1000;
};
/** Returns the difference between the song's start times at the two machines, ms. */
const apart = async () => {
  const [here, there] = [await queueOf(first), await queueOf(standby)];
  return Math.abs(Date.parse(here.startedAt) - Date.parse(there.startedAt));
};
const sendersSince = (at: number) => new Set(node.packets.filter((packet) => packet.at > at).map(({ from }) => from));

beforeAll(async () => {
  [first, node] = await Promise.all([startProduct(), listenForArtNet()]);
  const { body } = await upload(first, "Test Artist - Song 120.wav", synthesiseSong(60, 120));
  songId = body.song.id;
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();
  const night = { title: "Friday night", starts_at: at(-3600_000), ends_at: at(5 * 3600_000) };
  const eventId = (await first.call("event.v1.EventService/CreateEvent", night)).event.id;
  playlistId = (await music(first, "CreatePlaylist", { name: "Friday" })).playlist.id;
  await lightPars(first, 4, node.port);
  await until(() => isReady(first, songId), 90_000);
  await music(first, "AddSongToPlaylist", { playlist_id: playlistId, song_id: songId });
  const added = await venue(first, "AddVenue", { name: "Spare laptop", is_standby: true });
  const tonight = { venue_id: added.venue.id, event_id: eventId, playlist_ids: [playlistId] };
  await venue(first, "SetTonight", tonight);
  const server = first.url.replace("localhost", "127.0.0.1");
  standby = await startProduct({ words: ["--venue", "--server", server, "--token", added.token] });
  await until(async () => (await venue(standby, "GetBox")).box?.holds?.songs === 1);
});
afterAll(async () => {
  await standby?.stop();
  await first?.stop();
  node?.close();
  for (const product of [standby, first]) if (product) await removeData(product.dataDir);
});

test("when the first machine dies during a song, its standby continues the same show on the fixtures within three seconds, and hands them back on request", async () => {
  await music(first, "PlayPlaylist", { playlist_id: playlistId });
  await until(async () => (await queueOf(standby)).song?.id === songId);
  await until(() => isLit(node.packets.at(-1)?.slots ?? new Uint8Array()));
  expect(sendersSince(0).size).toBe(1);
  await until(async () => (await apart()) < 300);

  // Simulates a power failure: all processes are killed, including the database.
  const place = { dataDir: first.dataDir, port: Number(new URL(first.url).port) };
  const [firstSender] = sendersSince(0);
  const position = (await positionAt(first)) - performance.now() / 1000;
  first.process.kill("SIGKILL");
  for (const pid of await processesOn(first.dataDir)) process.kill(pid, "SIGKILL");
  const died = node.packets.at(-1)!;
  await until(() => node.packets.some(({ from }) => from !== firstSender));
  const taken = node.packets.find(({ from }) => from !== firstSender)!;
  console.info(`the lamps stood for ${Math.round(taken.at - died.at)} ms`);
  expect(taken.at - died.at).toBeLessThan(HELD_MS);
  expect(await partOf(standby)).toBe("leads");
  // Position the song would have reached.
  expect(Math.abs((await positionAt(standby)) - position - performance.now() / 1000)).toBeLessThan(0.5);
  await until(() => node.packets.slice(node.packets.indexOf(taken)).some(({ slots }) => isLit(slots)));

  // The first machine restarts with the song from its database: it stays silent, and follows the standby.
  first = await startProduct(place);
  await until(async () => (await partOf(first)) === "yields");
  await until(async () => (await queueOf(first)).mode === "playing");
  await until(async () => (await apart()) < 300);
  const refused = await music(first, "SkipSong").catch((error: Error) => error.message);
  expect(refused).toContain("The other machine drives the lamps");

  // On a busy machine the first one may not have answered the standby for a moment; an operator presses again.
  await until(() =>
    venue(standby, "HandBackLamps").then(
      () => true,
      () => false,
    ),
  );
  const handedAt = performance.now();
  await until(async () => (await partOf(first)) === undefined);
  const standbySender = taken.from;
  const isBack = () => node.packets.slice(-20).every(({ at, from }) => at > handedAt && from !== standbySender);
  await until(isBack);
  const backAt = node.packets.findLast(({ from }) => from === standbySender)!.at;
  expect(sendersSince(backAt)).not.toContain(standbySender);
  expect(sendersSince(backAt).size).toBe(1);
  expect(await partOf(standby)).toBe("follows");
});
