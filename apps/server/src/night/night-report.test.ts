import { tmpdir } from "node:os";
import type { OutputsHealth } from "@followspot/contract";
import { afterAll, expect, test } from "vitest";
import { newId } from "../platform/database/ids.ts";
import { openUntil } from "../testing/open-until.ts";
import { insertReadySong } from "../testing/ready-song.ts";
import { startTestServer, type Wire } from "../testing/test-server.ts";
import { noteFault } from "./faults.store.ts";
import { lookAtOutputs } from "./output-watch.ts";
import { localIso } from "./report-csv.ts";
import { stopwatch } from "../testing/stopwatch.ts";

const HOUR = 3_600_000;
const QUARTER = 900_000;
/** Began an hour ago, at a full quarter-hour. */
const startsAt = new Date(Math.floor(Date.now() / QUARTER) * QUARTER - HOUR);
const endsAt = new Date(startsAt.getTime() + 4 * HOUR);

const server = openUntil(afterAll, await startTestServer({ dataDir: tmpdir() }));
const admin = await server.person("Ada", ["Admin"]);
const director = await server.person("Dora", ["Director"]);
const member = await server.person("Mo");
const times = { starts_at: startsAt.toISOString(), ends_at: endsAt.toISOString() };
const call = (method: string, body: object, { token } = admin) => server.ask(method, body, token);
const event = (await call("event.v1.EventService/CreateEvent", { title: "Friday", ...times })).event.id;

const report = async (): Promise<Wire> =>
  (await call("night.v1.NightService/GetNightReport", { event_id: event }, director)).report;
const csv = (path: string, token = director.token) =>
  fetch(`${server.base}/api/night/${path}`, { headers: { authorization: `Bearer ${token}` } });

async function playedSong(title: string, minutes: number, more: object = {}): Promise<void> {
  const at = new Date(startsAt.getTime() + minutes * 60_000);
  const row = { id: newId(), turn: -minutes, song_id: newId(), title, artist: "Mira", seconds: 200.4, started_at: at, ended_at: at, heard_seconds: 120.6, playlist: "Friday", event_id: event }; // prettier-ignore
  await server.sql`insert into played_songs ${server.sql({ ...row, ...more })}`;
}

test("an event without activity has an empty report", async () => {
  const empty = await report();
  expect(empty).toMatchObject({ eventTitle: "Friday", startsAt: expect.any(String) });
  expect([empty.songs, empty.people, empty.peopleAt, empty.talks, empty.faults, empty.goldTransactions]).toEqual(Array.from({ length: 6 })); // prettier-ignore
});

test("lists songs in order with the seconds played, and the current song with those so far", async () => {
  await playedSong("Two", 20);
  await playedSong("One", 10, { playlist: "", asked_by: member.id });
  const id = await insertReadySong(server.sql, { title: "Now", seconds: 179 });
  const elapsed = stopwatch();
  await call("music.v1.MusicService/BroadcastSong", { song_id: id });
  await server.sql`update show_queue set started_at = started_at - interval '30 seconds', ends_at = ends_at - interval '30 seconds'`; // prettier-ignore
  const { songs } = await report();
  expect(songs.map(({ title, isOn = false }: Wire) => [title, isOn])).toEqual([["One", false], ["Two", false], ["Now", true]]); // prettier-ignore
  expect(songs[0]).toMatchObject({ artist: "Mira", heardSeconds: 120.6, seconds: 200.4, askedBy: "Mo" });
  expect(songs[2].heardSeconds).toBeGreaterThan(29.9);
  expect(songs[2].heardSeconds).toBeLessThan(30.1 + elapsed());
  await call("music.v1.MusicService/StopMusic", {});
  await server.sql`delete from played_songs where title = 'Now'`;
});

test("counts arrivals per quarter-hour, and talks have votes and the mean rating", async () => {
  const people = await Promise.all(["A", "B", "C"].map((name) => server.person(name)));
  for (const [i, minutes] of [1, 14, 16].entries())
    await server.sql`
      insert into check_ins (id, event_id, user_id, checked_in_at)
      values (${newId()}, ${event}, ${people[i]!.id}, ${new Date(startsAt.getTime() + minutes * 60_000)})`;
  const { talk } = await call("talk.v1.TalkService/CreateTalk", { title: "Bats", body: "", event_id: event });
  await call("talk.v1.TalkService/Vote", { talk_id: talk.id }, people[0]);
  for (const [i, rating] of [5, 4, 0].entries())
    await server.sql`
      insert into talk_feedback (talk_id, user_id, text, rating) values (${talk.id}, ${people[i]!.id}, 'Well', ${rating})`;
  const { people: came, peopleAt, talks } = await report();
  expect(came).toBe(3);
  expect(peopleAt.map(({ at, came: n }: Wire) => [Date.parse(at), n])).toEqual([[startsAt.getTime(), 2], [startsAt.getTime() + QUARTER, 1]]); // prettier-ignore
  expect(talks).toEqual([expect.objectContaining({ title: "Bats", votes: 1, feedback: 3, meanRating: 4.5 })]);
});

test("counts gold that moved during the event", async () => {
  const grant = { to_user_id: member.id, amount: 30, idempotency_key: newId() };
  await call("accounting.v1.AccountingService/ProcessTransaction", grant);
  expect(await report()).toMatchObject({ goldMoved: "30", goldTransactions: 1 });
});

test("lists faults with their times: processes, outages, and each output once until it is up again", async () => {
  await noteFault(server.sql, { kind: "part", says: "main-stage ended; starting it again.", at: startsAt });
  await noteFault(server.sql, { kind: "part", says: "last week", at: new Date(startsAt.getTime() - 100 * HOUR) });
  const outputs = [{ label: "Truss", protocol: "artnet", host: "127.0.0.1", universe: 1, enabled: true }];
  const [output] = (await call("lights.v1.LightsService/SetOutputs", { outputs })).outputs;
  const told = { id: output.id, since: "", packets: 0, send_errors: 0, node_name: "" };
  const health = (state: string, last_error = ""): Partial<OutputsHealth> => ({ sending: true, rate_hz: 44, jitter_ms: { p95: 1, max: 2 }, late_frames: 0, outputs: [{ ...told, state, last_error }], nodes: [], devices: [], foreign_sources: [], notices: [] } as never); // prettier-ignore
  const look = (answer: unknown) => lookAtOutputs({ sql: server.sql, askStage: async () => answer });
  const down = health("down", "no route to host");
  await Promise.all([look(down), look(down), look(down)]);
  // A stage that does not respond ends no fault.
  await lookAtOutputs({ sql: server.sql, askStage: async () => Promise.reject(new Error("away")) });
  expect((await report()).faults.at(-1)).toMatchObject({ kind: "output", says: '"Truss" was down: no route to host.' });
  expect((await report()).faults.at(-1).endedAt).toBeUndefined();
  await look(health("sending"));
  const { faults } = await report();
  expect(faults.map(({ kind }: Wire) => kind)).toEqual(["part", "output"]);
  expect(faults[1].endedAt).toEqual(expect.any(String));
  await look(down);
  expect((await report()).faults).toHaveLength(3);
});

test("exports the played songs as CSV for spreadsheets, without formulas", async () => {
  await server.sql`delete from played_songs`;
  await playedSong('=HYPERLINK("x")', 10, { artist: 'Bell, Book\n"& Candle"', playlist: "-1+2" });
  await playedSong("Über", 20);
  const answer = await csv(`${event}/report.csv?zone=Europe/Vienna`);
  expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  const bytes = new Uint8Array(await answer.arrayBuffer());
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const [head, first, second] = new TextDecoder().decode(bytes).split("\r\n");
  expect(head).toBe("title,artist,started,seconds played,full duration,playlist");
  const at = localIso(new Date(startsAt.getTime() + 600_000), "Europe/Vienna");
  expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0[12]:00$/);
  expect(first).toBe(`"'=HYPERLINK(""x"")","Bell, Book\n""& Candle""",${at},121,200,'-1+2`);
  expect(second).toMatch(/^Über,Mira,/);
});

test("uses the event's time zone unless another one is requested", async () => {
  await call("event.v1.EventService/UpdateEvent", { event_id: event, time_zone: "Asia/Tokyo" });
  expect((await report()).timeZone).toBe("Asia/Tokyo");
  const text = await (await csv(`${event}/report.csv`)).text();
  expect(text).toContain(`,${localIso(new Date(startsAt.getTime() + 600_000), "Asia/Tokyo")},`);
  expect(text).toContain("+09:00,");
  await call("event.v1.EventService/UpdateEvent", { event_id: event, time_zone: "" });
});

test("distinguishes the repeated hour at the end of DST", () => {
  expect(localIso(new Date("2026-10-25T00:30:00Z"), "Europe/Vienna")).toBe("2026-10-25T02:30:00+02:00");
  expect(localIso(new Date("2026-10-25T01:30:00Z"), "Europe/Vienna")).toBe("2026-10-25T02:30:00+01:00");
  expect(localIso(new Date("2026-01-01T00:00:00Z"), "UTC")).toBe("2026-01-01T00:00:00+00:00");
  expect(localIso(new Date("2026-01-01T00:00:00Z"), "America/St_Johns")).toBe("2025-12-31T20:30:00-03:30");
});

test("only Directors read the report of an existing event, also after it was deleted", async () => {
  expect((await csv(`${event}/report.csv`, member.token)).status).toBe(403);
  expect((await csv(`${event}/report.csv?zone=Nowhere/Land`)).status).toBe(400);
  expect((await csv(`${event}/report.csv?zone=UTC&zone=UTC`)).status).toBe(400);
  expect((await csv("none/report.csv")).status).toBe(404);
  const none = await server.call("night.v1.NightService/GetNightReport", { event_id: "none" }, director.token);
  expect(none.code).toBe("not_found");
  await call("event.v1.EventService/DeleteEvent", { event_id: event });
  expect((await report()).songs).toHaveLength(2);
});
