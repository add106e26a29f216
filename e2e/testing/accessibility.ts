import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
/** Letters of a faulty element that are printed. */
const SHOWN = 120;

/** What another theme can break. */
export const COLOURS = ["color-contrast"];

/** What only the whole page shows of something that opens over it: where it hangs, and what is hidden behind it. */
export const AROUND = ["region", "landmark-unique", "aria-hidden-focus"];

/**
 * What axe finds on the page as it is now, a line per element: WCAG 2.0 to 2.2, A and AA, and what it calls best practice.
 *
 * @param rules that it looks at; without them all
 * @param within a selector: the parts of the page it looks at, where there are some; else the page
 */
export async function faultsOf(page: Page, rules?: readonly string[], within = "html"): Promise<string[]> {
  if (await page.evaluate(() => !("axe" in globalThis))) await page.evaluate(await readFile(AXE, "utf8"));
  // What is fading in has less contrast on its way.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== "running" || effect?.getComputedTiming().endTime === Infinity),
  );
  // The size of what is pressed (2.5.8) is the one rule in force of AA that it leaves out unless asked.
  const looked = rules ? { runOnly: [...rules] } : { rules: { "target-size": { enabled: true } } };
  // Describing every element that passes takes half of the time on a long page.
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
 * What acts on a press of the pointer and cannot be reached by keys, a line per element: it is in no order of Tab, and in no
 * list, grid or menu whose arrow keys reach it. React keeps the handlers of an element beside it.
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
