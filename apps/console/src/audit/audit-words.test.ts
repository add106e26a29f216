import { create } from "@bufbuild/protobuf";
import { FieldChangeSchema } from "@followspot/contract/audit";
import { expect, test } from "vitest";
import { actionWords, changeWords, fieldWords, thingWords } from "./audit-words.ts";

test.each([
  ["talk.updated", "Updated talk"],
  ["light_group.deleted", "Deleted group"],
  ["gold_transaction.granted", "Granted gold"],
  ["session.started", "Signed in"],
  ["constructor.made_up", "Made up constructor"],
])("says %s as %s", (action, words) => {
  expect(actionWords(action)).toBe(words);
});

test.each([
  ["start_at", "Start at"],
  ["user_id", "User"],
  ["from_user_id", "From"],
  ["", "Order"],
])("calls the field %s %s", (field, words) => {
  expect(fieldWords(field)).toBe(words);
});

test("calls a thing by its name, and by its id where it has none", () => {
  expect(thingWords({ target: "talk 01ABC", targetName: "Night talk" })).toBe("Night talk");
  expect(thingWords({ target: "light_group front wash", targetName: "" })).toBe("front wash");
});

const said = (field: string, before: string, after: string, names = {}) => {
  const words = changeWords(create(FieldChangeSchema, { field, before, after }), names);
  return [words.before, words.after];
};

test("puts values in words", () => {
  expect(said("title", '"Old"', '"New"')).toEqual(["Old", "New"]);
  expect(said("bio", '"Sings"', "")).toEqual(["Sings", "nothing"]);
  expect(said("enabled", "true", "false")).toEqual(["yes", "no"]);
  expect(said("roles", "", '["Admin","AI"]')).toEqual(["", "Admin, AI"]);
  expect(said("amount", "", "12500")).toEqual(["", "12,500"]);
  expect(said("start_at", "", '"2026-05-01T20:00:00.000Z"')[1]).toMatch(/^(Apr 30|May [12]), 2026, /);
  expect(said("body", "", '"cut off in the mid…')).toEqual(["", '"cut off in the mid…']);
});

test("says of a picture only what happened to it, and names people instead of their ids", () => {
  expect(said("image_id", '"01A"', '"01B"')).toEqual(["", "replaced"]);
  expect(said("photo_id", '"01A"', "")).toEqual(["", "removed"]);
  expect(said("user_id", '"01GONE"', '"01BEA"', { "01BEA": "Bea" })).toEqual(["Somebody who was purged", "Bea"]);
});
