import { ScalarType, type DescField, type DescMethod } from "@bufbuild/protobuf";
import { AuthService } from "@followspot/contract/auth";
import { ChatService } from "@followspot/contract/chat";
import { EventService } from "@followspot/contract/event";
import { LightsService } from "@followspot/contract/lights";
import { TalkService } from "@followspot/contract/talk";
import { UserService } from "@followspot/contract/user";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../testing/test-server.ts";

const METHODS = [AuthService, ChatService, EventService, LightsService, TalkService, UserService]
  .flatMap((service): readonly DescMethod[] => service.methods)
  .filter((method) => method.name !== "SignOut");

const BAD_TEXTS = [
  "\0",
  "\ud800",
  "x".repeat(100_000),
  "' or 1=1 --",
  "../../etc/passwd",
  "%00",
  "$JS.>",
  "__proto__",
  "\u202e",
  "1e309",
  "-1",
  "null",
];
const BAD_NUMBERS = [
  -1,
  1.5,
  2 ** 31,
  -(2 ** 31),
  2 ** 53,
  1e308,
  "NaN",
  "Infinity",
  "-Infinity",
  "",
  "x",
  "0x10",
  " 1",
];
const BAD_SHAPES = [
  null,
  {},
  [],
  [[]],
  { a: 1 },
  true,
  "text",
  7,
  [null],
  { seconds: {} },
  { seconds: -1e18 },
  { nanos: [] },
];

let server: TestServer;
let admin: string;
/** What makes a request of a method good, so that one field at a time is bad. */
let base: Readonly<Record<string, object>>;
const EVENT = { title: "Night", starts_at: "2026-05-01T20:00:00Z", ends_at: "2026-05-02T02:00:00Z" };
const LIGHT = { label: "Par", light_type: "generic_rgb_par", mode: "3 channels" };
beforeAll(async () => {
  server = await startTestServer();
  admin = (await server.person("Ada", ["Admin"])).token;
  const made = async (path: string, body: object) => (await server.call(path, body, admin)).body;
  const user = { user_id: (await server.person("Bea")).id };
  const event = { event_id: (await made("event.v1.EventService/CreateEvent", EVENT)).event.id };
  const talk = { talk_id: (await made("talk.v1.TalkService/CreateTalk", { title: "Talk" })).talk.id };
  const light = { id: (await made("lights.v1.LightsService/CreateLight", LIGHT)).light.id };
  const group = { id: "wash", name: "Wash", type: "wash", fixture_ids: [light.id] };
  await made("lights.v1.LightsService/CreateGroup", group);
  const thread = { thread_id: (await made("chat.v1.ChatService/CreateThread", {})).thread.id };
  const message = {
    message_id: (await made("chat.v1.ChatService/SendMessage", { ...thread, text: "Hello" })).message.id,
  };
  base = {
    CreateUser: { name: "Cy" },
    UpdateUser: user,
    GetUser: user,
    UploadPhoto: user,
    FindSimilarUsers: user,
    CreateEvent: EVENT,
    UpdateEvent: event,
    GetEvent: event,
    UploadBanner: event,
    ScanQr: { ...event, code: "x" },
    ListAttendeeCodes: event,
    GetMyCode: event,
    ListCheckIns: event,
    CountCheckIns: event,
    UndoCheckIn: { ...event, ...user },
    CreateTalk: { title: "Talk" },
    UpdateTalk: talk,
    GetTalk: talk,
    Vote: talk,
    Unvote: talk,
    GiveFeedback: { ...talk, text: "x" },
    ListFeedback: talk,
    CountFeedback: talk,
    CreateLight: LIGHT,
    UpdateLight: light,
    GetLight: light,
    CreateGroup: { ...group, id: "next" },
    UpdateGroup: { id: "wash" },
    CalculateDMXAddress: { position: "1", channel_count: 4 },
    CheckDMXConflict: { dmx_address: 1, channel_count: 4 },
    GetNextDMXAddress: { channel_count: 4 },
    GetPatternContext: { song_id: "x" },
    GetThread: thread,
    UpdateThread: thread,
    AddMember: { ...thread, ...user },
    RemoveMember: { ...thread, ...user },
    ListMessages: thread,
    SendMessage: { ...thread, text: "x" },
    EditMessage: { ...message, text: "x" },
    AddReaction: { ...message, emoji: "👍" },
    RemoveReaction: { ...message, emoji: "👍" },
    MarkRead: { ...thread, ...message },
    SendTyping: thread,
  };
});
afterAll(() => server.close());

function badValues(field: DescField): readonly unknown[] {
  const isText = field.scalar === ScalarType.STRING;
  return [
    ...BAD_SHAPES,
    ...(isText ? BAD_TEXTS : BAD_NUMBERS),
    ...(field.fieldKind === "list" ? [BAD_TEXTS, BAD_NUMBERS] : []),
  ];
}

test.each(
  METHODS.map((method) => [`${method.parent.typeName.slice("followspot.".length)}/${method.name}`, method] as const),
)("%s answers every bad value in every field as the caller's mistake or not at all", async (path, method) => {
  for (const field of method.input.fields) {
    const answers = await Promise.all(
      badValues(field).map(async (value) => ({
        value,
        ...(await server.call(path, { ...base[method.name], [field.name]: value }, admin)),
      })),
    );
    const faults = answers.filter(({ code }) =>
      ["internal", "unknown", "unavailable", "data_loss"].includes(code ?? ""),
    );
    expect([field.name, faults.map(({ value, body }) => ({ value, body }))]).toEqual([field.name, []]);
  }
  expect(server.failures).toEqual([]);
});
