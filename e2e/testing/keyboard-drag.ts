import type { Locator } from "playwright-core";
import { until } from "./product.ts";

/** Distance that an arrow key moves a picked-up row (the specification's keyboard step), px. */
const STEP_PX = 25;

/**
 * Moves a row by keyboard, pressing each key only after the previous one has taken effect.
 * @param handle drag handle of the row
 * @param row the row itself, or the element that moves with it
 * @param steps number of arrow keys: down if positive
 */
export async function dragByKeyboard(handle: Locator, row: Locator, steps: number): Promise<void> {
  const page = handle.page();
  const down = Math.sign(steps);
  const moved = () => row.evaluate((element) => Math.round(new DOMMatrix(getComputedStyle(element).transform).f));
  await handle.press("Space");
  await until(async () => (await handle.getAttribute("aria-pressed")) === "true");
  await page.waitForTimeout(300); // the rows are being measured
  for (let n = 1; n <= Math.abs(steps); n++) {
    await page.keyboard.press(down > 0 ? "ArrowDown" : "ArrowUp");
    await until(async () => (await moved()) === n * down * STEP_PX);
  }
  await page.waitForTimeout(300); // the other rows are making room
  await page.keyboard.press("Space");
}
