import { expect, test } from "vitest";
import { trendPath } from "./trend-path.ts";

test("what was seen goes from edge to edge, the highest at the top and 0 at the bottom", () => {
  const points = [3600, 3540, 3480].map((secondsAgo, i) => ({ secondsAgo, waiting: [0, 8, 4][i]! }));
  expect(trendPath(points, 120, 20)).toBe("M0,20L2,0L4,10");
});

test("the line is broken where nothing was seen", () => {
  const points = [600, 570, 60, 0].map((secondsAgo) => ({ secondsAgo, waiting: 1 }));
  expect(trendPath(points, 120, 20)).toBe("M0,0L6,0M108,0L120,0");
});

test("nothing that ever waited is a line at the bottom, and nothing seen is no line", () => {
  const points = [30, 0].map((secondsAgo) => ({ secondsAgo, waiting: 0 }));
  expect(trendPath(points, 120, 20)).toBe("M60,20L120,20");
  expect(trendPath([], 120, 20)).toBe("");
});
