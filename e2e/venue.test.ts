import { afterAll, beforeAll, expect, test } from "vitest";
import { openCable, type Cable } from "../apps/server/src/platform/testing/cable.ts";
import { synthesiseSong } from "../apps/server/src/testing/synthetic-song.ts";
import { listenForArtNet } from "./testing/art-net-listener.ts";
import { removeData, startProduct, until, type Product } from "./testing/product.ts";
import { isReady, lightPars, upload } from "./testing/songs.ts";

let office: Product;
let box: Product;
let cable: Cable;
let node: Awaited<ReturnType<typeof listenForArtNet>>;
let eventId: string;
let playlistId: string;
let venueId: string;

beforeAll(async () => {
  [office, node] = await Promise.all([startProduct(), listenForArtNet()]);
  cable = await openCable(office.url.replace("localhost", "127.0.0.1"));
  const { body } = await upload(office, "Test Artist - Song 120.wav", synthesiseSong(6, 120));
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();
  const night = { title: "Friday night", starts_at: at(-3600_000), ends_at: at(5 * 3600_000) };
  eventId = (await office.call("event.v1.EventService/CreateEvent", night)).event.id;
  for (const name of ["Bea", "Cy"]) await office.call("user.v1.UserService/CreateUser", { name });
  playlistId = (await office.call("music.v1.MusicService/CreatePlaylist", { name: "Friday" })).playlist.id;
  await until(() => isReady(office, body.song.id), 90_000);
  const listed = { playlist_id: playlistId, song_id: body.song.id };
  await office.call("music.v1.MusicService/AddSongToPlaylist", listed);
  const { venue, token } = await office.call("venue.v1.VenueService/AddVenue", { name: "Cellar" });
  venueId = venue.id;
  const tonight = { venue_id: venueId, event_id: eventId, playlist_ids: [playlistId] };
  await office.call("venue.v1.VenueService/SetTonight", tonight);
  box = await startProduct({ words: ["--venue", "--server", cable.url.replace(/\/$/, ""), "--token", token] });
});
afterAll(async () => {
  await box?.stop();
  await office?.stop();
  await cable?.close();
  node?.close();
  for (const product of [box, office]) if (product) await removeData(product.dataDir);
});

const codes = async (of: Product): Promise<{ userName: string; code: string }[]> =>
  (await of.call("event.v1.EventService/ListAttendeeCodes", { event_id: eventId })).codes;
const codeOf = async (of: Product, name: string) => (await codes(of)).find(({ userName }) => userName === name)!.code;
const letIn = (of: Product, code: string) => of.call("event.v1.EventService/ScanQr", { event_id: eventId, code });
const cameTo = async (of: Product): Promise<string[]> => {
  const { checkIns } = await of.call("event.v1.EventService/ListCheckIns", { event_id: eventId });
  return checkIns.map(({ userName }: { userName: string }) => userName).sort();
};
const boxState = async () => (await box.call("venue.v1.VenueService/GetBox", {})).box;
const report = async () => (await office.call("night.v1.NightService/GetNightReport", { event_id: eventId })).report;

test("a venue server fetches tonight's data, runs for hours without the office, and its events are synced exactly once", async () => {
  await until(async () => (await boxState())?.holds?.songs === 1);
  const holds = { event: "Friday night", songs: 1, songsOf: 1, people: 2 };
  await until(async () => {
    const [venue] = (await office.call("venue.v1.VenueService/ListVenues", {})).venues;
    return venue.state === "here" && venue.holds?.songs === 1;
  });
  expect((await office.call("venue.v1.VenueService/ListVenues", {})).venues).toMatchObject([{ name: "Cellar", holds }]);
  // The fixtures are connected to the venue server and patched on its console.
  await lightPars(box, 4, node.port);

  cable.isUp = false;
  cable.cut("reset");
  await until(async () => (await boxState()).cutSince !== undefined);
  expect(await letIn(box, await codeOf(office, "Bea"))).toMatchObject({ success: true, userName: "Bea" });
  await box.call("music.v1.MusicService/PlayPlaylist", { playlist_id: playlistId });
  await until(() => node.packets.some(({ slots }) => slots.some((level) => level > 0)));
  await until(async () => (await box.call("music.v1.MusicService/GetShowQueue", {})).queue.mode === "stopped");
  expect(await boxState()).toMatchObject({ venue: "Cellar", holds: { waiting: 2 } });
  // Meanwhile the office checks in another attendee.
  expect(await letIn(office, await codeOf(office, "Cy"))).toMatchObject({ success: true });

  // The connection is back; the office applies the events, but its response is lost.
  cable.loseAnswer('"results"');
  cable.isUp = true;
  await until(async () => (await boxState()).cutSince === undefined && !(await boxState()).holds?.waiting, 40_000);
  const { people, songs } = await report();
  expect(people).toBe(2);
  expect(songs).toMatchObject([{ title: "Song 120", playlist: "Friday" }]);
  expect(await cameTo(office)).toEqual(["Bea", "Cy"]);
  // The venue server knows the office's check-in.
  await until(async () => (await cameTo(box)).length === 2);
  expect(await letIn(box, await codeOf(office, "Cy"))).toMatchObject({ alreadyCheckedIn: true, userName: "Cy" });
});
