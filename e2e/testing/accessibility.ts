import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
/** Letters of a faulty element that are printed. */
const SHOWN = 120;

/** What another theme can break. */
export const COLOURS = ["color-contrast"];

/**
 * What axe finds on the page as it is now, a line per element: WCAG 2.0 to 2.2, A and AA, and what it calls best practice.
 *
 * @param rules that it looks at; without them all
 */
export async function faultsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (await page.evaluate(() => !("axe" in globalThis))) await page.evaluate(await readFile(AXE, "utf8"));
  // What is fading in has less contrast on its way.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== "running" || effect?.getComputedTiming().endTime === Infinity),
  );
  // The size of what is pressed (2.5.8) is the one rule in force of AA that it leaves out unless asked.
  const asked = rules ? { runOnly: [...rules] } : { rules: { "target-size": { enabled: true } } };
  const violations: { id: string; nodes: { html: string }[] }[] = await page.evaluate(
    async (options) => (await (globalThis as any).axe.run(options)).violations,
    asked,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id} ${html.slice(0, SHOWN)}`));
}
