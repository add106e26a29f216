/**
 * Kills parts of a whole product at random while songs come in, and counts what became of the songs.
 *
 *   npm run bench:kills                                   200 kills, about eight minutes
 *   npm run bench:kills -- --kills 50 --targets worker,api,broker,database --seed 7
 */
import { parseArgs } from "node:util";
import { sufferKills, type Target } from "../../e2e/testing/kills.ts";
import { removeData, startProduct } from "../../e2e/testing/product.ts";
import { randomStream } from "../../packages/lighting/src/random.ts";

const { values: flags } = parseArgs({
  options: {
    kills: { type: "string", default: "200" },
    targets: { type: "string", default: "worker,api,broker" },
    seed: { type: "string", default: "1" },
  },
});
const kinds = flags.targets.split(",") as Target[]; // another word kills nothing and waits in vain
const random = randomStream(Number(flags.seed));
const product = await startProduct();
try {
  const report = await sufferKills(product, {
    targets: Array.from({ length: Number(flags.kills) }, () => kinds[Math.floor(random() * kinds.length)]!),
    random,
    say: (line) => process.stderr.write(`${line}\n`),
  });
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  const {
    kills: _kills,
    songs: _songs,
    retried: _retried,
    slowestMs: _slowest,
    settledMs: _settled,
    ...wrong
  } = report;
  process.exitCode = Object.values(wrong).every((count) => count === 0) ? 0 : 1;
} finally {
  await product.stop();
  await removeData(product.dataDir);
}
