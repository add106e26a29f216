import { expect, test } from "vitest";
import { listSearch, nextSort, orderOf, parseOpen } from "./list-search.ts";

test("reads what an address says of a list, and nothing else", () => {
  expect(listSearch({ q: 7, show: "deleted", sort: "-name", open: "edit.u1", page: 3, x: "y" })).toEqual({
    q: "7",
    show: "deleted",
    sort: "-name",
    open: "edit.u1",
  });
  expect(listSearch({ q: "", show: null })).toEqual({});
});

test("turns from up to down to the list's own order", () => {
  expect(["name", "-name", undefined].map((sort) => nextSort(sort, "name"))).toEqual(["-name", undefined, "name"]);
  expect(nextSort("-title", "name")).toBe("name");
  expect(["name", "-name", undefined].map(orderOf)).toEqual(["name", "name desc", ""]);
});

test("names the dialog and the row it is about", () => {
  expect(["new", "edit.u1", "delete.a.b", undefined].map(parseOpen)).toEqual([
    { what: "new", id: "" },
    { what: "edit", id: "u1" },
    { what: "delete", id: "a.b" },
    undefined,
  ]);
});
