import { afterAll, beforeAll, expect, test } from "vitest";
import { faultsOf, isKept, longestDark, Night, type Seen } from "./testing/night.ts";

/** A few of what `npm run bench:night-faults` does, with the console's own player and real lamps on loopback. */
const SECONDS = 36;
let night: Night;
let control: Seen;

beforeAll(async () => {
  night = await Night.open();
  control = await night.watch({ seconds: SECONDS });
}, 240_000);
afterAll(() => night.close());

test.each([
  "The console's line falls silent, and no end is told",
  "The API and the database hang at once",
  "The stage hangs",
])(
  "the lamps keep what is promised when this happens in a show: %s",
  async (title) => {
    const fault = faultsOf(night).find((each) => each.title === title)!;
    const seen = await night.watch(fault);
    const { darkMs, back } = fault;
    const told = { dark: longestDark(seen, control), backMs: seen.backMs };
    expect(isKept(fault, seen, control), `${JSON.stringify(told)}, promised ${JSON.stringify({ darkMs, back })}`).toBe(
      true,
    );
  },
  120_000,
);
