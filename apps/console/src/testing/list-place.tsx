import { notifyManager } from "@tanstack/react-query";
import { act } from "react";
import { vi } from "vitest";

// Query notifications render before a test checks again.
notifyManager.setNotifyFunction((notify) => void act(() => notify()));

/** Size of tables in tests, px; elements of jsdom have no size. */
export const TABLE = { width: 1200, height: 720 };

/** Gives every element the size of {@link TABLE}, for tables that render only visible rows. */
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

/** Returns the texts of the column heads of a table in order, without the select-all check box. */
export const columnHeads = (within: ParentNode) =>
  [...within.querySelectorAll("[role=columnheader]")]
    .filter((head) => !head.querySelector("input[type=checkbox]"))
    .map(({ textContent }) => textContent);
