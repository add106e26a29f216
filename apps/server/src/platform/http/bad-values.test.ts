import { fromJson, ScalarType, type DescField, type DescMessage, type JsonObject } from "@bufbuild/protobuf";
import { createValidator } from "@bufbuild/protovalidate";
import { ConnectError } from "@connectrpc/connect";
import { afterAll, expect, test } from "vitest";
import { SongFiles } from "../../songs/catalog/song-files.ts";
import { METHODS, pathOf } from "../../testing/methods.ts";
import { SongsByHand } from "../../testing/songs-by-hand.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { startTestServer } from "../../testing/test-server.ts";
import { VALID_CALLS } from "../../testing/valid-calls.ts";
import { createWorld, oneVideo } from "../../testing/world.ts";
import type { Caller } from "../caller.ts";
import { readyRequest } from "./request-body.ts";
import { connectBroker, ensureStreams, leaveBroker } from "../broker/nats.ts";

/** All methods except those that end the session of the others. */
const CALLED = METHODS.filter(({ name }) => !name.startsWith("SignOut"));

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

const dataDir = await folderUntil(afterAll);
const broker = openUntil(afterAll, await connectBroker(process.env.NATS_URL ?? "", "bad values test"), leaveBroker);
await ensureStreams(broker);
const server = openUntil(afterAll, await startTestServer({ dataDir, videos: oneVideo, broker: () => broker }));
const { id, token } = await server.person("Ada", ["Admin"]);
const admin = token;
const caller: Caller = { userId: id, name: "Ada", roles: ["Admin"], sessionId: "" };
const songs = new SongsByHand(server.sql, new SongFiles(dataDir), caller);
const world = createWorld(server, songs, { id, token });

function badValues(field: DescField): readonly unknown[] {
  const isText = field.scalar === ScalarType.STRING;
  return [
    ...BAD_SHAPES,
    ...(isText ? BAD_TEXTS : BAD_NUMBERS),
    ...(field.fieldKind === "list" ? [BAD_TEXTS, BAD_NUMBERS] : []),
  ];
}

const validator = createValidator();

/**
 * Whether the server refuses a request before its method runs. All of these take one code path, so few of them are
 * sent.
 */
function isRefusedEarly(input: DescMessage, request: object): boolean {
  let json;
  try {
    json = readyRequest(input, request);
  } catch (error) {
    return error instanceof ConnectError; // any other error would be a fault of the server
  }
  try {
    return (
      validator.validate(input, fromJson(input, json as JsonObject, { ignoreUnknownFields: true })).kind === "invalid"
    );
  } catch {
    return true;
  }
}

test.each(CALLED.map((method) => [pathOf(method), method] as const))(
  "%s answers every bad value in every field as the caller's mistake, or accepts it",
  async (path, method) => {
    // A valid request, so that one field at a time is bad.
    const good = await VALID_CALLS[path]?.request(world);
    for (const field of method.input.fields) {
      const requests = badValues(field).map((value) => ({ value, request: { ...good, [field.name]: value } }));
      const isSent = requests.map(({ request }, i) => i === 0 || !isRefusedEarly(method.input, request));
      const answers = await Promise.all(
        requests
          .filter((_, i) => isSent[i])
          .map(async ({ value, request }) => ({ value, ...(await server.call(path, request, admin)) })),
      );
      const faults = answers.filter(({ code }) =>
        ["internal", "unknown", "unavailable", "data_loss"].includes(code ?? ""),
      );
      expect([field.name, faults.map(({ value, body }) => ({ value, body }))]).toEqual([field.name, []]);
      const snake = method.input.fields.map(({ name }) => name).filter((name) => name.includes("_"));
      const oldNames = answers.filter(
        ({ code, body }) => code && snake.some((name) => new RegExp(`\\b${name}\\b`).test(body.message)),
      );
      expect(oldNames.map(({ body }) => body.message)).toEqual([]);
    }
    expect(server.failures).toEqual([]);
  },
);
