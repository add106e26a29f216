/**
 * Compares a start of the product from its sources with one from the bundles that `npm run build` writes: processor time of all
 * its processes until one second after it is ready, and seconds until it is ready. Prints the medians of five starts of each,
 * in turn, and their ratios. A first start of each fills the cache of compiled code and is not counted.
 *
 *   npm run bench:start                    about two minutes
 */
import { setTimeout as pause } from "node:timers/promises";
import { median } from "../../packages/analysis/src/basics/maths.ts";
import { removeData, startProduct } from "../../e2e/testing/product.ts";
import { cpuSecondsOf } from "../api/cpu.ts";

const ROUNDS = 5;
const AFTER_READY_MS = 1000;
const SIDES = { sources: "apps/server/src/main.ts", bundles: "apps/server/dist/main.js" };

interface Start {
  readonly cpu: number;
  readonly seconds: number;
}

async function start(program: string): Promise<Start> {
  const since = performance.now();
  const product = await startProduct({ program });
  const seconds = (performance.now() - since) / 1000;
  // Some work of the start continues after the product is ready.
  await pause(AFTER_READY_MS);
  const cpu = cpuSecondsOf(product.process.pid!);
  await product.stop();
  await removeData(product.dataDir);
  return { cpu, seconds };
}

for (const program of Object.values(SIDES)) await start(program);
const starts: Record<keyof typeof SIDES, Start[]> = { sources: [], bundles: [] };
for (let round = 0; round < ROUNDS; round++)
  for (const side of ["sources", "bundles"] as const) starts[side].push(await start(SIDES[side]));
for (const figure of ["cpu", "seconds"] as const) {
  const [sources, bundles] = [starts.sources, starts.bundles].map((side) => median(side.map((each) => each[figure])));
  const ratio = (bundles! / sources!).toFixed(2);
  process.stdout.write(
    `${figure}: sources ${sources!.toFixed(2)} s, bundles ${bundles!.toFixed(2)} s, ratio ${ratio}\n`,
  );
}
