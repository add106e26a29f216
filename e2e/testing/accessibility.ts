import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** What axe finds on the page as it is now. */
export async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(AXE, "utf8"));
  // What is fading in has less contrast on its way.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== "running" || effect?.getComputedTiming().endTime === Infinity),
  );
  const violations: { id: string; nodes: { html: string }[] }[] = await page.evaluate(
    async () => (await (globalThis as any).axe.run()).violations,
  );
  return violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html.slice(0, 120)}`);
}
