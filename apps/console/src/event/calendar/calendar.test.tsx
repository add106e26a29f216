// @vitest-environment jsdom
import { create } from "@bufbuild/protobuf";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { EventSchema, EventService, type ListEventsRequest } from "@followspot/contract/event";
import { TalkSchema, TalkService } from "@followspot/contract/talk";
import { act } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { addressed } from "../../testing/addressed.tsx";
import { giveSizes } from "../../testing/list-place.tsx";
import { button, eventually, field, press, show, Surroundings } from "../../testing/show.tsx";
import { EventsPage } from "../events-page.tsx";

const event = (id: string, from: string, until: string) =>
  create(EventSchema, {
    id,
    title: id,
    startsAt: timestampFromDate(new Date(from)),
    endsAt: timestampFromDate(new Date(until)),
    timeZone: "Europe/Berlin",
    createdAt: timestampFromDate(new Date("2026-01-01T00:00:00Z")),
  });
const EVENTS = [
  event("Opening", "2026-05-01T18:00:00Z", "2026-05-02T00:00:00Z"),
  ...["One", "Two", "Three", "Four", "Five"].map((id) => event(id, "2026-05-20T18:00:00Z", "2026-05-20T20:00:00Z")),
];

const TALK = create(TalkSchema, {
  id: "t1",
  title: "Maps",
  userName: "Grace",
  eventId: "Opening",
  startAt: timestampFromDate(new Date("2026-05-01T19:00:00Z")),
});

let asked: ListEventsRequest[];

beforeEach(() => {
  giveSizes();
  asked = [];
});
afterEach(() => vi.restoreAllMocks());

/** Opens the Events screen at an address. The list sends no time range; requests with one are recorded. */
async function open(address: string) {
  const { router, page } = addressed(<EventsPage />, address);
  await show(
    <Surroundings
      routes={({ service }) =>
        service(EventService, {
          listEvents: (request) => {
            if (!request.onFrom) return { events: [] };
            const from = timestampDate(request.onFrom);
            const later = EVENTS.filter(({ endsAt }) => timestampDate(endsAt!) > from);
            if (!request.onUntil) return { events: later.slice(0, request.list?.pageSize) };
            asked.push(request);
            const until = timestampDate(request.onUntil);
            return { events: later.filter(({ startsAt }) => timestampDate(startsAt!) < until) };
          },
          countEvents: () => ({ counts: [] }),
        }).service(TalkService, {
          listTalks: ({ eventId }) => ({
            talks: [TALK].filter((talk) => eventId === undefined || talk.eventId === eventId),
          }),
        })
      }
    >
      {page}
    </Surroundings>,
  );
  return router;
}
const title = () => document.querySelector("h2")?.textContent;
const named = (words: string) => [...document.querySelectorAll("button")].filter((each) => each.title.includes(words));
const key = (name: string) =>
  act(async () => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true })));

test("requests the weeks of the month, with the search and the tab of the list", async () => {
  await open("/?view=month&day=2026-05-17&q=wharf&show=past");
  await eventually(() => expect(named("Opening")).toHaveLength(1));
  const [request] = asked;
  expect(request!.list).toMatchObject({ query: "wharf", filter: "past" });
  // From Monday, April 27, to Sunday, May 31, extended for other time zones.
  expect(timestampDate(request!.onFrom!)).toEqual(new Date("2026-04-26T00:00:00Z"));
  expect(timestampDate(request!.onUntil!)).toEqual(new Date("2026-06-02T00:00:00Z"));
  expect(named("Opening")[0]!.title).toContain("8:00 PM – 2:00 AM");
});

test("steps with buttons and keys, and stores the day in the URL", async () => {
  const router = await open("/?view=month&day=2026-05-17");
  await eventually(() => expect(title()).toBe("May 2026"));
  await press("Next month");
  expect([title(), router.state.location.search]).toEqual(["June 2026", { view: "month", day: "2026-06-17" }]);
  await key("ArrowLeft");
  await key("ArrowLeft");
  expect(title()).toBe("April 2026");
  await press("Week");
  expect(title()).toBe("Apr 13 – 19, 2026");
  await key("t");
  const { day } = router.state.location.search as { day: string };
  expect(Math.abs(Date.parse(day) - Date.now())).toBeLessThan(2 * 86_400_000);
});

test("does not call a month empty if a visible day of the next month has an event", async () => {
  await open("/?view=month&day=2026-04-17");
  await eventually(() => expect(named("Opening")).toHaveLength(1));
  expect(document.body.textContent).not.toContain("Nothing here.");
});

test("offers the next event with one click if the view is empty", async () => {
  const router = await open("/?view=week&day=2026-05-06");
  await eventually(() => expect(button("Next: Wed, May 20")).toBeDefined());
  expect(document.body.textContent).toContain("Nothing here.");
  await press("Next: Wed, May 20");
  expect(router.state.location.search).toMatchObject({ day: "2026-05-20" });
  await eventually(() => expect(named("One")).toHaveLength(1));
});

test("shows the number of hidden events of a day, and all of them on request", async () => {
  await open("/?view=month&day=2026-05-17");
  await eventually(() => expect(named("One")).toHaveLength(1));
  expect(button("2 more on Wednesday, May 20, 2026").textContent).toBe("+2 more");
  await press("2 more on Wednesday, May 20, 2026");
  const dialog = document.querySelector('[role="dialog"]')!;
  expect([...dialog.querySelectorAll("button[title]")].map((each) => each.textContent)).toHaveLength(5);
});

test("opens the form of an event, and of a new event on the clicked day", async () => {
  const router = await open("/?view=week&day=2026-05-01");
  await eventually(() => expect(named("Opening")).toHaveLength(2)); // an evening and the night after it
  await act(async () => named("Opening")[0]!.click());
  await eventually(() => expect(field("Title").value).toBe("Opening"));
  expect(router.state.location.search).toMatchObject({ open: "edit.Opening" });
  await press("Cancel");
  await press("New event on Thursday, April 30, 2026");
  await eventually(() => expect(field("Start").value).toBe("2026-04-30T20:00"));
});

test("shows a list of the days with events on a narrow page", async () => {
  giveSizes({ width: 328, height: 600 });
  await open("/?view=month&day=2026-05-17");
  await eventually(() => expect(document.querySelectorAll("h3")).toHaveLength(3));
  expect([...document.querySelectorAll("h3")].map((day) => day.textContent)).toEqual([
    "Friday, May 1, 2026",
    "Saturday, May 2, 2026",
    "Wednesday, May 20, 2026",
  ]);
});

test("exports the visible events as a file, with talks by the event's clock", async () => {
  let file: Blob | undefined;
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: (blob: Blob) => ((file = blob), "blob:x"), revokeObjectURL: vi.fn() })); // prettier-ignore
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  await open("/?view=week&day=2026-05-01");
  await eventually(() => expect(named("Opening")).toHaveLength(2));
  await press("ICS: save the shown events as a calendar file");
  await eventually(() => expect(file).toBeDefined());
  const lines = (await file!.text()).split("\r\n");
  expect(lines.filter((line) => line.startsWith("SUMMARY"))).toEqual(["SUMMARY:Opening"]);
  expect(lines).toContain("DESCRIPTION:9:00 PM Maps – Grace");
});
