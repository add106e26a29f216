// Caches the guest page on the phone, so that it opens without a network and shows the last known data. API calls are
// never cached.

/** The subset of a service worker (W3C Service Workers) that is used here: its types conflict with those of a page. */
interface Waiting extends Event {
  waitUntil(done: Promise<unknown>): void;
}
interface Asked extends Event {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface Worker {
  readonly clients: { claim(): Promise<void> };
  readonly location: Location;
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: Waiting) => void): void;
  addEventListener(type: "fetch", listener: (event: Asked) => void): void;
}
const worker = globalThis as unknown as Worker;

const KEPT = "followspot-me-1";
/** Path below which a proxy serves Followspot; empty at the root of a host. */
const BASE = worker.location.pathname.slice(0, -"/me/worker.js".length);
const PAGE = `${BASE}/me`;
const ASSETS = `${BASE}/admin/assets/`;
/** Timeout after which the cached page is shown on a slow network, ms. */
const PATIENCE_MS = 3000;

worker.addEventListener("install", (event) => event.waitUntil(keepPage().then(() => worker.skipWaiting())));
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (request.method !== "GET" || origin !== worker.location.origin) return;
  // The scope is a path prefix that also matches /media.
  if (request.mode === "navigate" && pathname === PAGE) event.respondWith(pageOrKept());
  // Asset names change with their content.
  else if (pathname.startsWith(ASSETS)) event.respondWith(keptOrFetched(request));
});

/** Caches the page and the assets that it names, so that a phone that was online once has all of it. */
async function keepPage(): Promise<Response> {
  const page = await fetch(PAGE);
  const text = await page.clone().text();
  const kept = await caches.open(KEPT);
  const before = await (await kept.match(PAGE))?.text();
  if (before !== text) {
    // New release: the assets of the previous one are not requested any more.
    for (const old of await kept.keys()) if (new URL(old.url).pathname.startsWith(ASSETS)) await kept.delete(old);
    await kept.addAll(
      [...text.matchAll(/"([^"]+)"/g)].map(([, path]) => path!).filter((path) => path.startsWith(ASSETS)),
    );
  }
  if (page.ok) await kept.put(PAGE, page.clone());
  return page;
}

async function pageOrKept(): Promise<Response> {
  const kept = await caches.match(PAGE);
  const page = keepPage();
  if (!kept) return page;
  // A response after the timeout is cached for the next time.
  const late = new Promise<Response>((resolve) => setTimeout(() => resolve(kept), PATIENCE_MS));
  return Promise.race([page.catch(() => kept), late]);
}

async function keptOrFetched(request: Request): Promise<Response> {
  const kept = await caches.match(request);
  if (kept) return kept;
  const file = await fetch(request);
  if (file.ok) await (await caches.open(KEPT)).put(request, file.clone());
  return file;
}
