// Keeps the guest page on the phone: it opens without a network, with what was known last. Calls are never kept.

/** As much of a service worker (W3C Service Workers) as is used: its types and those of a page exclude each other. */
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
/** A slow network answers within this time, or the kept page is shown, ms. */
const PATIENCE_MS = 3000;

worker.addEventListener("install", (event) => event.waitUntil(keepPage().then(() => worker.skipWaiting())));
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (request.method !== "GET" || origin !== worker.location.origin) return;
  // The scope is the beginning of an address: /media begins so, too.
  if (request.mode === "navigate" && pathname === PAGE) event.respondWith(pageOrKept());
  // Their names change with what is in them.
  else if (pathname.startsWith(ASSETS)) event.respondWith(keptOrFetched(request));
});

/** The page, and what it names: a phone that was online once has all of it. */
async function keepPage(): Promise<Response> {
  const page = await fetch(PAGE);
  const text = await page.clone().text();
  const kept = await caches.open(KEPT);
  const before = await (await kept.match(PAGE))?.text();
  if (before !== text) {
    // Another release: what the one before named is not asked for any more.
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
  // What comes too late is kept for the next time.
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
