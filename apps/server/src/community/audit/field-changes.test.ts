import { expect, test } from "vitest";
import { fieldChanges } from "./field-changes.ts";

test("lists each field with its value before and after", () => {
  const before = { id: "1", title: "Old", roles: [], start_at: null };
  const after = { id: "1", title: "New", roles: ["Admin"], start_at: "2026-05-01T20:00:00Z" };
  expect(fieldChanges(before, after)).toEqual([
    { field: "roles", before: "", after: '["Admin"]' },
    { field: "start_at", before: "", after: '"2026-05-01T20:00:00Z"' },
    { field: "title", before: '"Old"', after: '"New"' },
  ]);
});

test("lists the non-empty fields of a created thing, and all fields of a deleted one", () => {
  expect(fieldChanges(null, { title: "Night", address: "", lat: 0, is_script: false })).toEqual([
    { field: "title", before: "", after: '"Night"' },
  ]);
  expect(fieldChanges({ title: "Night" }, null)).toEqual([{ field: "title", before: '"Night"', after: "" }]);
});

test("leaves out the community", () => {
  expect(fieldChanges(null, { community_id: 1, name: "Bea" }).map(({ field }) => field)).toEqual(["name"]);
});

test("treats an order as one field without a name, and an empty change as no change", () => {
  expect(fieldChanges([1, 2], [2, 1])).toEqual([{ field: "", before: "[1,2]", after: "[2,1]" }]);
  expect(fieldChanges(null, null)).toEqual([]);
});

test("truncates long texts", () => {
  const [body] = fieldChanges(null, { body: "x".repeat(20_000) });
  expect(body?.after).toHaveLength(501);
});
