/** Makes the browser ask for confirmation before the page is closed or reloaded. Returns a function that stops it. */
export function askBeforeLeaving(): () => void {
  const ask = (leaving: BeforeUnloadEvent) => leaving.preventDefault();
  window.addEventListener("beforeunload", ask);
  return () => window.removeEventListener("beforeunload", ask);
}
