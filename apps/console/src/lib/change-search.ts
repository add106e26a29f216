import { useNavigate, useRouter } from "@tanstack/react-router";
import { useCallback } from "react";

interface OpenInSearch {
  /** The open dialog, as `verb.id` or "new"; undefined if none is open. */
  readonly open?: string | undefined;
}

/** State of a history entry that was pushed for a dialog; "closed" if the entry before it shows the same screen. */
interface DialogState {
  readonly dialog?: "open" | "closed" | undefined;
}

/**
 * Returns a function that changes search parameters of the address; parameters that are not given stay. A dialog gets a
 * history entry, so that Back closes it. If the dialog is closed by other means, its entry stays and the next dialog
 * reuses it.
 */
export function useChangeSearch(): (next: OpenInSearch & object) => void {
  const router = useRouter();
  const navigate = useNavigate();
  return useCallback(
    (next) => {
      const { search, state } = router.latestLocation;
      const { dialog } = state as DialogState;
      const isOpen = (search as OpenInSearch).open !== undefined;
      const staysOpen = "open" in next ? next.open !== undefined : isOpen;
      const opens = staysOpen && !isOpen;
      const closes = isOpen && !staysOpen;
      const after: DialogState = { dialog: opens ? "open" : closes && dialog === "open" ? "closed" : dialog };
      void navigate({
        to: ".",
        search: (old: object) => ({ ...old, ...next }),
        replace: !opens || dialog === "closed",
        state: (old) => ({ ...old, ...after }),
      });
    },
    [router, navigate],
  );
}
