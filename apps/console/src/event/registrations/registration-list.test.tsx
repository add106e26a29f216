// @vitest-environment jsdom
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import { AuthService } from "@followspot/contract/auth";
import { ChatService } from "@followspot/contract/chat";
import { EventSchema, EventService, RegistrationSchema, type RegisterPersonRequest } from "@followspot/contract/event";
import { act } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { addressed } from "../../testing/addressed.tsx";
import { giveSizes } from "../../testing/list-place.tsx";
import { eventually, field, press, show, Surroundings, type } from "../../testing/show.tsx";
import { RegistrationList } from "./registration-list.tsx";

let asked: RegisterPersonRequest[];
let takenOff: string[];
let renewed: number;
let codes: { name: string; target: string; code: string }[];

beforeEach(() => {
  giveSizes();
  [asked, takenOff, renewed, codes] = [[], [], 0, []];
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const registeredAt = timestampFromDate(new Date("2026-04-01T20:00:00Z"));
const on = (userId: string, userName: string, placeInLine: number) =>
  create(RegistrationSchema, {
    userId,
    userName,
    placeInLine,
    registeredAt,
    state: placeInLine > 0 ? "waiting" : "registered",
  });
const people = [on("u1", "Bea", 0), on("u2", "Cy", 1)];
const night = (registration: string) =>
  create(EventSchema, { id: "e1", title: "Night", registration, places: 1, registered: 1, waiting: 1 });

function routes(router: ConnectRouter): void {
  router.service(EventService, {
    listRegistrations: () => ({ registrations: people }),
    countRegistrations: () => ({ counts: [{ filter: "", count: 2 }] }),
    registerPerson: (request) => {
      asked.push(request);
      return { registration: on(request.userId, "Di", request.overPlaces ? 0 : 2) };
    },
    cancelRegistration: ({ userId }) => {
      takenOff.push(userId);
      return { success: true };
    },
    getEventInvitation: () => ({
      warning: renewed === 0 ? "" : "No new guest can use this link.",
      path: renewed === 0 ? "" : `/e/e1#invitation=K${renewed}`,
    }),
    renewEventInvitation: () => ({ path: `/e/e1#invitation=K${++renewed}` }),
  });
  router.service(AuthService, { listStaffCodes: () => ({ codes }) });
  router.service(ChatService, { findPeople: () => ({ people: [{ userId: "u3", name: "Di" }] }) });
}

const open = (registration = "open", event = night(registration)) =>
  show(
    <Surroundings routes={routes} roles={["Director"]}>
      {addressed(<RegistrationList eventId="e1" event={event} />).page}
    </Surroundings>,
  );
const page = () => document.body.textContent;

test("lists registered and waitlisted attendees, with waitlist positions and the number of taken seats", async () => {
  await open();
  await eventually(() => expect(page()).toContain("Waiting, number 1"));
  expect(page()).toContain("1 of 1 places taken");
  expect(page()).not.toContain("Invitation link");
});

test("shows registration times by the event's clock, and names its time zone", async () => {
  vi.stubEnv("TZ", "Europe/Berlin");
  const startsAt = timestampFromDate(new Date("2026-05-01T11:00:00Z"));
  await open("open", { ...night("open"), startsAt, timeZone: "Asia/Tokyo" });
  await eventually(() => expect(page()).toContain("Apr 2, 2026, 5:00 AM"));
  expect(page()).toContain("Times of the event are by its own clock, Asia/Tokyo.");
});

test("removes a registration, and promotes a waitlisted attendee", async () => {
  await open();
  await eventually(() => expect(page()).toContain("Give a place"));
  await press("Give a place");
  await eventually(() => expect(asked).toMatchObject([{ userId: "u2", overPlaces: true }]));
  await press("Take off");
  await eventually(() => expect(page()).toContain("Take Bea off the list?"));
  const dialog = document.querySelector("[role=alertdialog]")!;
  const confirm = [...dialog.querySelectorAll("button")].find(({ textContent }) => textContent === "Take off")!;
  await act(async () => confirm.click());
  await eventually(() => expect(takenOff).toEqual(["u1"]));
});

test("adds a user found by name", async () => {
  await open();
  await press("Add a Person");
  await press("Register");
  await eventually(() => expect(document.activeElement).toBe(field("Person")));
  const said = document.getElementById(field("Person").getAttribute("aria-describedby")!);
  expect(said?.textContent).toBe("Choose a person");
  await type(field("Person"), "Di");
  await eventually(() =>
    expect([...document.querySelectorAll("button")].some((b) => b.textContent === "Di")).toBe(true),
  );
  await press("Di");
  await press("Register");
  await eventually(() => expect(asked).toMatchObject([{ userId: "u3", overPlaces: false }]));
  await eventually(() => expect(page()).not.toContain("Register a Person"));
});

test("creates the invitation link, and asks for confirmation before replacing a link in use", async () => {
  await open("invitation");
  await eventually(() => expect(page()).toContain("There is no link yet"));
  await press("Make link");
  await eventually(() => expect(field("Address of the invitation").value).toMatch(/\/e\/e1#invitation=K1$/));
  expect(page()).toContain("No new guest can use this link.");
  await press("New link");
  await eventually(() => expect(page()).toContain("The link in use registers no one any more"));
  expect(renewed).toBe(1);
});

test("reports that an event has no registration, and offers no actions then", async () => {
  await open("none");
  await eventually(() => expect(page()).toContain("asks for no registration"));
  expect(page()).not.toContain("Add a Person");
});

test("shows the codes that staff read out, with the person each is for", async () => {
  codes = [{ name: "Flo", target: "flo@example.org", code: "123456" }];
  await open();
  await eventually(() => expect(page()).toContain("Sign-in codes to read out"));
  const row = document.querySelector("[aria-label='Sign-in codes to read out'] li");
  expect(row?.textContent).toBe("Floflo@example.org123456");
});
