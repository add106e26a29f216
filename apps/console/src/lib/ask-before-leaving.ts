/** Makes the browser ask before the page is left. Returns what ends it. */
export function askBeforeLeaving(): () => void {
  const ask = (leaving: BeforeUnloadEvent) => leaving.preventDefault();
  window.addEventListener("beforeunload", ask);
  return () => window.removeEventListener("beforeunload", ask);
}
