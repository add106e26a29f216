import { afterAll, afterEach, expect, test } from "vitest";
import { openUntil } from "../../testing/open-until.ts";
import { startTestServer } from "../../testing/test-server.ts";
import { AnnouncementClock } from "./announcement-clock.ts";

const clocks: AnnouncementClock[] = [];
const ended: { screenId: string; at: number }[] = [];

const server = await startTestServer({ onScreenChange: () => void Promise.all(clocks.map((clock) => clock.look())) });
openUntil(afterAll, server);
// The server's own clock would end announcements before these.
await server.live.announcements.close();
const { token } = await server.person("Dora", ["Director"]);
afterEach(async () => {
  await Promise.all(clocks.splice(0).map((clock) => clock.close()));
  ended.length = 0;
});

/** Starts a clock, as each API process does. */
function startClock(): AnnouncementClock {
  const onEnd = (screenId: string) => void ended.push({ screenId, at: Date.now() });
  const warn = (message: string) => expect.unreachable(message);
  const clock = new AnnouncementClock({ sql: server.sql, onEnd, warn });
  clocks.push(clock);
  clock.start();
  return clock;
}
const call = async (method: string, body: object = {}) =>
  (await server.call(`director.v1.DirectorService/${method}`, body, token)).body.screen;

test("ends an announcement on time and once, with any number of processes", async () => {
  for (let process = 0; process < 3; process++) startClock();
  await call("ShowLeaderboard");
  const { revision, announcementEndsAt } = await call("MakeAnnouncement", { text: "Short", seconds: 1 });
  await expect.poll(() => ended.length).toBeGreaterThan(0);
  expect(ended[0]!.at - Date.parse(announcementEndsAt)).toBeGreaterThanOrEqual(-5);
  expect(ended[0]!.at - Date.parse(announcementEndsAt)).toBeLessThan(300);
  await Promise.all(clocks.map((clock) => clock.look()));
  expect(ended).toHaveLength(1);
  expect(await call("GetStageScreen")).toMatchObject({ view: "leaderboard", revision: revision + 1 });
  const told = await server.sql`select 1 from outbox where body like '%stage_screen.announcement_ended%'`;
  expect(told).toHaveLength(1);
});

test("ends announcements that expired while no process was running", async () => {
  await call("MakeAnnouncement", { text: "Over", seconds: 1 });
  await server.sql`update stage_screens set announcement_ends_at = now() - interval '1 hour'`;
  startClock();
  await expect.poll(() => ended.length).toBe(1);
  expect((await call("GetStageScreen")).view).not.toBe("announcement");
});

test("waits for the later end if an announcement is replaced", async () => {
  startClock();
  await call("MakeAnnouncement", { text: "First", seconds: 1 });
  await call("MakeAnnouncement", { text: "Second", seconds: 60 });
  await new Promise((later) => setTimeout(later, 1200));
  expect(await call("GetStageScreen")).toMatchObject({ view: "announcement", announcement: "Second" });
  expect(ended).toEqual([]);
});

test("does not end an announcement without a time limit", async () => {
  startClock();
  await call("MakeAnnouncement", { text: "Stays" });
  await clocks[0]!.look();
  expect((await call("GetStageScreen")).announcement).toBe("Stays");
});
