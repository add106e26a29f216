/**
 * Does many things at two APIs on one database and one broker, cuts the connections of the clients that listen, and
 * counts what these lost, heard twice or in the wrong order.
 *
 *   npm run bench:events                           10,000 events, 3 clients, 20 cuts each, about a minute
 *   npm run bench:events -- --events 5000 --kills 10      and an API or the broker is killed, by turns
 */
import { parseArgs } from "node:util";
import { sufferStorm } from "../../e2e/testing/event-storm.ts";
import { startTwoApis } from "../../e2e/testing/two-apis.ts";

const { values: flags } = parseArgs({
  options: {
    events: { type: "string", default: "10000" },
    clients: { type: "string", default: "3" },
    cuts: { type: "string", default: "20" },
    kills: { type: "string", default: "0" },
  },
});
const apis = await startTwoApis();
try {
  const report = await sufferStorm(apis, {
    events: Number(flags.events),
    clients: Number(flags.clients),
    cuts: Number(flags.cuts),
    kills: Number(flags.kills),
    say: (line) => process.stderr.write(`${line}\n`),
  });
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  const { lost, doubled, outOfOrder, resets } = report;
  process.exitCode = lost + doubled + outOfOrder + resets === 0 ? 0 : 1;
} finally {
  await apis.close();
}
