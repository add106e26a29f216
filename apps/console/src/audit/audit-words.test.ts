import { create } from "@bufbuild/protobuf";
import { FieldChangeSchema } from "@followspot/contract/audit";
import { expect, test } from "vitest";
import { actionWords, changeWords, fieldWords, thingWords } from "./audit-words.ts";

test.each([
  ["talk.updated", "Updated talk"],
  ["light_group.deleted", "Deleted group"],
  ["gold_transaction.granted", "Granted gold"],
  ["session.started", "Signed in"],
  ["stage_screen.timer_started", "Started the timer"],
  ["queue.started", "Started playing"],
  ["constructor.made_up", "Made up constructor"],
])("says %s as %s", (action, words) => {
  expect(actionWords(action)).toBe(words);
});

test.each([
  ["start_at", "Start at"],
  ["user_id", "User"],
  ["from_user_id", "From"],
  ["light_ids", "Lights"],
  ["", "Lights"],
  ["playerId", "Player"],
  ["showsLamps", "Shows lamps"],
])("calls the field %s %s", (field, words) => {
  expect(fieldWords(field, "light.reordered")).toBe(words);
});

test("calls what many outputs became by the outputs", () => {
  expect(fieldWords("", "output.changed")).toBe("Outputs");
});

test("calls a thing by its name, and by its id where it has none", () => {
  expect(thingWords({ target: "talk 01ABC", targetName: "Night talk" })).toBe("Night talk");
  expect(thingWords({ target: "light_group front wash", targetName: "" })).toBe("front wash");
  expect(thingWords({ target: "light all", targetName: "" })).toBe("Several lights");
  expect(thingWords({ target: "queue show", targetName: "" })).toBe("Music for everybody");
});

const said = (field: string, before: string, after: string, idsOf = "", names = {}) => {
  const words = changeWords(create(FieldChangeSchema, { field, before, after, idsOf }), names);
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

test("puts what has several parts in words, never as JSON", () => {
  const after = (field: string, value: object, idsOf = "", names = {}) =>
    said(field, "", JSON.stringify(value), idsOf, names)[1];
  expect(after("announcement", { text: "Food is ready", endsAt: "2026-05-01T20:00:00Z" })).toBe("Food is ready");
  expect(after("timer", { endsAt: "2026-05-01T20:00:00Z", seconds: 180 })).toBe("3 min");
  expect(after("timer", { endsAt: "2026-05-01T20:00:00Z", seconds: 90 })).toBe("90 s");
  const names = { "talk 01T": "How beats are found" };
  expect(after("talk", { id: "01T", since: "2026-05-01T20:00:00Z" }, "talk", names)).toBe("How beats are found");
  expect(after("place", { x: 1, facesLeft: true })).toBe("X: 1, Faces left: yes");
  expect(said("outputs", "", '[{"id":"01A","host":"10.0…')[1]).toBe("too long to show");
});

test("says of a picture only what happened to it", () => {
  expect(said("image_id", '"01A"', '"01B"')).toEqual(["", "replaced"]);
  expect(said("photo_id", '"01A"', "")).toEqual(["", "removed"]);
});

test("names people and things instead of their ids, and purged things by their ids", () => {
  const names = { "user 01BEA": "Bea", "event 01GALA": "Gala", "light 1": "Left", "light 12": "Right" };
  expect(said("user_id", '"01PURGED"', '"01BEA"', "user", names)).toEqual(["A purged person", "Bea"]);
  expect(said("event_id", '"01PURGED"', '"01GALA"', "event", names)).toEqual(["01PURGED", "Gala"]);
  expect(said("", "[1,12,3]", "[12,1]", "light", names)).toEqual(["Left, Right, 3", "Right, Left"]);
  expect(said("title", "", '"01BEA"', "", names)).toEqual(["", "01BEA"]);
});
