// @vitest-environment jsdom
import { act } from "react";
import { expect, test, vi } from "vitest";
import { eventually, press, show } from "../testing/show.tsx";
import { Menu } from "./menu.tsx";
import { showToast, Toasts } from "./toast.tsx";

test("a menu opens inside its screen and its action runs, also while a notice is shown", async () => {
  const retry = vi.fn();
  await show(
    <>
      <main>
        <Menu text="Retry" actions={[{ label: "Retry Download", onSelect: retry }]} />
      </main>
      <Toasts />
    </>,
  );
  await act(async () => showToast("Added"));
  await eventually(() => expect(document.body.textContent).toContain("Added"));
  await press("Retry");
  const item = () => document.querySelector<HTMLElement>("[role=menuitem]");
  await eventually(() => expect(item()?.textContent).toBe("Retry Download"));
  expect(item()?.closest("main")).not.toBeNull();
  expect(item()?.closest("[data-notice]")).toBeNull();
  await act(async () => item()?.click());
  expect(retry).toHaveBeenCalledOnce();
});
