import { useEffect, useState } from "react";

/**
 * Rendered inside a layer; returns the focus to its previous element when the layer unmounts. Needed for dialogs that
 * are removed from the tree at once, because the library then has no chance to do it.
 */
export function ReturnFocus() {
  // The first render happens before any element of the layer takes the focus.
  const [opener] = useState(findOpener);
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        // The user may have moved the focus already.
        if (document.activeElement !== document.body) return;
        opener.find((element) => element.isConnected)?.focus();
      });
    },
    [opener],
  );
  return null;
}

/**
 * Returns the elements to focus, in order of preference. First comes the focused element. For a menu item the menu's
 * button follows, because the item disappears with its menu. The neighboring rows come last, for a dialog that deletes
 * the row.
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
