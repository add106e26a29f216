import { useEffect } from "react";

/** Keeps a projector from going to sleep, where the browser can. */
export function useWakefulScreen(): void {
  useEffect(() => {
    // The browser lets go of it whenever the page is hidden.
    const wake = () => {
      if (document.visibilityState === "visible") navigator.wakeLock?.request("screen").catch(() => {}); // it may say no
    };
    wake();
    document.addEventListener("visibilitychange", wake);
    return () => document.removeEventListener("visibilitychange", wake);
  }, []);
}
