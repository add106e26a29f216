import { afterAll, expect, test } from "vitest";
import { newId } from "../../platform/database/ids.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { insertReadySong } from "../../testing/ready-song.ts";
import { songPace } from "./song-pace.ts";

const { sql, close } = await createTestDatabase();
afterAll(close);

const now = new Date("2026-03-05T21:40:00Z");

/** Creates a song that was imported `agoMinutes` ago and got its light show `seconds` later. */
async function lit(agoMinutes: number, ...seconds: number[]) {
  const id = await insertReadySong(sql, {});
  await sql`update songs set created_at = ${now}::timestamptz - make_interval(mins => ${agoMinutes}) where id = ${id}`;
  for (const after of seconds)
    await sql`
      insert into song_jobs (id, song_id, step, state, created_at, ended_at)
      select ${newId()}, id, 'lighting', 'done', created_at, created_at + make_interval(secs => ${after}) from songs where id = ${id}`;
  return id;
}

test("returns per hour and per day the number of songs with a light show, and the median and maximum time that took", async () => {
  expect(await songPace(sql, now)).toBeUndefined();
  for (const seconds of [30, 40, 90]) await lit(10, seconds);
  await lit(150, 60);
  // A repeated plan does not count twice.
  await lit(20, 45, 600);
  // One without a light show yet, and one of yesterday.
  await lit(5);
  await lit(25 * 60, 20);
  const deleted = await lit(10, 1000);
  await sql`update songs set deleted_at = now() where id = ${deleted}`;
  expect(await songPace(sql, now)).toEqual({
    lit: 5,
    seconds: 45,
    longest: 90,
    hours: [
      { hoursAgo: 0, lit: 4, seconds: 42.5, longest: 90 },
      { hoursAgo: 2, lit: 1, seconds: 60, longest: 60 },
    ],
  });
});
