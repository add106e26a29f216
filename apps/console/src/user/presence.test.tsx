// @vitest-environment jsdom
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { UserSchema } from "@followspot/contract/user";
import { expect, test } from "vitest";
import { show } from "../testing/show.tsx";
import { Presence } from "./presence.tsx";

const MINUTE_MS = 60_000;
const ago = (minutes: number) => timestampFromMs(Date.now() - minutes * MINUTE_MS - 1000);
const now = timestampFromMs(Date.now());

test.each<[string, MessageInitShape<typeof UserSchema>, string]>([
  ["who is here", { isOnline: true, lastSeenAt: now }, "Online now"],
  ["who left", { lastSeenAt: ago(5) }, "Last seen 5 minutes ago"],
  ["who never came", {}, "Never seen"],
  ["who was deleted", { isOnline: true, lastSeenAt: now, deletedAt: now }, ""],
])("shows the online status of a user %s", async (_case, user, words) => {
  const place = await show(<Presence user={create(UserSchema, user)} />);
  expect(place.textContent).toBe(words);
});
