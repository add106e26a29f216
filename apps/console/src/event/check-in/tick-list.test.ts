import { expect, test } from "vitest";
import { bySurname, surnameFirst } from "./tick-list.ts";

test.each([
  ["Gina Lollo", "Lollo, Gina"],
  ["Anna Maria de Vries", "Vries, Anna Maria de"],
  ["Cher", "Cher"],
  ["  Zoë   Bäcker ", "Bäcker, Zoë"],
  ["", ""],
])("prints %j as %j", (name, printed) => {
  expect(surnameFirst(name)).toBe(printed);
});

test("orders by surname without regard to case and accents", () => {
  const people = ["Ada Zimmer", "zoë äbel", "Bea Abel", "Cher"].map((userName) => ({ userName }));
  expect(people.toSorted(bySurname).map(({ userName }) => userName)).toEqual([
    "Bea Abel",
    "zoë äbel",
    "Cher",
    "Ada Zimmer",
  ]);
});
