import { serverPath } from "./base-path.ts";

const KEY = "followspot.reloadedAt";
const ONCE_IN_MS = 60_000;
const ANSWER_MS = 5000;

/**
 * Reloads the page if the server responds, at most once per minute. A file that is missing while the server is up
 * belonged to an older build. Without a response the page stays, because a reload would end in the browser's error
 * page. Never resolves once the page is unloading.
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
  return fetch(serverPath(BASE_URL), request).then(
    ({ ok }) => ok,
    () => false,
  );
}

/**
 * Whether the page was reloaded within the last minute. Also true without storage to record it: an error on the page is
 * better than an endless reload loop.
 */
function wasReloaded(): boolean {
  try {
    return Date.now() - Number(sessionStorage.getItem(KEY) ?? 0) < ONCE_IN_MS;
  } catch {
    return true;
  }
}
