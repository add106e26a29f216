import { tmpdir } from "node:os";
import { afterAll, beforeEach, expect, test } from "vitest";
import { transact } from "../../platform/database/transaction.ts";
import { openUntil } from "../../testing/open-until.ts";
import { insertReadySong } from "../../testing/ready-song.ts";
import { startTestServer, type Wire } from "../../testing/test-server.ts";
import { adoptAfterOutage, goOnAfterOutage, holdAfterOutage } from "./queue-outage.ts";
import { adoptPlayed, advanceQueue, followPlayer, queueForStage, yieldQueue } from "./show-queue.ts";

const server = openUntil(afterAll, await startTestServer({ dataDir: tmpdir() }));
const ports = { sql: server.sql, sounds: { of: async () => undefined } };
const director = await server.person("Dora", ["Director"]);
beforeEach(async () => {
  await call("StopMusic", {});
  await server.sql`delete from played_songs`;
  await server.sql`delete from events`;
});

const call = (method: string, body: object) => server.ask(`music.v1.MusicService/${method}`, body, director.token);

/** Creates a song of 180 seconds. */
const song = (title: string) => insertReadySong(server.sql, { title, artist: "Mira", seconds: 179 });
async function play(...titles: string[]): Promise<readonly string[]> {
  const songs = [];
  for (const title of titles) songs.push(await song(title));
  const { playlist } = await call("CreatePlaylist", { name: "Friday" });
  for (const id of songs) await call("AddSongToPlaylist", { playlist_id: playlist.id, song_id: id });
  await call("PlayPlaylist", { playlist_id: playlist.id, gap_seconds: 2 });
  return songs;
}
/** Simulates elapsed time by moving the stored times back. */
async function later(seconds: number): Promise<void> {
  const by = `${seconds} seconds`;
  await server.sql`update show_queue set started_at = started_at - ${by}::interval, ends_at = ends_at - ${by}::interval`;
  await server.sql`update played_songs set started_at = started_at - ${by}::interval, ended_at = ended_at - ${by}::interval`; // prettier-ignore
}
/** Titles with the seconds played, rounded down to a multiple of five because the test itself takes time. */
const played = async (): Promise<readonly (readonly [string, number])[]> =>
  (await server.sql`select title, heard_seconds from played_songs order by turn`).map(({ title, heard_seconds }) => [title, 5 * Math.floor((heard_seconds + 0.5) / 5)]); // prettier-ignore

test("records a finished and a skipped song with the seconds played", async () => {
  await play("One", "Two", "Three");
  await later(180.1);
  await advanceQueue(ports);
  await later(32);
  await call("SkipSong", {});
  await later(5);
  await call("StopMusic", {});
  expect(await played()).toEqual([["One", 180], ["Two", 30], ["Three", 5]]); // prettier-ignore
  const [one] = await server.sql`select artist, seconds, playlist, extract(epoch from ended_at - started_at)::float8 as lasted from played_songs order by turn`; // prettier-ignore
  expect(one).toMatchObject({ artist: "Mira", seconds: 180, playlist: "Friday" });
  expect(one!.lasted).toBeCloseTo(180, 3);
});

test("excludes pauses and skipped parts, and counts repeated parts", async () => {
  await play("One");
  await later(20);
  await call("PauseMusic", {});
  await later(300);
  await call("SeekMusic", { position: 100 });
  await call("ResumeMusic", {});
  await later(10);
  await call("SeekMusic", { position: 0 });
  await later(15);
  await yieldQueue(server.sql, (await queueForStage(server.sql)).song_id);
  expect(await played()).toEqual([["One", 45]]);
});

test("records no song that was skipped in the gap before it", async () => {
  await play("One", "Two", "Three");
  await later(180.1);
  await advanceQueue(ports);
  await call("SkipSong", {});
  await later(3);
  await call("StopMusic", {});
  expect((await played()).map(([title]) => title)).toEqual(["One", "Three"]);
});

test("records both songs of a cross-fade with their whole length", async () => {
  const songs = await play("One", "Two");
  const { playlists } = await call("ListPlaylists", {});
  const { id } = playlists.find(({ songs: all }: Wire) => all.some((each: Wire) => each.song.id === songs[0]));
  await call("PlayPlaylist", { playlist_id: id, gap_seconds: -8 });
  await later(173);
  expect(await advanceQueue(ports)).toBe(true);
  await later(174);
  await advanceQueue(ports);
  const heard = (await played()).slice(-2);
  expect(heard).toEqual([["One", 180], ["Two", 180]]); // prettier-ignore
});

test("records the player's position, and the songs it advanced to by itself", async () => {
  const [, two] = await play("One", "Two");
  await later(60);
  const { revision } = await queueForStage(server.sql);
  // The song began ten seconds late.
  await followPlayer(server.sql, { revision }, 50);
  await later(10);
  await adoptPlayed(ports, two!, 4);
  await later(6);
  await call("StopMusic", {});
  expect(await played()).toEqual([["One", 60], ["Two", 10]]); // prettier-ignore
});

test("records the seconds before and after an outage of the whole product", async () => {
  await play("One");
  await later(50);
  const [last] = await server.sql`select clock_timestamp() as seen`;
  await later(600);
  const lastSeen = new Date(last!.seen.getTime() - 600_000);
  await transact(server.sql, (tx) => holdAfterOutage(tx, lastSeen));
  await later(30);
  expect(await played()).toEqual([["One", 50]]);
  await goOnAfterOutage(server.sql);
  await later(10);
  await call("StopMusic", {});
  expect(await played()).toEqual([["One", 60]]);
});

/** Simulates an outage of the given number of seconds. @returns the queue's revision before it */
async function outage(seconds: number): Promise<number> {
  const { revision } = await queueForStage(server.sql);
  await later(seconds);
  const [last] = await server.sql`select clock_timestamp() as seen`;
  await transact(server.sql, (tx) => holdAfterOutage(tx, new Date(last!.seen.getTime() - seconds * 1000)));
  return revision;
}

test("records what a player played during an outage, within one song", async () => {
  const [one] = await play("One");
  await later(50);
  const revision = await outage(30);
  await adoptAfterOutage(server.sql, { song_id: one!, position: 80, revision });
  await later(10);
  await call("StopMusic", {});
  expect(await played()).toEqual([["One", 90]]);
});

test("records what a player played during an outage: the rest of the song, and the songs up to its current one", async () => {
  const [, , three] = await play("One", "Two", "Three");
  await later(170);
  await outage(250);
  await adoptPlayed(ports, three!, 40);
  await later(5);
  await call("StopMusic", {});
  expect(await played()).toEqual([["One", 180], ["Two", 180], ["Three", 45]]); // prettier-ignore
  // A song for which there was no time was not played.
  await server.sql`delete from played_songs`;
  const [, , last] = await play("One", "Two", "Three");
  await later(10);
  await outage(60);
  await adoptPlayed(ports, last!, 20);
  await call("StopMusic", {});
  expect((await played()).map(([title]) => title)).toEqual(["One", "Three"]);
});

test("assigns a song to the current event, else to a near one, and keeps the row if the song is deleted", async () => {
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000);
  const event = async (title: string, from: number, to: number, isDeleted = false) =>
    server.sql`insert into events (id, title, starts_at, ends_at, deleted_at) values (${title}, ${title}, ${at(from)}, ${at(to)}, ${isDeleted ? new Date() : null})`; // prettier-ignore
  const eventOfOne = async () => {
    const [one] = await play("One");
    await later(1);
    await server.sql`update songs set deleted_at = now() where id = ${one!}`;
    await call("StopMusic", {});
    const [row] = await server.sql`select event_id from played_songs where title = 'One' order by turn desc limit 1`;
    return row?.event_id;
  };
  expect(await eventOfOne()).toBeNull();
  await event("next week", 100, 104);
  expect(await eventOfOne()).toBeNull();
  await event("was", -6, -1);
  expect(await eventOfOne()).toBe("was");
  await event("soon", 0.5, 4);
  expect(await eventOfOne()).toBe("soon");
  await event("deleted", -1, 1, true);
  await event("on", -1, 3);
  expect(await eventOfOne()).toBe("on");
});
