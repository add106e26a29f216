// @vitest-environment jsdom
import { create } from "@bufbuild/protobuf";
import { timestampFromMs, timestampNow } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import {
  AttendeeCodeSchema,
  CheckInSchema,
  EventSchema,
  EventService,
  type AttendeeCode,
  type CheckIn,
} from "@followspot/contract/event";
import { act } from "react";
import { beforeEach, expect, test } from "vitest";
import { addressed } from "../../testing/addressed.tsx";
import { giveSizes } from "../../testing/list-place.tsx";
import { eventually, field, press, show, Surroundings, type } from "../../testing/show.tsx";
import { checkInStrings } from "./check-in.strings.ts";
import { DoorScreen } from "./door-screen.tsx";

const NIGHT = "01JD0000000000000000000001";
const fullCode = (n: number) => `FS1.${NIGHT}.01JD${String(n).padStart(22, "0")}.${"A".repeat(32)}`;

let people: AttendeeCode[];
let checkIns: CheckIn[];
let isAway: boolean;

beforeEach(() => {
  giveSizes();
  localStorage.clear();
  [checkIns, isAway] = [[], false];
  people = [
    person(1, "Gina Lollo", "registered", { email: "gina@example.org", phone: "+4917112345", shortCode: "K7M2QX" }),
    person(2, "Zoë Bäcker", "registered"),
    person(3, "Waldo", "waiting"),
  ];
});

const person = (n: number, userName: string, registration: string, more: object = {}) =>
  create(AttendeeCodeSchema, { userId: `u${n}`, userName, registration, code: fullCode(n), ...more });

function routes(router: ConnectRouter): void {
  const answer = <Answer,>(work: () => Answer): Answer => {
    if (isAway) throw new ConnectError("the server cannot be reached", Code.Unavailable);
    return work();
  };
  router.service(EventService, {
    listAttendeeCodes: () => answer(() => ({ codes: people })),
    listCheckIns: () => answer(() => ({ checkIns })),
    countCheckIns: () => answer(() => ({ counts: [{ filter: "", count: checkIns.length }] })),
    scanQr: ({ code }) =>
      answer(() => {
        const { userId, userName } = people.find((each) => each.code === code)!;
        checkIns = [create(CheckInSchema, { id: userId, userId, userName, checkedInAt: timestampNow() }), ...checkIns];
        return { success: true, userId, userName, checkedInAt: timestampNow() };
      }),
    undoCheckIn: ({ userId }) =>
      answer(() => {
        checkIns = checkIns.filter((each) => each.userId !== userId);
        return { success: true };
      }),
  });
}

const event = create(EventSchema, {
  id: NIGHT,
  title: "Night",
  registration: "open",
  startsAt: timestampFromMs(Date.now()),
  endsAt: timestampFromMs(Date.now() + 3_600_000),
});
const open = () =>
  show(
    <Surroundings routes={routes} roles={["Director"]}>
      {addressed(<DoorScreen eventId={NIGHT} event={event} />).page}
    </Surroundings>,
  );
const rows = () => [...document.querySelectorAll("[role=row]")];
const names = () =>
  rows().flatMap((row) => people.find(({ userName }) => row.textContent?.includes(userName))?.userName ?? []);
const pressIn = (name: string, label: string) =>
  act(async () => {
    const row = rows().find(({ textContent }) => textContent?.includes(name));
    [...row!.querySelectorAll("button")].find((each) => each.textContent === label)!.click();
  });
const sees = (claim: string) => eventually(() => expect(document.body.textContent).toContain(claim));
const answerShown = () => document.querySelector("[data-scan]")?.getAttribute("data-scan");

// kept: Doors | A registered person could not be found by name at the door, because the list held only people who had checked in |
// failed on the old code
test.each([
  ["gina", ["Gina Lollo"]],
  ["LOLLO gina", ["Gina Lollo"]],
  ["gina@example", ["Gina Lollo"]],
  ["17112345", ["Gina Lollo"]],
  ["k7m 2qx", ["Gina Lollo"]],
  ["zoe backer", ["Zoë Bäcker"]],
  ["waldo", ["Waldo"]],
])("finds attendees who are not checked in by %j", async (typed, found) => {
  await open();
  await sees("0 of 2 are here");
  await type(field("Search attendees"), typed);
  await eventually(() => expect(names()).toEqual(found));
});

test("one press checks in, and the list and the count follow; Undo takes it back", async () => {
  await open();
  await sees("0 of 2 are here");
  await pressIn("Gina", "Check in");
  await sees("1 of 2 are here");
  expect(answerShown()).toBe("in");
  await pressIn("Gina", "Undo");
  const dialog = () => document.querySelector("[role=alertdialog]");
  await eventually(() => expect(dialog()?.textContent).toContain("Gina Lollo"));
  await act(async () => [...dialog()!.querySelectorAll("button")].find((each) => each.textContent === "Undo")!.click());
  await sees("0 of 2 are here");
});

test("a door without a connection searches its list, checks in by a press or a short code, and takes it back", async () => {
  await open();
  await sees("0 of 2 are here");
  isAway = true;
  await type(field("Scan a code"), "k7m-2qx");
  await act(async () => field("Scan a code").form!.requestSubmit());
  await eventually(() => expect(answerShown()).toBe("here"));
  await sees("1 of 2 are here");
  await type(field("Search attendees"), "zoe");
  await eventually(() => expect(names()).toEqual(["Zoë Bäcker"]));
  await pressIn("Zoë", "Check in");
  await sees("2 of 2 are here");
  await pressIn("Zoë", "Undo");
  await sees("1 of 2 are here");
});

test("a waitlisted person is refused with the reason, and door staff can let them in", async () => {
  await open();
  await sees("0 of 2 are here");
  isAway = true;
  await pressIn("Waldo", "Check in");
  await eventually(() => expect(answerShown()).toBe("refused"));
  await press(checkInStrings.admit);
  await eventually(() => expect(answerShown()).toBe("here"));
});

test("finds one of 5,000 attendees with one reading of the list", async () => {
  people = Array.from({ length: 5000 }, (_, n) => person(n, `Guest ${String(n).padStart(4, "0")}`, "registered"));
  await open();
  await sees("0 of 5,000 are here");
  await type(field("Search attendees"), "guest 4321");
  await eventually(() => expect(names()).toEqual(["Guest 4321"]));
});
