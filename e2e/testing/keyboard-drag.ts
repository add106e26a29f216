import type { Locator } from "playwright-core";
import { until } from "./product.ts";

/** What an arrow key moves a picked up row by (the specification's keyboard step). */
const STEP_PX = 25;

/**
 * Moves a row by keyboard, as a person does who looks at the screen: each key once the one before is seen to have worked.
 * @param handle what the row is picked up by
 * @param row the row itself, or what is moved with it
 * @param steps how often the arrow key is pressed: downwards where positive
 */
export async function dragByKeyboard(handle: Locator, row: Locator, steps: number): Promise<void> {
  const page = handle.page();
  const down = Math.sign(steps);
  const moved = () => row.evaluate((element) => Math.round(new DOMMatrix(getComputedStyle(element).transform).f));
  await handle.press("Space");
  await until(async () => (await handle.getAttribute("aria-pressed")) === "true");
  await page.waitForTimeout(300); // the rows are measured
  for (let n = 1; n <= Math.abs(steps); n++) {
    await page.keyboard.press(down > 0 ? "ArrowDown" : "ArrowUp");
    await until(async () => (await moved()) === n * down * STEP_PX);
  }
  await page.waitForTimeout(300); // the other rows have made room
  await page.keyboard.press("Space");
}
