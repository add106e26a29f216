import { expect, test } from "vitest";
import { changedFields, mergeFields } from "./list-merge.ts";

const read = { bio: "old", purpose: "old", roles: ["AI"] };

test("names the fields that another user has changed", () => {
  expect(changedFields(read, { bio: "theirs", purpose: "old", roles: ["AI"] })).toEqual(["bio"]);
  expect(changedFields(read, { ...read, roles: [] })).toEqual(["roles"]);
});

test("keeps edited fields and updates the unedited ones", () => {
  const mine = { ...read, purpose: "mine" };
  expect(mergeFields(read, mine, { ...read, bio: "theirs" })).toEqual({
    bio: "theirs",
    purpose: "mine",
    roles: ["AI"],
  });
});
