import { expect, test } from "vitest";
import { listSearch, nextSort, orderOf, parseOpen } from "./list-search.ts";

test("reads the parameters of a list from an address and ignores others", () => {
  expect(listSearch({ q: 7, show: "deleted", sort: "-name", open: "edit.u1", page: 3, x: "y" })).toEqual({
    q: "7",
    show: "deleted",
    sort: "-name",
    open: "edit.u1",
  });
  expect(listSearch({ q: "", show: null })).toEqual({});
});

test("cycles from ascending to descending to the default order", () => {
  expect(["name", "-name", undefined].map((sort) => nextSort(sort, "name"))).toEqual(["-name", undefined, "name"]);
  expect(nextSort("-title", "name")).toBe("name");
  expect(["name", "-name", undefined].map(orderOf)).toEqual(["name", "name desc", ""]);
});

test("names the dialog and its row", () => {
  expect(["new", "edit.u1", "delete.a.b", undefined].map(parseOpen)).toEqual([
    { what: "new", id: "" },
    { what: "edit", id: "u1" },
    { what: "delete", id: "a.b" },
    undefined,
  ]);
});
