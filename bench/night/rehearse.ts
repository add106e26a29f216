/**
 * A whole evening, from doors to lights out, with everything that is real: the server, PostgreSQL, the broker, an Art-Net
 * node on loopback, Chromium as player, operator, door, projector and two guests, and more guests as clients from one address.
 *
 *   npm run rehearse:night -- [--guests 200] [--songs 5] [--seconds 30]
 *
 * About six minutes. Prints a line for each promise with its figures; ends with 1 when one is broken.
 */
import { parseArgs } from "node:util";
import { Evening } from "../../e2e/testing/evening.ts";
import { PROMISES } from "../../e2e/testing/evening-promises.ts";

const { values } = parseArgs({
  options: {
    guests: { type: "string", default: "200" },
    songs: { type: "string", default: "5" },
    seconds: { type: "string", default: "30" },
  },
});
const guests = Number(values.guests);
const size = {
  guests,
  places: Math.ceil(guests * 0.75),
  songs: Number(values.songs),
  songSeconds: Number(values.seconds),
  patience: 1,
};
const evening = await Evening.prepare(size);
let broken = 0;
try {
  for (const { title, keep } of PROMISES) {
    const from = performance.now();
    const said = await keep(evening).catch((error: Error) => error);
    const isBroken = said instanceof Error;
    if (isBroken) broken++;
    const seconds = ((performance.now() - from) / 1000).toFixed(0);
    const figures = isBroken ? said.message.split("\n", 1)[0] : said;
    process.stdout.write(`${isBroken ? "BROKEN" : "kept  "} ${title} (${seconds} s)${figures && `: ${figures}`}\n`);
  }
} finally {
  await evening.close();
}
process.stdout.write(`${PROMISES.length - broken} of ${PROMISES.length} kept\n`);
process.exitCode = broken === 0 ? 0 : 1;
