// @vitest-environment jsdom
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { VenueService } from "@followspot/contract/venue";
import { expect, it } from "vitest";
import { eventually, press, show } from "../testing/show.tsx";
import { BoxState } from "./box-state.tsx";

const wholeAt = timestampFromDate(new Date("2026-05-01T18:02:00"));

const pressed: string[] = [];

async function lineOf(box: object | undefined, lamps?: object) {
  let asked = 0;
  const place = await show(<BoxState />, {
    routes: ({ service }) =>
      service(VenueService, {
        getBox: () => (asked++, { ...(box && { box }), ...(lamps && { lamps }) }),
        takeLamps: () => (pressed.push("take"), {}),
        handBackLamps: () => (pressed.push("hand back"), {}),
      }),
  });
  await eventually(() => expect(asked).toBeGreaterThan(0));
  return place;
}

it("names the office of this venue server and shows that everything is in sync", async () => {
  const place = await lineOf({ office: "Open Stage", venue: "Cellar", holds: { event: "Friday", wholeAt } });
  await eventually(() => expect(place.textContent).toContain("Box of Open Stage at Cellar:"));
  expect(place.textContent).toContain("connected, everything is here.");
});

it("shows since when the office is disconnected, and the number of pending changes", async () => {
  const cutSince = timestampFromDate(new Date("2026-05-01T19:40:00"));
  const place = await lineOf({ office: "Open Stage", venue: "Cellar", cutSince, holds: { wholeAt, waiting: 12 } });
  await eventually(() => expect(place.textContent).toMatch(/cut off since .*7:40/));
  expect(place.textContent).toContain("12 things wait to be told to the office.");
});

it("shows nothing on an installation that is no venue server", async () => {
  expect((await lineOf(undefined)).textContent).toBe("");
});

it("shows a passive standby, which takes the fixtures on a press", async () => {
  const place = await lineOf(undefined, { part: "follows", otherAnswers: true });
  await eventually(() => expect(place.textContent).toContain("plays along silently, ready to drive the lamps"));
  expect(place.textContent).not.toContain("does not answer");
  await press("Take the Lamps");
  await eventually(() => expect(pressed.splice(0)).toEqual(["take"]));
});

it("shows since when the standby drives the fixtures, and does not return them to a machine that does not respond", async () => {
  const since = timestampFromDate(new Date("2026-05-01T21:04:00"));
  const alone = await lineOf(undefined, { part: "leads", since });
  await eventually(() => expect(alone.textContent).toMatch(/drives the lamps since .*9:04/));
  expect(alone.textContent).toContain("The first machine does not answer.");
  expect(alone.querySelector("button")!.disabled).toBe(true);
});

it("returns the fixtures on a press", async () => {
  const both = await lineOf(undefined, { part: "leads", otherAnswers: true });
  await eventually(() => expect(both.textContent).toContain("drives the lamps"));
  await press("Hand Back the Lamps");
  await eventually(() => expect(pressed.splice(0)).toEqual(["hand back"]));
});

it("shows on the primary that its standby drives the fixtures, and takes them back on a press", async () => {
  const since = timestampFromDate(new Date("2026-05-01T21:04:00"));
  const place = await lineOf({ office: "Open Stage", venue: "Cellar", holds: {} }, { part: "yields", since });
  await eventually(() => expect(place.textContent).toMatch(/The standby drives the lamps since .*9:04/));
  expect(place.textContent).toContain("Box of Open Stage at Cellar:");
  await press("Take the Lamps Back");
  await eventually(() => expect(pressed.splice(0)).toEqual(["take"]));
});
