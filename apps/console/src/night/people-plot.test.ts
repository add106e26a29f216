import { expect, test } from "vitest";
import { peopleBars } from "./people-plot.ts";

const at = (minutes: number, came: number) => ({ at: minutes * 60_000, came });

test("empty quarters stand between the others", () => {
  const bars = peopleBars([at(0, 2), at(45, 1)]);
  expect(bars.map((bar) => [bar.at / 60_000, bar.came, bar.inside])).toEqual([[0, 2, 2], [15, 0, 2], [30, 0, 2], [45, 1, 3]]); // prettier-ignore
  expect(peopleBars([at(30, 4)]).map((bar) => [bar.at / 60_000, bar.until / 60_000])).toEqual([[30, 45]]);
  expect(peopleBars([])).toEqual([]);
});

test("a night of days stays a picture, and loses no person", () => {
  const bars = peopleBars([at(0, 2), at(60 * 24 * 30, 3), at(60 * 24 * 60, 5)]);
  expect(bars.length).toBeLessThanOrEqual(96);
  expect(bars.at(-1)!.inside).toBe(10);
});
