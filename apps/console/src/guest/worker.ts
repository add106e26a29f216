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
/** A slow network answers within this time, or the kept page is shown, ms. */
const PATIENCE_MS = 3000;

worker.addEventListener("install", () => void worker.skipWaiting());
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (request.method !== "GET" || origin !== worker.location.origin) return;
  if (request.mode === "navigate") return event.respondWith(pageOrKept(request));
  // Their names change with what is in them.
  if (pathname.startsWith("/admin/assets/")) event.respondWith(keptOrFetched(request));
});

async function pageOrKept(request: Request): Promise<Response> {
  const kept = await caches.match("/me");
  try {
    const page = await fetch(request, kept ? { signal: AbortSignal.timeout(PATIENCE_MS) } : {});
    if (page.ok) await (await caches.open(KEPT)).put("/me", page.clone());
    return page;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

async function keptOrFetched(request: Request): Promise<Response> {
  const kept = await caches.match(request);
  if (kept) return kept;
  const file = await fetch(request);
  if (file.ok) await (await caches.open(KEPT)).put(request, file.clone());
  return file;
}
