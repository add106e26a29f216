import { afterAll, beforeAll, test } from "vitest";
import { Evening } from "../testing/evening.ts";
import { PROMISES } from "../testing/evening-promises.ts";

/** An evening as `npm run rehearse:night` has it, shorter and with fewer people. */
const SIZE = { guests: 40, places: 32, songs: 3, songSeconds: 24, patience: 2.5 };
let evening: Evening;

beforeAll(async () => {
  evening = await Evening.prepare(SIZE);
});
afterAll(() => evening?.close());

test.each(PROMISES)("$title", async ({ title, keep }) => {
  const figures = await keep(evening);
  process.stderr.write(`${title}${figures && `: ${figures}`}\n`);
});
