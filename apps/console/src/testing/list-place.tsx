import { notifyManager } from "@tanstack/react-query";
import { act } from "react";
import { vi } from "vitest";

// What queries tell their components is drawn before a test looks again.
notifyManager.setNotifyFunction((notify) => void act(() => notify()));

/** Rows of jsdom have no size: the tables of a test are this high and wide, in pixels. */
export const TABLE = { width: 1200, height: 720 };

/** Gives every element the size of {@link TABLE}, for tables that show only what is visible. */
export function giveSizes(size: { readonly width: number; readonly height: number } = TABLE): void {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe(): void {}
      unobserve(): void {}
      disconnect(): void {}
    },
  );
  for (const name of ["clientWidth", "offsetWidth"] as const)
    vi.spyOn(HTMLElement.prototype, name, "get").mockReturnValue(size.width);
  for (const name of ["clientHeight", "offsetHeight"] as const)
    vi.spyOn(HTMLElement.prototype, name, "get").mockReturnValue(size.height);
}

/** What stands over the columns of a table, in turn, without the box that selects all rows. */
export const columnHeads = (within: ParentNode) =>
  [...within.querySelectorAll("[role=columnheader]")]
    .filter((head) => !head.querySelector("input[type=checkbox]"))
    .map(({ textContent }) => textContent);
