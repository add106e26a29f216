// @vitest-environment jsdom
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { AccountingService } from "@followspot/contract/accounting";
import { AuditService } from "@followspot/contract/audit";
import { AuthService } from "@followspot/contract/auth";
import { ChatService } from "@followspot/contract/chat";
import { EventService } from "@followspot/contract/event";
import { TalkService } from "@followspot/contract/talk";
import { act } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { addressed } from "../testing/addressed.tsx";
import { giveSizes } from "../testing/list-place.tsx";
import { PagedUsers } from "../testing/paged-users.ts";
import { button, eventually, field, press, show, type } from "../testing/show.tsx";
import { userSearch } from "./user-search.ts";
import { UsersPage } from "./users-page.tsx";

const ID = "u000119";
const AT = timestampFromMs(Date.UTC(2026, 4, 1, 20));
let server: PagedUsers;
/** Requested user ID per call. */
let asked: Record<string, string>;
/** Whether every call except the one for the user fails. */
let fails: boolean;

beforeEach(() => {
  giveSizes();
  server = new PagedUsers(120);
  server.users[119] = { ...server.users[119]!, email: "p@example.org", roles: ["Director"], bio: "Sings" };
  asked = {};
  fails = false;
});

afterEach(() => vi.unstubAllEnvs());

const noted = <Answer,>(name: string, whose: string, answer: Answer): Answer => {
  asked[name] = whose;
  if (fails) throw new ConnectError("The database is not reachable", Code.Unavailable);
  return answer;
};

function routes(router: ConnectRouter): void {
  server.routes(router);
  router.service(EventService, {
    listPersonEvents: ({ userId }) =>
      noted("events", userId, {
        events: [
          {
            eventId: "e2",
            title: "Second night",
            startsAt: AT,
            timeZone: "Asia/Tokyo",
            state: "waiting",
            registeredAt: AT,
          },
          { eventId: "e1", title: "First night", startsAt: AT, state: "none", checkedInAt: AT },
        ],
      }),
  });
  router.service(TalkService, {
    listTalks: ({ userId, list }) =>
      noted("talks", `${userId} ${list?.orderBy}`, {
        talks: [
          { id: "t1", title: "On light", eventId: "e1", startAt: AT, timeZone: "America/New_York", points: 3 },
          { id: "t2", title: "On fog", eventId: "e2", startAt: AT, timeZone: "Asia/Tokyo" },
        ],
      }),
  });
  router.service(AccountingService, {
    getBalance: ({ userId }) => noted("balance", userId, { balance: 42n }),
    getStats: () => ({ totalGold: 42n, accountCount: 1n }),
    listTransactions: ({ userId }) => noted("gold", userId, { transactions: [] }),
  });
  router.service(ChatService, {
    listAllThreads: ({ userId }) =>
      noted("chats", userId, {
        threads: [{ id: "c1", title: "Crew", memberIds: ["a", "b", "c"], lastMessageAt: AT }],
      }),
  });
  router.service(AuthService, {
    listSessions: ({ userId }) => noted("sessions", userId, { sessions: [{ id: "s1", client: "Firefox on Linux" }] }),
  });
  router.service(AuditService, {
    listAuditEntries: ({ target }) =>
      noted("log", target, {
        entries: [{ id: 1n, at: AT, userName: "Ada", action: "user.updated", target }],
      }),
  });
}

async function open(address = "/", roles: readonly string[] = ["Admin"]) {
  const { router, page } = addressed(<UsersPage />, address);
  await show(page, { routes, roles });
  return router;
}

const drawer = () => document.querySelector<HTMLElement>("[role=dialog]");
const tab = (name: string) =>
  [...document.querySelectorAll<HTMLElement>("[role=tab]")].find(({ textContent }) => textContent === name)!;
const isThere = (claim: string) => eventually(() => expect(drawer()?.textContent).toContain(claim));

test("opens from the name; each tab loads when it is opened and is stored in the URL", async () => {
  const router = await open();
  await eventually(() => expect(button("Person 000119")).toBeTruthy());
  await press("Person 000119");
  await isThere("Sings");
  expect(drawer()?.textContent).toContain("p@example.org");
  expect(drawer()?.textContent).toContain("Director");
  expect(router.state.location.search).toEqual({ person: ID });
  expect(asked).toEqual({});
  for (const [name, claim, calls] of [
    ["Events", "Second night", { events: ID }],
    ["Talks", "On light", { talks: `${ID} start_at desc` }],
    ["Gold", "42 gold", { balance: ID, gold: ID }],
    ["Chats", "Crew", { chats: ID }],
    ["Sessions", "Firefox on Linux", { sessions: ID }],
    ["Log", "Updated user", { log: `user ${ID}` }],
  ] as const) {
    asked = {};
    await act(async () => tab(name).click());
    await isThere(claim);
    expect(asked).toEqual(calls);
    expect(router.state.location.search).toEqual({ person: ID, tab: name.toLowerCase() });
    expect(tab(name).getAttribute("aria-selected")).toBe("true");
  }
  await act(async () => tab("Profile").click());
  await isThere("Sings");
  expect(router.state.location.search).toEqual({ person: ID });
  await press("Close");
  await eventually(() => expect(drawer()).toBeNull());
  expect(router.state.location.search).toEqual({});
});

test("lists the user's events as registered, waitlisted or checked in", async () => {
  await open(`/?person=${ID}&tab=events`);
  await isThere("Second nightWaiting");
  expect(drawer()?.textContent).toContain("First nightChecked in");
});

test("a tab that fails to load shows the error and retries on request", async () => {
  fails = true;
  await open(`/?person=${ID}&tab=talks`);
  await isThere("Error loading talks");
  fails = false;
  await press("Retry");
  await isThere("On light");
});

test("the profile is edited on top of the drawer and shows the saved values", async () => {
  const router = await open(`/?person=${ID}`);
  await isThere("Sings");
  const [edit] = [...drawer()!.querySelectorAll("button")].filter(({ textContent }) => textContent === "Edit");
  await act(async () => edit!.click());
  await eventually(() => expect(field("Purpose")).toBeTruthy());
  expect(router.state.location.search).toEqual({ person: ID, open: `edit.${ID}` });
  await type(field("Purpose"), "Runs the door");
  await press("Update User");
  await isThere("Runs the door");
  await eventually(() => expect(router.state.location.search).toEqual({ person: ID }));
});

test("shows an error for an unknown user", async () => {
  await open("/?person=missing");
  await isThere("There is no such user");
});

test.each([
  ["gold.u1", { person: "u1", tab: "gold" }],
  ["history.u1", { person: "u1", tab: "log" }],
])("an older URL with open=%s maps to the tab", async (address, place) => {
  expect(userSearch({ q: "x", open: address })).toMatchObject({ q: "x", open: undefined, ...place });
});

test("an older URL opens the tab, and closing the drawer returns to the list", async () => {
  const router = await open(`/?open=gold.${ID}`);
  await isThere("42 gold");
  await press("Close");
  await eventually(() => expect(drawer()).toBeNull());
  expect(router.state.location.search).toEqual({});
});

test("shows times of events and talks in the event's time zone, and names the zone if it is not the viewer's", async () => {
  vi.stubEnv("TZ", "Europe/Berlin");
  await open(`/?person=${ID}&tab=events`);
  await isThere("May 2, 2026, 5:00 AM GMT+9");
  await act(async () => tab("Talks").click());
  await isThere("May 1, 2026, 4:00 PM EDT · 3 votes");
  await isThere("May 2, 2026, 5:00 AM GMT+9 · 0 votes");
});
