import { useEffect, useState } from "react";

/**
 * Stands inside what floats over the page and, when that goes away, gives the focus back to what had it before. Needed
 * where a dialog is taken out of the tree at once: then nothing else is left to do it.
 */
export function ReturnFocus() {
  // The first rendering comes before anything in here has taken the focus.
  const [opener] = useState(findOpener);
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        // The person may have moved the focus meanwhile.
        if (document.activeElement !== document.body) return;
        opener.find((element) => element.isConnected)?.focus();
      });
    },
    [opener],
  );
  return null;
}

/**
 * What has the focus; behind an entry of a menu also the menu's button, because the entry goes with its menu. After these the
 * rows beside theirs, for a dialog that deletes the row.
 */
function findOpener(): readonly HTMLElement[] {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement)) return [];
  const menu = focused.closest("[role=menu]");
  const button = menu?.id ? document.querySelector<HTMLElement>(`[aria-controls="${CSS.escape(menu.id)}"]`) : null;
  const row = (button ?? focused).closest("[role=row], li");
  const beside = [row?.nextElementSibling, row?.previousElementSibling].flatMap((each) => focusableIn(each) ?? []);
  return [focused, ...(button ? [button] : []), ...beside];
}

function focusableIn(row: Element | null | undefined): HTMLElement | undefined {
  const focusable = "[tabindex], a[href], button:not(:disabled), input:not(:disabled)";
  const found = row?.matches(focusable) ? row : row?.querySelector(focusable);
  return found instanceof HTMLElement ? found : undefined;
}
