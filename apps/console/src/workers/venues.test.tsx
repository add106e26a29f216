// @vitest-environment jsdom
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { EventService } from "@followspot/contract/event";
import { MusicService } from "@followspot/contract/music";
import { VenueService } from "@followspot/contract/venue";
import { describe, expect, it } from "vitest";
import { eventually, field, press, show, type } from "../testing/show.tsx";
import { Venues } from "./venues.tsx";

const wholeAt = timestampFromDate(new Date("2026-05-01T18:02:00"));
const holds = { event: "Friday", songs: 39, songsOf: 40, bytes: 412n * 1024n ** 2n, people: 300, waiting: 0, wholeAt };
const cellar = {
  id: "v1",
  name: "Cellar",
  state: "here",
  version: "1.4.0",
  eventId: "e1",
  eventTitle: "Friday",
  holds,
};

async function section(...venues: readonly object[]) {
  const sent: object[] = [];
  const place = await show(<Venues />, {
    routes: ({ service }) => {
      service(VenueService, {
        listVenues: () => ({ venues: [...venues] }),
        addVenue: ({ name, isStandby }) => (
          sent.push({ name, isStandby }),
          { venue: { ...cellar, name }, token: "fsv_secret" }
        ),
        setTonight: ({ venueId, eventId, playlistIds }) => (sent.push({ venueId, eventId, playlistIds }), {}),
        revokeVenue: ({ venueId }) => (sent.push({ revoked: venueId }), {}),
      });
      service(EventService, { listEvents: ({ list }) => ({ events: list?.filter === "upcoming" ? [{ id: "e2", title: "Saturday" }] : [] }) }); // prettier-ignore
      service(MusicService, { listPlaylists: () => ({ playlists: [{ id: "p1", name: "Walk-in" }] }) });
    },
  });
  await eventually(() => expect(place.textContent).not.toBe(""));
  return { place, sent };
}

describe("Venues", () => {
  it("shows each venue's event, the synced data with its time, and why the sync is incomplete", async () => {
    const { place } = await section(cellar, {
      ...cellar,
      id: "v2",
      name: "Barn",
      holds: { ...holds, waiting: 3 },
      says: "There is no room on this box's disk.",
    });
    const rows = [...place.querySelectorAll("li")].map(({ textContent }) => textContent);
    expect(rows[0]).toMatch(
      /Cellar.*Connected.*Tonight: Friday.*Holds Friday, 39 songs of 40, 412\.?\d* MB, 300 people.*as of/,
    );
    expect(rows[0]).not.toContain("to be told");
    expect(rows[1]).toMatch(/3 things wait to be told.*There is no room on this box's disk/);
  });

  it("explains venue servers if there are none, and shows when an offline one was last seen", async () => {
    expect((await section()).place.textContent).toContain("fetches tonight ahead");
    const seenAt = timestampFromDate(new Date(Date.now() - 2 * 3_600_000 - 1000));
    expect((await section({ ...cellar, state: "away", seenAt })).place.textContent).toContain("Last seen 2 hours ago");
  });

  it("shows the command with the token only until the dialog is closed", async () => {
    const { sent } = await section();
    await press("Add a Venue");
    await type(field("Name of the venue"), " Cellar ");
    await press("Add Venue");
    await eventually(() => expect(field("Command").value).toBe(`npm run venue -- --server ${window.location.origin} --token fsv_secret`)); // prettier-ignore
    expect(sent).toEqual([{ name: "Cellar", isStandby: false }]);
    await press("Done");
    expect(document.body.innerHTML).not.toContain("fsv_secret");
  });

  it("adds a standby for this machine, and explains its purpose", async () => {
    const { sent } = await section({ ...cellar, name: "Spare laptop", isStandby: true });
    expect(document.querySelector("li")!.textContent).toContain("standby of this machine");
    await press("Add a Venue");
    await type(field("Name of the venue"), "Spare");
    document.querySelector<HTMLElement>("[role=dialog] [type=checkbox]")!.click();
    await eventually(() => expect(document.body.textContent).toContain("drives the lamps within three seconds"));
    await press("Add Venue");
    await eventually(() => expect(sent).toEqual([{ name: "Spare", isStandby: true }]));
    expect(document.body.textContent).toContain("in the same network as the lamps");
  });

  it("chooses the event and playlists for tonight", async () => {
    const { sent } = await section(cellar);
    await press("Choose what is on at Cellar");
    await eventually(() => expect(document.body.textContent).toContain("Walk-in"));
    const box = document.querySelector<HTMLElement>("[role=dialog] [type=checkbox], [role=dialog] [role=checkbox]");
    box!.click();
    await press("Save Tonight");
    await eventually(() => expect(sent).toEqual([{ venueId: "v1", eventId: "e1", playlistIds: ["p1"] }]));
  });

  it("revokes a venue after confirmation", async () => {
    const { sent } = await section(cellar);
    await press("Revoke Cellar");
    expect(sent).toEqual([]);
    await press("Revoke Venue");
    await eventually(() => expect(sent).toEqual([{ revoked: "v1" }]));
  });
});
