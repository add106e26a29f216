import { useEffect } from "react";

/** Prevents a projector's screen from sleeping, if the browser supports it. */
export function useWakefulScreen(): void {
  useEffect(() => {
    // The browser releases the lock whenever the page is hidden.
    const wake = () => {
      if (document.visibilityState === "visible") navigator.wakeLock?.request("screen").catch(() => {}); // The browser may refuse the lock.
    };
    wake();
    document.addEventListener("visibilitychange", wake);
    return () => document.removeEventListener("visibilitychange", wake);
  }, []);
}
