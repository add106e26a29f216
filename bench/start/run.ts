/**
 * Processor time of a start from the sources and from the bundles of `npm run build`, in turn: from the command until the product
 * is ready, all of its processes included. Both run once before, so that compiled code is cached.
 *
 *   npm run bench:start                    about two minutes
 */
import { setTimeout as pause } from "node:timers/promises";
import { removeData, startProduct } from "../../e2e/testing/product.ts";
import { cpuSecondsOf } from "../api/cpu.ts";

const ROUNDS = 5;
const SIDES = { sources: "apps/server/src/main.ts", bundles: "apps/server/dist/main.js" };

interface Start {
  readonly cpu: number;
  readonly seconds: number;
}

async function start(program: string): Promise<Start> {
  const since = performance.now();
  const product = await startProduct({ program });
  const seconds = (performance.now() - since) / 1000;
  // The stage's spare and the first checks follow; their cost belongs to the start.
  await pause(1000);
  const cpu = cpuSecondsOf(product.process.pid!);
  await product.stop();
  await removeData(product.dataDir);
  return { cpu, seconds };
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

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
