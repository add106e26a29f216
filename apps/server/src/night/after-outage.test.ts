import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { adoptAfterOutage, goOnAfterOutage } from "../songs/queue/queue-outage.ts";
import { adoptPlayed, advanceQueue, queueForStage } from "../songs/queue/show-queue.ts";
import { openUntil } from "../testing/open-until.ts";
import { insertReadySong } from "../testing/ready-song.ts";
import { startTestServer, type Wire } from "../testing/test-server.ts";
import { tmpdir } from "node:os";
import { holdNight } from "./after-outage.ts";
import { noteOutputFaults } from "./faults.store.ts";
import { keepHeartbeat, readHeartbeat } from "./heartbeat.ts";
import { stopwatch } from "../testing/stopwatch.ts";

const server = openUntil(afterAll, await startTestServer({ dataDir: tmpdir() }));
const ports = { sql: server.sql, sounds: { of: async () => undefined } };
const director = await server.person("Dora", ["Director"]);
beforeEach(async () => {
  await call("music.v1.MusicService/StopMusic", {});
  await server.sql`delete from stage_screens`;
  await server.sql`delete from night_faults`;
});

const call = (method: string, body: object) => server.ask(method, body, director.token);
const queueNow = async (): Promise<Wire> => (await call("music.v1.MusicService/GetShowQueue", {})).queue;

const song = (title: string) => insertReadySong(server.sql, { title, seconds: 179 });

/** Plays a playlist of two songs; the first has played for 40 s. */
async function playing(): Promise<readonly [string, string]> {
  const songs = [await song("One"), await song("Two")] as const;
  const { playlist } = await call("music.v1.MusicService/CreatePlaylist", { name: "Friday" });
  for (const id of songs) await call("music.v1.MusicService/AddSongToPlaylist", { playlist_id: playlist.id, song_id: id }); // prettier-ignore
  await call("music.v1.MusicService/PlayPlaylist", { playlist_id: playlist.id });
  await call("music.v1.MusicService/SeekMusic", { position: 40 });
  return songs;
}

/** Simulates an outage of the whole product: all stored times become older by this many seconds. */
async function outage(seconds: number): Promise<void> {
  const by = `${seconds} seconds`;
  await server.sql`update heartbeat set beat_at = clock_timestamp() - ${by}::interval`;
  await server.sql`update show_queue set started_at = started_at - ${by}::interval, ends_at = ends_at - ${by}::interval, outage_since = outage_since - ${by}::interval`; // prettier-ignore
  await server.sql`update stage_screens set timer_ends_at = timer_ends_at - ${by}::interval, announcement_ends_at = announcement_ends_at - ${by}::interval`; // prettier-ignore
}

describe("after an outage of the whole product", () => {
  test("the song is held at the position where it stopped, regardless of the duration, and resumes from there", async () => {
    const elapsed = stopwatch();
    await playing();
    await outage(570);
    const found = await holdNight(server.sql, undefined);
    expect(found.goesOn).toBe(true);
    // During startup the song neither runs nor gives way to the next one.
    expect(await advanceQueue(ports)).toBe(false);
    expect(await queueForStage(server.sql)).toMatchObject({ is_paused: true, house_light: false });
    expect(await goOnAfterOutage(server.sql)).toBe(true);
    const queue = await queueNow();
    expect([queue.mode, queue.song.title, queue.outageSince]).toEqual(["playing", "One", undefined]);
    const { position } = await queueForStage(server.sql);
    expect(position).toBeGreaterThan(39.9);
    expect(position).toBeLessThan(40.1 + elapsed());
  });

  test("after more than ten minutes, or if configured, the operator is asked and Resume continues", async () => {
    const elapsed = stopwatch();
    await playing();
    await outage(660);
    expect((await holdNight(server.sql, undefined)).goesOn).toBe(false);
    expect(await queueNow()).toMatchObject({ mode: "paused", song: { title: "One" }, outageSince: expect.any(String) });
    expect((await holdNight(server.sql, "resume")).goesOn).toBe(true);
    expect((await holdNight(server.sql, "ask")).goesOn).toBe(false);
    const { queue } = await call("music.v1.MusicService/ResumeMusic", {});
    expect([queue.mode, queue.outageSince]).toEqual(["playing", undefined]);
    expect((await queueForStage(server.sql)).position).toBeLessThan(40.1 + elapsed());
    await outage(5);
    expect((await holdNight(server.sql, "ask")).goesOn).toBe(false);
  });

  test("a queue that an operator paused or stopped stays so", async () => {
    await playing();
    const { queue } = await call("music.v1.MusicService/PauseMusic", {});
    await outage(60);
    expect(await holdNight(server.sql, "resume")).toEqual({ heldSince: undefined, goesOn: false });
    expect(await goOnAfterOutage(server.sql)).toBe(false);
    expect(await queueNow()).toMatchObject({ mode: "paused", pausedAt: queue.pausedAt });
    await call("music.v1.MusicService/StopMusic", {});
    await holdNight(server.sql, "resume");
    expect((await queueNow()).mode).toBe("stopped");
  });

  test("a gap before a song is skipped, and the song starts at its first second", async () => {
    await playing();
    await server.sql`update show_queue set started_at = clock_timestamp() + interval '2 seconds', ends_at = clock_timestamp() + interval '182 seconds'`; // prettier-ignore
    await outage(30);
    await holdNight(server.sql, undefined);
    expect((await queueNow()).pausedAt).toBe(0);
  });

  test("an output fault open at the time ends with the start of the outage", async () => {
    await noteOutputFaults(server.sql, [{ thing: "O", says: "down" }]);
    await server.sql`update night_faults set began_at = clock_timestamp() - interval '1 hour'`;
    await outage(600);
    await holdNight(server.sql, undefined);
    const [fault] = await server.sql`select extract(epoch from ended_at - began_at)::float8 as lasted from night_faults where kind = 'output'`; // prettier-ignore
    expect(fault!.lasted).toBeCloseTo(3000, -1);
  });

  test("a clock that was set back loses neither the position nor the timer", async () => {
    const elapsed = stopwatch();
    await playing();
    await call("director.v1.DirectorService/StartTimer", { seconds: 300 });
    await outage(-3600);
    expect((await holdNight(server.sql, undefined)).goesOn).toBe(true);
    await goOnAfterOutage(server.sql);
    const { position } = await queueForStage(server.sql);
    expect(position).toBeGreaterThan(39.9);
    expect(position).toBeLessThan(40.1 + elapsed());
    expect(await timerLeft()).toBeGreaterThan(299.9 - elapsed());
    expect(await timerLeft()).toBeLessThan(300.1);
  });

  test("the timer and the announcement of a stage screen retain their remaining time", async () => {
    const elapsed = stopwatch();
    await call("director.v1.DirectorService/StartTimer", { seconds: 300 });
    await call("director.v1.DirectorService/MakeAnnouncement", { text: "Soup", seconds: 20 });
    await outage(500);
    await holdNight(server.sql, "ask");
    expect(await timerLeft()).toBeGreaterThan(299.9 - elapsed());
    expect(await timerLeft()).toBeLessThan(300.1);
    const { screen } = await call("director.v1.DirectorService/GetStageScreen", {});
    expect(screen.announcement).toBe("Soup");
    // A second start immediately afterwards moves nothing again.
    await holdNight(server.sql, "ask");
    expect(await timerLeft()).toBeLessThan(300.1);
  });

  test("timers of an earlier night are not changed", async () => {
    await call("director.v1.DirectorService/StartTimer", { seconds: 300 });
    await outage(8 * 3600);
    await holdNight(server.sql, "resume");
    expect(await timerLeft()).toBeLessThan(0);
  });

  test("the queue takes the position of a player that continued alone, and asks nothing", async () => {
    const [one, two] = await playing();
    const { revision } = await queueForStage(server.sql);
    await outage(700);
    await holdNight(server.sql, "ask");
    expect(await adoptAfterOutage(server.sql, { song_id: two, position: 9, revision })).toBe(false);
    expect(await adoptAfterOutage(server.sql, { song_id: one, position: 100, revision: revision - 1 })).toBe(false);
    expect(await adoptAfterOutage(server.sql, { song_id: one, position: 100, revision })).toBe(true);
    expect(await queueNow()).toMatchObject({ mode: "playing", song: { title: "One" } });
    expect((await queueForStage(server.sql)).position).toBeGreaterThan(99.9);
    // Only once: reports for the earlier revision are outdated.
    expect(await adoptAfterOutage(server.sql, { song_id: one, position: 20, revision })).toBe(false);
  });

  test("follows a player that advanced to the next song, also while the queue is held", async () => {
    const [, two] = await playing();
    await outage(700);
    await holdNight(server.sql, "ask");
    expect(await adoptPlayed(ports, two, 30)).toBe(true);
    expect(await queueNow()).toMatchObject({ mode: "playing", song: { title: "Two" } });
    expect((await queueForStage(server.sql)).position).toBeGreaterThan(29.9);
  });

  test("a player does not override an operator who seeked the held song", async () => {
    const [one] = await playing();
    const { revision } = await queueForStage(server.sql);
    await outage(700);
    await holdNight(server.sql, "ask");
    await call("music.v1.MusicService/SeekMusic", { position: 5 });
    expect(await adoptAfterOutage(server.sql, { song_id: one, position: 100, revision })).toBe(false);
    expect(await queueNow()).toMatchObject({ mode: "paused", pausedAt: 5, outageSince: expect.any(String) });
  });

  test("is listed among the faults of the night", async () => {
    await playing();
    await outage(120);
    await holdNight(server.sql, undefined);
    const [fault] =
      await server.sql`select kind, extract(epoch from ended_at - began_at)::float8 as lasted from night_faults`;
    expect(fault).toMatchObject({ kind: "outage" });
    expect(fault!.lasted).toBeCloseTo(120, 0);
  });

  test("a first start, without a heartbeat, changes nothing", async () => {
    await playing();
    await server.sql`update heartbeat set beat_at = null`;
    expect(await holdNight(server.sql, "resume")).toEqual({ heldSince: undefined, goesOn: false });
    expect((await queueNow()).mode).toBe("playing");
  });
});

test("the heartbeat is updated while everything runs, and stores faults of processes", async () => {
  await server.sql`update heartbeat set beat_at = null`;
  const heartbeat = keepHeartbeat(server.sql, (line) => expect.fail(line));
  heartbeat.note("main-api ended (SIGKILL); starting it again.");
  await expect.poll(() => readHeartbeat(server.sql)).toBeDefined();
  await expect.poll(async () => (await server.sql`select says from night_faults`).map(({ says }) => says)).toEqual(["main-api ended (SIGKILL); starting it again."]); // prettier-ignore
  heartbeat.end();
});

async function timerLeft(): Promise<number> {
  const { screen } = await call("director.v1.DirectorService/GetStageScreen", {});
  return (Date.parse(screen.timerEndsAt) - Date.parse(screen.serverTime)) / 1000;
}
