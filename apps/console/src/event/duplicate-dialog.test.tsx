// @vitest-environment jsdom
import { create } from "@bufbuild/protobuf";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { EventSchema, EventService, type DuplicateEventRequest } from "@followspot/contract/event";
import { act } from "react";
import { expect, test, vi } from "vitest";
import { eventually, field, press, show, Surroundings, type } from "../testing/show.tsx";
import { DuplicateDialog } from "./duplicate-dialog.tsx";

// The Friday before DST starts in Berlin.
const night = create(EventSchema, {
  id: "e1",
  title: "Night",
  startsAt: timestampFromDate(new Date("2026-03-27T19:00:00Z")),
  endsAt: timestampFromDate(new Date("2026-03-28T01:00:00Z")),
  timeZone: "Europe/Berlin",
});

/** @param refusal error that the server responds with */
async function open(refusal?: ConnectError) {
  const asked: DuplicateEventRequest[] = [];
  const onClose = vi.fn();
  await show(
    <Surroundings
      routes={({ service }) =>
        service(EventService, {
          duplicateEvent: (request) => {
            asked.push(request);
            if (refusal) throw refusal;
            return { event: night, talks: 2 };
          },
        })
      }
    >
      <DuplicateDialog event={night} onClose={onClose} />
    </Surroundings>,
  );
  return { asked, onClose };
}

test("proposes the same time one week later by the event's clock, and copies everything", async () => {
  const { asked, onClose } = await open();
  expect([field("Title").value, field("Start").value, field("End").value]).toEqual([
    "Night",
    "2026-04-03T20:00",
    "2026-04-04T02:00",
  ]);
  await press("Duplicate");
  await eventually(() => expect(onClose).toHaveBeenCalledOnce());
  expect(asked).toMatchObject([{ eventId: "e1", title: "Night", talks: true, banner: true, registration: true }]);
  expect(timestampDate(asked[0]!.startsAt!)).toEqual(new Date("2026-04-03T18:00:00Z"));
  expect(timestampDate(asked[0]!.endsAt!)).toEqual(new Date("2026-04-04T00:00:00Z"));
});

test("omits parts that are not selected, and uses another title and dates", async () => {
  const { asked, onClose } = await open();
  await type(field("Title"), " Late night ");
  await type(field("Start"), "2026-05-01T21:00");
  expect(field("End").value).toBe("2026-05-02T03:00");
  await type(field("End"), "2026-05-01T23:30");
  await type(field("Start"), "2026-05-01T22:00");
  expect(field("End").value).toBe("2026-05-01T23:30");
  await act(async () => field("Talks").click());
  await act(async () => field("Registration").click());
  await press("Duplicate");
  await eventually(() => expect(onClose).toHaveBeenCalledOnce());
  expect(asked).toMatchObject([{ title: "Late night", talks: false, banner: true, registration: false }]);
  expect(timestampDate(asked[0]!.startsAt!)).toEqual(new Date("2026-05-01T20:00:00Z"));
});

test("reports errors, and keeps the input when the server refuses", async () => {
  const { asked, onClose } = await open(new ConnectError("This event was deleted", Code.FailedPrecondition));
  await type(field("End"), "2026-04-03T19:00");
  await press("Duplicate");
  await eventually(() => expect(document.body.textContent).toContain("End date must be after start date"));
  expect(asked).toEqual([]);
  await type(field("End"), "2026-04-03T23:00");
  await press("Duplicate");
  await eventually(() => expect(document.body.textContent).toContain("This event was deleted"));
  expect([field("End").value, onClose.mock.calls.length]).toEqual(["2026-04-03T23:00", 0]);
});
