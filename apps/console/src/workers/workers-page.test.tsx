// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { WorkersPage } from "./workers-page.tsx";

const songs = {
  name: "SONGS",
  messages: 12,
  bytes: 1536,
  consumers: 1,
  firstSeq: 101,
  lastSeq: 112,
  subjects: ["songs.analysis"],
  consumerDetails: [{ name: "worker", delivered: 80, numPending: 9, ackPending: 1, filterSubject: "songs.analysis" }],
};

let stats: Response;
let failures: Response;
let posted: string[];
let unmount: (() => void) | undefined;

beforeEach(() => {
  stats = Response.json({ count: 1, streams: [songs] });
  failures = Response.json({ items: [{ subject: "failures.songs.analysis", data: { song_id: "s1" } }] });
  posted = [];
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
    if (init.method === "POST") posted.push(path);
    if (path === "/api/queues/all/stats") return Promise.resolve(stats.clone());
    if (path === "/api/queues/songs/failures?limit=50") return Promise.resolve(failures.clone());
    return Promise.resolve(Response.json({}));
  });
});

afterEach(() => {
  unmount?.();
  vi.unstubAllGlobals();
});

async function show(): Promise<HTMLElement> {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const place = document.body.appendChild(document.createElement("div"));
  const tree = createRoot(place);
  unmount = () => {
    act(() => tree.unmount());
    place.remove();
  };
  await act(async () =>
    tree.render(
      <QueryClientProvider client={queries}>
        <WorkersPage />
      </QueryClientProvider>,
    ),
  );
  await vi.waitFor(() => act(async () => expect(place.textContent).toContain("Recent Failures")));
  return place;
}

describe("WorkersPage", () => {
  it("shows each stream with its figures and consumers", async () => {
    const text = (await show()).querySelector("article")?.textContent;
    for (const part of ["SONGS", "1.50 KB", "101 - 112", "Delivered: 80", "Pending: 9", "Ack: 1", "songs.analysis"]) {
      expect(text).toContain(part);
    }
  });

  it("counts the streams", async () => {
    expect((await show()).textContent).toContain("1 stream(s) active");
  });

  it("retries the step a failure names", async () => {
    const place = await show();
    await act(async () => place.querySelector<HTMLElement>("[aria-label='Retry analysis of song s1']")!.click());
    expect(posted).toEqual(["/api/songs/s1/retry?step=analysis"]);
  });

  it("names NATS when the broker is down, and takes unreadable failures for none", async () => {
    stats = Response.json({ code: "unavailable", message: "no broker" }, { status: 503 });
    failures = Response.json({}, { status: 503 });
    const { textContent } = await show();
    expect(textContent).toContain("Failed to load queue data. Make sure NATS is running.");
    expect(textContent).toContain("No failures recorded");
  });

  it("says so when the endpoint is not there", async () => {
    stats = new Response("not found", { status: 404 });
    expect((await show()).textContent).toContain("Queue stats endpoint unavailable");
  });

  it("says what an empty broker needs", async () => {
    stats = Response.json({ count: 0, streams: [] });
    expect((await show()).textContent).toContain("No streams found.");
  });
});
