// @vitest-environment jsdom
import { create } from "@bufbuild/protobuf";
import { timestampDate, timestampFromDate, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { EventSchema, EventService } from "@followspot/contract/event";
import {
  TalkSchema,
  TalkService,
  type CreateTalkRequest,
  type Talk,
  type UpdateTalkRequest,
} from "@followspot/contract/talk";
import { UserService } from "@followspot/contract/user";
import { act } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { dateTime } from "../lib/formatting.ts";
import { button, choose, eventually, field, press, show, Surroundings, type } from "../testing/show.tsx";
import { TalkDialog } from "./talk-dialog.tsx";

const at = (time: string) => timestampFromDate(new Date(`2026-05-01T${time}`));
const friday = create(EventSchema, { id: "e1", title: "Friday", startsAt: at("20:00"), endsAt: at("23:00") });
const party = create(EventSchema, { id: "e2", title: "Party", startsAt: at("12:00"), endsAt: at("14:00") });
/** An evening of Tokyo, where clocks show seven hours more than in Berlin then. */
const abroad = create(EventSchema, {
  id: "e3",
  title: "Hanabi",
  startsAt: timestampFromDate(new Date("2026-05-01T11:00:00Z")), // 8 PM there
  endsAt: timestampFromDate(new Date("2026-05-01T14:00:00Z")),
  timeZone: "Asia/Tokyo",
});
const fog = () =>
  create(TalkSchema, {
    id: "t1",
    eventId: "e1",
    title: "Fog",
    body: "How it is made",
    startAt: at("21:00"),
    userId: "u2",
    userName: "Bea",
    imageUrl: "/media/1",
    updatedAt: timestampFromMs(1000),
  });

let created: CreateTalkRequest[];
let updated: UpdateTalkRequest[];
/** Talks of the events by their ids. */
let planned: Record<string, Talk[]>;
/** What the server has; a save of an older one is refused. */
let stored: Talk;

beforeEach(() => {
  [created, updated, planned, stored] = [[], [], {}, fog()];
});

afterEach(() => vi.unstubAllEnvs());

function routes(router: ConnectRouter): void {
  router.service(EventService, { listEvents: () => ({ events: [friday, party, abroad] }) });
  router.service(UserService, {
    listUsers: ({ list }) => ({ users: list?.query === "bea" ? [{ id: "u2", name: "Bea", email: "bea@x.org" }] : [] }),
  });
  router.service(TalkService, {
    listTalks: ({ eventId }) => ({ talks: planned[eventId ?? ""] ?? [] }),
    getTalk: () => ({ talk: stored }),
    createTalk: (request) => {
      created.push(request);
      const { title, eventId, startAt } = request;
      return { talk: { id: `new ${created.length}`, title, eventId, ...(startAt && { startAt }) } };
    },
    updateTalk: (request) => {
      updated.push(request);
      if (request.ifUpdatedAt?.seconds !== stored.updatedAt?.seconds)
        throw new ConnectError("Another person has changed this talk", Code.Aborted);
      return { talk: stored };
    },
  });
}

async function open(talk?: Talk, event = friday) {
  const onClose = vi.fn();
  await show(
    <Surroundings routes={routes}>
      <TalkDialog talk={talk} event={event} onClose={onClose} />
    </Surroundings>,
  );
  return onClose;
}

const page = () => document.body.textContent;

test("creates a talk where the event begins, with a speaker found by name", async () => {
  const onClose = await open();
  await eventually(() => expect(field("Start").value).toBe("2026-05-01T20:00"));
  await type(field("Title"), "  Light ");
  await type(field("Speaker"), "bea");
  await eventually(() => expect(page()).toContain("bea@x.org"));
  await act(async () => document.querySelector<HTMLElement>("[aria-label=Speaker] li button")!.click());
  expect(page()).toContain("Remove speaker");
  // What is chosen next is when they speak.
  await eventually(() => expect(document.activeElement).toBe(field("Start")));
  await press("Create Talk");
  await eventually(() => expect(onClose).toHaveBeenCalledOnce());
  expect(created[0]).toMatchObject({ title: "Light", eventId: "e1", userId: "u2", body: "", imageBase64: "" });
  expect(timestampDate(created[0]!.startAt!)).toEqual(new Date("2026-05-01T20:00"));
});

test("makes one talk after the other, each 20 minutes after the last", async () => {
  const onClose = await open();
  await act(async () => field("Go on with another talk").click());
  for (const [index, title] of ["One", "Two", "Three"].entries()) {
    await eventually(() => expect(field("Start").value).toBe(`2026-05-01T20:${["00", "20", "40"][index]}`));
    await type(field("Title"), title);
    await act(async () => button("Create Talk").focus());
    await press("Create Talk");
    await eventually(() => expect(page()).toContain(`Created "${title}".`));
    expect([field("Title").value, document.activeElement]).toEqual(["", field("Title")]);
  }
  expect(created.map(({ title }) => title)).toEqual(["One", "Two", "Three"]);
  expect(onClose).not.toHaveBeenCalled();
});

test("proposes a start in the event that is chosen, until a person chose one", async () => {
  planned = { e1: [fog()], e2: [create(TalkSchema, { id: "t2", eventId: "e2", title: "Owls", startAt: at("12:30") })] };
  await open();
  await eventually(() => expect(field("Start").value).toBe("2026-05-01T21:20"));
  await choose("Event", "e2");
  await eventually(() => expect(field("Start").value).toBe("2026-05-01T12:50"));
  await type(field("Start"), "2026-05-01T13:15");
  await choose("Event", "e1");
  await eventually(() => expect(page()).toContain("Before the event starts"));
  expect(field("Start").value).toBe("2026-05-01T13:15");
});

test("warns of a start that is too close or outside, and saves it all the same", async () => {
  planned = { e1: [fog()] };
  const onClose = await open();
  await type(field("Title"), "Haze");
  await type(field("Start"), "2026-05-01T21:03");
  await eventually(() => expect(page()).toContain('Only 3 minutes after "Fog"'));
  await type(field("Start"), "2026-05-01T21:00");
  expect(page()).toContain('Same time as "Fog"');
  await type(field("Start"), "2026-05-01T23:00");
  expect(page()).toContain("After the event has ended");
  await press("Create Talk");
  await eventually(() => expect(onClose).toHaveBeenCalledOnce());
  expect(created).toHaveLength(1);
});

test("says under each field what is wrong, and sends nothing", async () => {
  await open();
  await press("Create Talk");
  await eventually(() => expect(page()).toContain("Title is required"));
  await type(field("Title"), "x".repeat(301));
  await eventually(() => expect(page()).toContain("301 characters: at most 300 fit."));
  await press("Create Talk");
  expect(created).toEqual([]);
});

test("takes speaker, start and image away, as of the state the talk was in", async () => {
  const onClose = await open(fog());
  expect([field("Title").value, field("Start").value]).toEqual(["Fog", "2026-05-01T21:00"]);
  expect(document.querySelector("img")?.getAttribute("src")).toBe("/media/1");
  await press("Remove speaker");
  await press("Remove image");
  await type(field("Start"), "");
  expect(document.querySelector("img")).toBeNull();
  await press("Update Talk");
  await eventually(() => expect(onClose).toHaveBeenCalledOnce());
  expect(updated[0]).toMatchObject({
    talkId: "t1",
    title: "Fog",
    body: "How it is made",
    userId: "",
    clearStart: true,
    clearImage: true,
  });
  expect([updated[0]!.startAt, updated[0]!.ifUpdatedAt?.seconds]).toEqual([undefined, 1n]);
});

test("shows a chosen image before it is sent, and sends it whole", async () => {
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:fog");
  vi.spyOn(URL, "revokeObjectURL").mockReturnValue(undefined);
  const onClose = await open(fog());
  const files = [new File(["light"], "light.png", { type: "image/png" })];
  Object.defineProperty(field("Image"), "files", { value: files });
  await act(async () => field("Image").dispatchEvent(new Event("change", { bubbles: true })));
  expect(document.querySelector("img")?.getAttribute("src")).toBe("blob:fog");
  await press("Update Talk");
  await eventually(() => expect(onClose).toHaveBeenCalledOnce());
  expect(updated[0]).toMatchObject({ imageBase64: btoa("light"), clearImage: false });
  vi.restoreAllMocks();
});

test("leaves what was not touched as it was", async () => {
  const onClose = await open(fog());
  await type(field("Title"), "Haze");
  await press("Update Talk");
  await eventually(() => expect(onClose).toHaveBeenCalledOnce());
  expect(updated[0]).toMatchObject({ userId: "u2", eventId: "e1", clearStart: false, clearImage: false });
  expect(timestampDate(updated[0]!.startAt!)).toEqual(new Date("2026-05-01T21:00"));
});

test("says what another person has changed, in words, and follows it where nothing was typed", async () => {
  await open(fog());
  stored = create(TalkSchema, {
    ...fog(),
    title: "Mist",
    eventId: "e2",
    userId: "u3",
    userName: "Cy",
    imageUrl: "/media/2",
    updatedAt: timestampFromMs(2000),
  });
  await type(field("Title"), "Haze");
  await press("Update Talk");
  await eventually(() => expect(page()).toContain("Theirs: Cy"));
  expect(page()).toContain("Theirs: Party");
  expect(page()).toContain("Theirs: Another image");
  await press("Keep mine");
  await press("Update Talk");
  await eventually(() => expect(updated).toHaveLength(2));
  expect(updated[1]).toMatchObject({ title: "Haze", eventId: "e2", userId: "u3", clearImage: false });
});

test("types a start by the clock of the event that is chosen, and says what the reader's own shows", async () => {
  vi.stubEnv("TZ", "Europe/Berlin");
  await open();
  await eventually(() => expect(page()).toContain("Hanabi · May 1, 2026, 8:00 PM GMT+9"));
  await choose("Event", "e3");
  await eventually(() => expect(field("Start").value).toBe("2026-05-01T20:00"));
  await type(field("Start"), "2026-05-01T21:30");
  expect(page()).toContain("Times of the event are by its own clock, Asia/Tokyo.");
  expect(page()).toContain(`By your own clock: ${dateTime(new Date("2026-05-01T12:30:00Z"))} CEST.`);
  await type(field("Title"), "Rockets");
  await press("Create Talk");
  await eventually(() => expect(created).toHaveLength(1));
  expect(timestampDate(created[0]!.startAt!)).toEqual(new Date("2026-05-01T12:30:00Z"));
});

test.each(["Europe/Berlin", "Asia/Tokyo"])(
  "keeps a start in the second of two equal hours when it is opened in %s and saved as it was",
  async (reader) => {
    vi.stubEnv("TZ", reader);
    const at = (time: string) => timestampFromDate(new Date(`2026-10-${time}:00Z`));
    const night = create(EventSchema, { id: "e1", startsAt: at("24T22:00"), endsAt: at("25T04:00"), timeZone: "Europe/Berlin" }); // prettier-ignore
    const second = at("25T01:30"); // 2:30 again, an hour after the first
    await open({ ...fog(), startAt: second }, night);
    expect(field("Start").value).toBe("2026-10-25T02:30");
    await type(field("Title"), "Haze");
    await press("Update Talk");
    await eventually(() => expect(updated).toHaveLength(1));
    expect(updated[0]!.startAt).toEqual(second);
  },
);

test("types a start after the change to summer time by the clock as it is then", async () => {
  vi.stubEnv("TZ", "Asia/Tokyo");
  const at = (time: string) => timestampFromDate(new Date(`2026-03-${time}:00Z`));
  const night = create(EventSchema, { id: "e1", startsAt: at("28T22:00"), endsAt: at("29T04:00"), timeZone: "Europe/Berlin" }); // prettier-ignore
  await open(undefined, night);
  await type(field("Title"), "Dawn");
  await type(field("Start"), "2026-03-29T03:15");
  await press("Create Talk");
  await eventually(() => expect(created).toHaveLength(1));
  expect(created[0]!.startAt).toEqual(at("29T01:15"));
});

test("says the start that another person typed by the clock of its event", async () => {
  vi.stubEnv("TZ", "Europe/Berlin");
  const startAt = (time: string) => timestampFromDate(new Date(`2026-05-01T${time}:00Z`));
  const mine = { ...fog(), eventId: "e3", startAt: startAt("12:00") };
  await open(mine, abroad);
  stored = { ...mine, startAt: startAt("12:45"), updatedAt: timestampFromMs(2000) };
  await type(field("Start"), "2026-05-01T21:10");
  await press("Update Talk");
  await eventually(() => expect(page()).toContain("Theirs: May 1, 2026, 9:45 PM"));
  await press("Keep mine");
  await press("Update Talk");
  await eventually(() => expect(updated).toHaveLength(2));
  expect(updated[1]!.startAt).toEqual(startAt("12:10"));
});
