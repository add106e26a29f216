import { expect, test } from "vitest";
import { nextFriday } from "./make-demo-night.ts";

// kept: Console | The demo's Friday night was on any day of the week | failed with the fault put back
test("the demo's Friday night is on the next Friday, on whatever day it is made", () => {
  for (let hour = 0; hour < 14 * 24; hour += 5) {
    const now = Date.UTC(2026, 10, 20, hour);
    const night = nextFriday(now);
    expect([night.getUTCDay(), night.getUTCHours()]).toEqual([5, 19]);
    expect(night.getTime() - now).toBeGreaterThan(0);
    expect(night.getTime() - now).toBeLessThan(8 * 24 * 3600 * 1000);
  }
});
