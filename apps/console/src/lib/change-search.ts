import { useNavigate, useRouter } from "@tanstack/react-router";
import { useCallback } from "react";

interface OpenInSearch {
  /** The dialog that is open. */
  readonly open?: string | undefined;
}

/** State of a history entry that a dialog was given; "closed" if the entry behind it shows the same screen. */
interface DialogState {
  readonly dialog?: "open" | "closed" | undefined;
}

/**
 * Changes the search of the address; what is left out stays. A dialog gets an entry of the history, so that Back closes it.
 * The entry stays when the dialog is closed by other means, and the next dialog reuses it.
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
