import { expect, test } from "vitest";
import { trendPath } from "./trend-path.ts";

test("draws samples from edge to edge, with the highest at the top and 0 at the bottom", () => {
  const points = [3600, 3540, 3480].map((secondsAgo, i) => ({ secondsAgo, waiting: [0, 8, 4][i]! }));
  expect(trendPath(points, 120, 20)).toBe("M0,20L2,0L4,10");
});

test("interrupts the line where samples are missing", () => {
  const points = [600, 570, 60, 0].map((secondsAgo) => ({ secondsAgo, waiting: 1 }));
  expect(trendPath(points, 120, 20)).toBe("M0,0L6,0M108,0L120,0");
});

test("draws a line at the bottom if nothing ever waited, and no line without samples", () => {
  const points = [30, 0].map((secondsAgo) => ({ secondsAgo, waiting: 0 }));
  expect(trendPath(points, 120, 20)).toBe("M60,20L120,20");
  expect(trendPath([], 120, 20)).toBe("");
});
