const KEY = "followspot.reloadedAt";
const ONCE_IN_MS = 60_000;
const ANSWER_MS = 5000;

/**
 * Starts the page anew when the server answers, at most once a minute: a file that is missing although the server is there
 * belonged to an older build. Without an answer the page stays, because a reload would end in the browser's own error.
 * Never resolves once the page is being left.
 */
export async function reloadIfServed(reload: () => void = () => window.location.reload()): Promise<void> {
  if (wasReloaded() || !(await isServed())) return;
  sessionStorage.setItem(KEY, String(Date.now()));
  reload();
  await new Promise<never>(() => undefined);
}

function isServed(): Promise<boolean> {
  const { BASE_URL } = import.meta.env;
  const request = { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(ANSWER_MS) } as const;
  return fetch(BASE_URL, request).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** True also where there is no storage to remember it in: better an error on the page than a page that never rests. */
function wasReloaded(): boolean {
  try {
    return Date.now() - Number(sessionStorage.getItem(KEY) ?? 0) < ONCE_IN_MS;
  } catch {
    return true;
  }
}
