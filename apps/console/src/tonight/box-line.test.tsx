// @vitest-environment jsdom
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { VenueService } from "@followspot/contract/venue";
import { expect, it } from "vitest";
import { eventually, show } from "../testing/show.tsx";
import { BoxLine } from "./box-line.tsx";

const wholeAt = timestampFromDate(new Date("2026-05-01T18:02:00"));

async function lineOf(box: object | undefined) {
  let asked = 0;
  const place = await show(<BoxLine />, {
    routes: ({ service }) => service(VenueService, { getBox: () => (asked++, box ? { box } : {}) }),
  });
  await eventually(() => expect(asked).toBeGreaterThan(0));
  return place;
}

it("says of which office this box is, and that everything is here", async () => {
  const place = await lineOf({ office: "Open Stage", venue: "Cellar", holds: { event: "Friday", wholeAt } });
  await eventually(() => expect(place.textContent).toContain("Box of Open Stage at Cellar:"));
  expect(place.textContent).toContain("connected, everything is here.");
});

it("says since when the line is cut, and how much waits", async () => {
  const cutSince = timestampFromDate(new Date("2026-05-01T19:40:00"));
  const place = await lineOf({ office: "Open Stage", venue: "Cellar", cutSince, holds: { wholeAt, waiting: 12 } });
  await eventually(() => expect(place.textContent).toMatch(/cut off since .*7:40/));
  expect(place.textContent).toContain("12 things wait to be told to the office.");
});

it("shows nothing where this installation is no box", async () => {
  expect((await lineOf(undefined)).textContent).toBe("");
});
