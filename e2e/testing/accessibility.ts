import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
/** Maximum number of characters printed of a faulty element. */
const SHOWN = 120;

/** Rules that depend on the theme. */
export const COLOURS = ["color-contrast"];

/** Rules about an overlay that only the whole page can violate: its landmark, and what is hidden behind it. */
export const AROUND = ["region", "landmark-unique", "aria-hidden-focus"];

/**
 * Runs axe on the page in its current state: WCAG 2.0 to 2.2, A and AA, and best practices. Returns a line per faulty
 * element.
 *
 * @param rules rules to run; all by default
 * @param within selector of the parts of the page to check; the page if none matches
 */
export async function faultsOf(page: Page, rules?: readonly string[], within = "html"): Promise<string[]> {
  if (await page.evaluate(() => !("axe" in globalThis))) await page.evaluate(await readFile(AXE, "utf8"));
  // Elements that are fading in have less contrast.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== "running" || effect?.getComputedTiming().endTime === Infinity),
  );
  // Target size (2.5.8) is the one AA rule that axe runs only on request.
  const looked = rules ? { runOnly: [...rules] } : { rules: { "target-size": { enabled: true } } };
  // Describing every passing element takes half of the time on a long page.
  const asked = { ...looked, resultTypes: ["violations"] };
  const violations: { id: string; nodes: { html: string }[] }[] = await page.evaluate(
    async ([selector, options]) => {
      const parts = [...document.querySelectorAll(selector)].filter((part) => part.checkVisibility());
      return (await (globalThis as any).axe.run(parts.length > 0 ? parts : document, options)).violations;
    },
    [within, asked] as const,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id} ${html.slice(0, SHOWN)}`));
}

/**
 * Returns a line per element that handles pointer presses and is unreachable by keyboard: it is not in the tab order,
 * and not in a list, grid or menu with arrow keys. React stores the handlers on the element.
 */
export function pointerOnly(page: Page): Promise<string[]> {
  return page.evaluate((shown) => {
    const REACHED = "a[href], button, input, select, textarea, summary, label, video, audio, [tabindex]";
    const BY_ARROWS =
      "[role=grid], [role=option], [role=row], [role=gridcell], [role=tab], [role=radio], [role^=menuitem], [role=treeitem]";
    const acts = (element: Element) => {
      const key = Object.keys(element).find((name) => name.startsWith("__reactProps$"));
      const props = key === undefined ? {} : (element as any)[key];
      return typeof props.onClick === "function" || typeof props.onPointerDown === "function";
    };
    return [...document.querySelectorAll("body *")]
      .filter((element) => acts(element) && element.checkVisibility() && !element.closest("[aria-hidden=true]"))
      .filter((element) => !element.matches(`${REACHED}, ${BY_ARROWS}`))
      .map((element) => `not by keys: ${element.outerHTML.slice(0, shown)}`);
  }, SHOWN);
}
