import type { Happened } from "@followspot/contract";
import { afterAll, describe, expect, test } from "vitest";
import { newId } from "../../platform/database/ids.ts";
import { startVenueWorld } from "../../testing/venue-world.ts";

const world = await startVenueWorld(afterAll);
const { office, admin } = world;
const holds = { songs: 0, songs_of: 0, people: 0, bytes: 0, whole_at: "" as const, says: "" };
const signal = () => AbortSignal.timeout(20_000);

type Venue = Awaited<ReturnType<typeof openVenue>>;

/** Opens a venue whose server has reported that it holds the event and has synced everything. */
async function openVenue(eventId: string, isStandby: boolean) {
  const { id, token } = await world.addVenue(`Venue ${newId()}`, eventId, [], { isStandby });
  const { door } = await world.openConnection(token);
  const report = (event_id: string, waiting = 0) =>
    door.hello(
      { is_start: true, version: "0.1.0", migration: "075", holds: { ...holds, event: "Night", event_id, waiting } },
      signal(),
    );
  await report(eventId);
  const assign = (event_id: string) =>
    office.ask("venue.v1.VenueService/SetTonight", { venue_id: id, event_id }, admin.token);
  return { door, report, assign };
}

/** How an event relates to the venue whose server reports about it → whether the report counts. */
const RELATIONS: readonly (readonly [string, boolean, (venue: Venue, event: string) => Promise<unknown>])[] = [
  ["is on there", true, async () => {}],
  ["was on there, and the server has not loaded the next one", true, async (venue) => {
    await venue.assign(await world.makeEvent("Next"));
  }], // prettier-ignore
  ["was on there, and the server has loaded the next one with reports left", true, async (venue) => {
    const next = await world.makeEvent("Next");
    await venue.assign(next);
    await venue.report(next, 1);
  }], // prettier-ignore
  ["was on there before the server loaded the next one", false, async (venue) => {
    const next = await world.makeEvent("Next");
    await venue.assign(next);
    await venue.report(next);
  }], // prettier-ignore
  ["was on there before last", false, async (venue) => {
    for (const title of ["Next", "After next"]) {
      const next = await world.makeEvent(title);
      await venue.assign(next);
      await venue.report(next);
    }
  }], // prettier-ignore
];

// kept: Doors | A venue server could report check-ins of every event that was ever on there, a standby of any event | failed on
// the old code
describe.each([
  ["a venue server", false],
  ["a standby", true],
])("%s reports about an event that", (_who, isStandby) => {
  test.each(RELATIONS)("%s: counted is %s", async (_relation, isCounted, relate) => {
    const event = await world.makeEvent("Night");
    const venue = await openVenue(event, isStandby);
    await relate(venue, event);
    expect(await settleAll(venue, event)).toEqual(isCounted ? COUNTED : REFUSED);
  });

  test("was never on there: counted is false", async () => {
    const venue = await openVenue(await world.makeEvent("Night"), isStandby);
    expect(await settleAll(venue, await world.makeEvent("Elsewhere"))).toEqual(REFUSED);
  });

  test("is on at another venue: counted is false", async () => {
    const venue = await openVenue(await world.makeEvent("Night"), isStandby);
    const elsewhere = await world.makeEvent("Elsewhere");
    await openVenue(elsewhere, false);
    expect(await settleAll(venue, elsewhere)).toEqual(REFUSED);
  });
});

const COUNTED = { states: ["counted", "counted"], guests: 1, left: 0, plays: 1 };
const REFUSED = { states: ["refused", "refused"], guests: 0, left: 1, plays: 0 };

/** Reports a check-in, its undoing and a song, and returns what the office has stored of them. */
async function settleAll(venue: Venue, event: string) {
  const [guest, present] = [await world.register(event, "Gina"), await world.register(event, "Paul")];
  await office.sql`insert into check_ins (id, event_id, user_id, checked_in_at) values (${newId()}, ${event}, ${present.id}, now())`;
  const at = new Date().toISOString();
  const checkIn: Happened = {
    kind: "check_in",
    item: newId(),
    id: newId(),
    event_id: event,
    user_id: guest.id,
    checked_in_at: at,
    checked_in_by: null,
    admitted: "",
    door: "",
  };
  const undone: Happened = { kind: "undone", item: newId(), event_id: event, user_id: present.id };
  const play: Happened = {
    kind: "play",
    item: newId(),
    id: newId(),
    song_id: newId(),
    title: "One",
    artist: "",
    seconds: 180,
    started_at: at,
    ended_at: at,
    heard_seconds: 180,
    playlist: "",
    event_id: event,
    asked_by: null,
  };
  const { results } = await venue.door.settle([checkIn, undone, play], signal());
  const [row] = await office.sql<{ guests: number; left: number; plays: number }[]>`
    select (select count(*) from check_ins where event_id = ${event} and user_id = ${guest.id})::int as guests,
      (select count(*) from check_ins where event_id = ${event} and user_id = ${present.id})::int as left,
      (select count(*) from played_songs where event_id = ${event})::int as plays`;
  return { states: results.slice(0, 2).map(({ state }) => state), ...row };
}
