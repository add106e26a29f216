import { afterAll, beforeAll, expect, test } from "vitest";
import { faultsOf, longestDark, Night, type Seen } from "./testing/night.ts";

/** Two of what `npm run bench:night-faults` does, with the console's own player and lamps on loopback. */
const SECONDS = 26;
/** The bench holds the times themselves; here a machine that does other things may take twice as long. */
const PATIENCE = 2;
let night: Night;
let control: Seen;

beforeAll(async () => {
  night = await Night.open();
  control = await night.watch({ seconds: SECONDS });
}, 240_000);
afterAll(() => night.close());

test.each(["The console's line falls silent, and no end is told", "The stage and the API hang at once"])(
  "the lamps keep what is promised when this happens in a show: %s",
  async (title) => {
    const fault = faultsOf(night).find((each) => each.title === title)!;
    const seen = await night.watch(fault);
    expect(longestDark(seen, control)).toBeLessThanOrEqual(PATIENCE * fault.darkMs);
    if (fault.back) expect(seen.backMs).toBeLessThanOrEqual(fault.seconds * 1000);
  },
  120_000,
);
