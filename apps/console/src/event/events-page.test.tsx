// @vitest-environment jsdom
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import { EventSchema, EventService } from "@followspot/contract/event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { dateTime } from "../lib/formatting.ts";
import { addressed } from "../testing/addressed.tsx";
import { columnHeads, giveSizes } from "../testing/list-place.tsx";
import { eventually, show, Surroundings } from "../testing/show.tsx";
import { EventsPage } from "./events-page.tsx";

let orders: string[];
let isEmpty: boolean;

beforeEach(() => {
  giveSizes();
  orders = [];
  isEmpty = false;
});
afterEach(() => vi.restoreAllMocks());

const night = create(EventSchema, {
  id: "e1",
  title: "Night",
  location: "The Wharf",
  startsAt: timestampFromDate(new Date("2026-05-01T20:00:00Z")),
  endsAt: timestampFromDate(new Date("2026-05-02T02:00:00Z")),
  deletedAt: timestampFromDate(new Date("2026-04-01T00:00:00Z")),
});

function routes(router: ConnectRouter): void {
  router.service(EventService, {
    listEvents: ({ list }) => {
      orders.push(list?.orderBy ?? "");
      return { events: isEmpty ? [] : [night] };
    },
    countEvents: () => ({ counts: [] }),
  });
}

const open = (address = "/") =>
  show(<Surroundings routes={routes}>{addressed(<EventsPage />, address).page}</Surroundings>);
const row = () => document.querySelector("[data-row]")?.textContent;

// kept: Lists | Events began with the oldest | failed with the fault put back
test.each([
  ["/", "starts_at desc"],
  ["/?show=past", "starts_at desc"],
  ["/?show=upcoming", ""],
  ["/?show=live", ""],
])("at %s asks for events in the order %j: what comes next, or else the latest first", async (address, order) => {
  await open(address);
  await eventually(() => expect(row()).toContain("Night"));
  expect(orders).toEqual([order]);
});

// kept: Lists | A deleted event lost its place in the list | failed with the fault put back
test("keeps a deleted event at its position in the list, marked as deleted", async () => {
  await open();
  await eventually(() => expect(row()).toContain("The Wharf"));
  expect(row()).toContain("Deleted");
});

test("shows a remote event by its own clock, with the reader's time below", async () => {
  vi.stubEnv("TZ", "America/New_York");
  night.timeZone = "Europe/Berlin";
  await open();
  await eventually(() => expect(row()).toContain("May 1, 2026, 10:00 PM CEST"));
  expect(row()).toContain(`${dateTime(new Date("2026-05-01T20:00:00Z"))} EDT`);
  vi.unstubAllEnvs();
  night.timeZone = "";
});

test("has its columns, and links to the talks and the actions of an event", async () => {
  giveSizes({ width: 1440, height: 720 });
  night.deletedAt = undefined;
  night.address = "1 Quay";
  const start = new Date(2026, 4, 1, 20, 5);
  night.startsAt = timestampFromDate(start);
  const place = await open();
  await eventually(() => expect(row()).toContain("1 Quay"));
  expect(row()).toContain("May 1, 2026, 8:05 PM");
  const heads = columnHeads(place);
  expect(heads).toEqual(["Banner", "Title", "Start", "End", "Address", "Created", "Actions"]);
  const offered = [...document.querySelectorAll("[data-row] a, [data-row] button")].map(
    ({ textContent }) => textContent,
  );
  for (const name of ["Talks", "Edit", "Delete"]) expect(offered).toContain(name);
});

test("asks for confirmation before deleting an event, and explains that the deletion is soft", async () => {
  await open("/?open=delete.e1");
  await eventually(() =>
    expect(document.querySelector("[role=alertdialog]")?.textContent).toContain(
      'Are you sure you want to delete "Night"? This action will soft delete the event.',
    ),
  );
});

test("shows what to do when there are no events", async () => {
  isEmpty = true;
  const place = await open();
  await eventually(() =>
    expect(place.textContent).toContain("No events found. Create your first event to get started."),
  );
});
