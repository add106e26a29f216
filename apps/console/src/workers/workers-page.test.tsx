// @vitest-environment jsdom
import { Code, ConnectError } from "@connectrpc/connect";
import { MusicService } from "@followspot/contract/music";
import { QueuesService } from "@followspot/contract/queues";
import { act, useState } from "react";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { button, choose, eventually, field, press, show, type } from "../testing/show.tsx";
import { StreamsAndFailures } from "./streams-and-failures.tsx";
import type { WorkersSearch } from "./workers-search.ts";

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

const refusal = (code: string, status: number) => Response.json({ code, message: code }, { status });

interface Server {
  readonly stats?: Response;
  readonly failures?: (query: string) => ReturnType<typeof groupsOf>;
  readonly newest?: readonly object[];
  readonly roles?: readonly string[];
  readonly retry?: () => Promise<object>;
  readonly downloader?: () => object;
  readonly health?: Response;
  readonly search?: WorkersSearch;
}

/** Page with its URL state. */
function WithSearch({
  from,
  onSearch,
}: {
  readonly from: WorkersSearch;
  readonly onSearch: (search: WorkersSearch) => void;
}) {
  const [search, setSearch] = useState(from);
  const change = (next: WorkersSearch) => {
    setSearch(next);
    onSearch(next);
  };
  return <StreamsAndFailures search={search} onSearch={change} />;
}

/** Queue that can be paused and purged. */
const free = { ...songs, whyNotPaused: "", whyNotPurged: "", pausedUntil: "" };
const streamsOf = (...streams: readonly object[]) => ({ stats: Response.json({ count: streams.length, streams }) });

const refuse = (code: Code) => () => {
  throw new ConnectError("no", code);
};

const someStreams = () => Response.json({ count: 1, streams: [songs] });
const oneFailure = { sequence: 7n, subject: "failures.songs.analysis", data: '{"song_id":"s1"}', songId: "s1" };
const oneGroup = {
  key: "g1",
  subject: oneFailure.subject,
  reason: "no sound",
  count: 1,
  newest: oneFailure,
  retryable: 1,
};
const manyGroup = { ...oneGroup, key: "g2", reason: "Video unavailable", count: 2000, retryable: 2000 };
const groupsOf = (...groups: readonly (typeof oneGroup)[]) => ({
  groups: [...groups],
  failures: groups.reduce((sum, { count }) => sum + count, 0),
  totalGroups: groups.length,
});

async function workersPage({
  stats = someStreams(),
  failures = () => groupsOf(oneGroup),
  newest = [{ subject: "failures.songs.download", data: "newest" }],
  roles = ["Admin"],
  retry,
  downloader,
  health = Response.json({ status: "ok", reasons: [], warnings: [] }),
  search = {},
}: Server = {}) {
  const searches: WorkersSearch[] = [];
  const messages: object[] = [];
  const dismissed: object[] = [];
  const retried: object[] = [];
  const ordered: object[] = [];
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    if (path === "/api/queues/all/stats") return stats.clone();
    if (path === "/api/queues/songs/failures?limit=50") return Response.json({ items: newest });
    if (path === "/health") return health.clone();
    throw new Error(`no fake serves ${path}`);
  });
  const place = await show(<WithSearch from={search} onSearch={(said) => searches.push(said)} />, {
    roles,
    address: "/",
    routes: ({ service }) => {
      service(MusicService, {
        ...(downloader && { getDownloader: downloader }),
        retrySong: ({ songId, step }) => {
          retried.push({ songId, step });
          return retry?.() ?? {};
        },
      });
      service(QueuesService, {
        listFailureGroups: ({ query }) => failures(query),
        listFailures: ({ before }) =>
          before === 0n ? { failures: [oneFailure], nextBefore: 7n } : { failures: [{ ...oneFailure, sequence: 6n }] },
        pauseQueue: ({ queue, until }) => {
          ordered.push({ queue, minutes: Math.round((Number(until?.seconds) * 1000 - Date.now()) / 60_000) });
          return {};
        },
        resumeQueue: ({ queue }) => {
          ordered.push({ queue });
          return {};
        },
        purgeQueue: ({ queue, confirmName }) => {
          ordered.push({ queue, confirmName });
          return { purged: 12 };
        },
        dismissFailures: ({ sequences, causes, query }) => {
          dismissed.push({ sequences, causes: causes.map(({ key, upTo }) => ({ key, upTo })), query });
          return { dismissed: sequences.length + causes.length };
        },
        listMessages: ({ stream, subject, from }) => {
          messages.push({ stream, subject, from });
          return { firstSequence: 1n, lastSequence: 9n, olderBefore: 4n };
        },
        retryFailures: ({ before }) =>
          before === 0n ? { retried: 100, nextBefore: 7n } : { retried: 1, recovered: 1899 },
      });
    },
  });
  await eventually(() => expect(place.textContent).toContain("Recent Failures"));
  return { place, asked, retried, ordered, searches, messages, dismissed };
}

const RETRY = "Retry analysis of song s1";

describe("WorkersPage", () => {
  it("scrolls from the page header to the failures", async () => {
    const scrolled = vi.fn();
    Element.prototype.scrollIntoView = scrolled;
    await workersPage(streamsOf(songs, { ...songs, name: "FAILURES", messages: 61 }));
    await press("61 failures");
    expect(scrolled).toHaveBeenCalledOnce();
  });

  it("shows each stream with its statistics and consumers", async () => {
    const { place } = await workersPage();
    const card = place.querySelector("article")?.textContent;
    for (const part of [
      "SONGS",
      "Messages12",
      "Size1.50 KB",
      "Consumers1",
      "Sequence101 - 112",
      "Subjects",
      "Delivered: 80",
      "Pending: 9",
      "Ack: 1",
      "Filter: songs.analysis",
    ]) {
      expect(card).toContain(part);
    }
  });

  it("opens messages from the URL, and stores the position in it", async () => {
    const { searches, messages } = await workersPage({
      search: { stream: "SONGS", subject: "songs.>", from: "before.7" },
    });
    await eventually(() => expect(messages).toEqual([{ stream: "SONGS", subject: "songs.>", from: { case: "before", value: 7n } }])); // prettier-ignore
    await press("Older");
    expect(searches.at(-1)).toEqual({ stream: "SONGS", subject: "songs.>", from: "before.4" });
    const [newest] = document.querySelectorAll<HTMLButtonElement>("[aria-label='Pages'] button");
    await act(async () => newest?.click());
    expect(searches.at(-1)).toEqual({ stream: "SONGS", subject: "songs.>" });
  });

  it("dismisses one failure or the selected ones after confirmation", async () => {
    const { dismissed } = await workersPage({ failures: () => groupsOf(oneGroup, manyGroup) });
    await press("Dismiss: failures.songs.analysis 7");
    expect(dismissed).toEqual([]);
    await act(async () => document.querySelector<HTMLButtonElement>("[role=alertdialog] button:last-of-type")?.click());
    await eventually(() => expect(dismissed).toEqual([{ sequences: [7n], causes: [], query: "" }]));
    for (const box of document.querySelectorAll<HTMLInputElement>("li input[type=checkbox]"))
      await act(async () => box.click());
    expect(document.body.textContent).toContain("2,001 failures selected");
    await act(async () =>
      document.querySelector<HTMLButtonElement>("[aria-label='2,001 failures selected'] button")?.click(),
    );
    await eventually(() =>
      expect(document.querySelector("[role=alertdialog]")?.textContent).toContain("Dismiss 2,001 failures?"),
    );
    await act(async () => document.querySelector<HTMLButtonElement>("[role=alertdialog] button:last-of-type")?.click());
    await eventually(() =>
      expect(dismissed.at(-1)).toEqual({ sequences: [7n], causes: [{ key: "g2", upTo: 7n }], query: "" }),
    );
    await eventually(() => expect(document.body.textContent).not.toContain("selected"));
  });

  // kept: Doors | No warning appeared while a disk was filling up | also
  it("shows why the server is degraded and what needs attention, even if the database is unavailable", async () => {
    const reasons = ["There is no space left on the database's disk: nothing is stored until some is free."];
    const warnings = ["Only 812 MB are free on the disk of the data folder. Free some soon."];
    const { place } = await workersPage({ health: Response.json({ reasons, warnings }, { status: 503 }) });
    const notices = () => [...place.querySelectorAll('[aria-label="What the server needs"] [role="alert"]')];
    await eventually(() => expect(notices().map(({ textContent }) => textContent)).toEqual([...reasons, ...warnings]));
  });

  it("shows a pause once, in local time, until it ends", async () => {
    const until = new Date(Date.now() + 1000).toISOString();
    const warning = "SONGS is paused until 05:28 UTC: songs wait. Resume it on Workers.";
    const health = { warnings: [warning], pauses: [{ queue: "SONGS", until, warning }] };
    const { place, ordered, asked } = await workersPage({ health: Response.json(health) });
    await eventually(() => expect(place.textContent).toMatch(/SONGS is paused until \d+:\d\d [AP]M: songs wait\./));
    expect(place.textContent).not.toContain("UTC");
    const before = asked.filter((path) => path === "/health").length;
    await press("Resume SONGS now");
    await eventually(() => expect(asked.filter((path) => path === "/health").length).toBe(before + 1));
    expect(ordered).toEqual([{ queue: "SONGS" }]);
  });

  it("shows no health notice for a healthy server or an older release", async () => {
    for (const health of [Response.json({ reasons: [], warnings: [] }), Response.json({ status: "ok" })]) {
      const { place } = await workersPage({ health });
      expect(place.querySelector('[aria-label="What the server needs"]')).toBeNull();
    }
  });

  it("shows the consumer lag of a stream first, and none for a stream without consumers", async () => {
    const lag = { waiting: 9, oldestWaitingAt: new Date(Date.now() - 65_000).toISOString(), trend: [] };
    const { place } = await workersPage(streamsOf({ ...free, ...lag }, { ...free, ...lag, name: "LOG", consumers: 0 }));
    const [queue, log] = [...place.querySelectorAll("article")].map(({ textContent }) => textContent ?? "");
    expect(queue).toMatch(/Waiting9Oldest1 min.*Messages12/);
    expect(log).not.toContain("Oldest");
  });

  it("shows a failure's subject and its data with a line for each field", async () => {
    const { place } = await workersPage();
    const panel = () => place.querySelector("pre")?.closest("section")?.textContent;
    await eventually(() => expect(place.querySelector("pre")?.textContent).toBe('{\n  "song_id": "s1"\n}'));
    expect(panel()).toContain("Recent Failures");
    expect(panel()).toContain("failures.songs.analysis");
  });

  it("shows that no failures were recorded", async () => {
    const { place } = await workersPage({ failures: () => groupsOf() });
    expect(place.textContent).toContain("No failures recorded");
  });

  it("polls the queues every 5 s and on Refresh", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const { place, asked } = await workersPage();
    const times = () => asked.filter((path) => path === "/api/queues/all/stats").length;
    await eventually(() => expect(place.textContent).toContain("1 stream(s) active"));
    const before = times();
    vi.advanceTimersByTime(5000);
    await eventually(() => expect(times()).toBe(before + 1));
    await press("Refresh");
    await eventually(() => expect(times()).toBe(before + 2));
  });

  it("scrolls consumers within 12 rem", async () => {
    const { place } = await workersPage();
    expect(place.querySelector(String.raw`.max-h-\[12rem\].overflow-auto`)?.textContent).toContain("worker");
  });

  it("counts the streams", async () => {
    const { place } = await workersPage();
    expect(place.querySelector("h1")?.textContent).toBe("Message Streaming Dashboard");
    expect(place.textContent).toContain("1 stream(s) active");
    expect(button("Refresh")).toBeDefined();
  });

  // kept: Console | Two quick presses of Retry were two calls, and deleted songs could be retried | failed with the
  // fault put back
  it("retries the step that a failure names, once per repeated press", async () => {
    const { place, retried } = await workersPage();
    await act(async () => {
      button(RETRY).click();
      button(RETRY).click();
    });
    await eventually(() => expect(place.textContent).toContain("Queued again"));
    expect(retried).toEqual([{ songId: "s1", step: "analysis" }]);
  });

  // kept: Console | Two quick presses of Retry were two calls, and deleted songs could be retried | also
  it("reports that a deleted song cannot be retried, and removes the button", async () => {
    const retry = () => Promise.reject(new ConnectError("Song s1 does not exist", Code.NotFound));
    const { place } = await workersPage({ retry });
    await press(RETRY);
    await eventually(() => expect(place.textContent).toContain("This song was deleted"));
    expect(place.querySelector(`[aria-label="${RETRY}"]`)).toBeNull();
  });

  it("pauses a queue for the chosen time", async () => {
    const { ordered } = await workersPage(streamsOf(free));
    await press("Pause SONGS");
    await choose("For how long", "15");
    await press("Pause Queue");
    await eventually(() => expect(ordered).toEqual([{ queue: "SONGS", minutes: 15 }]));
  });

  it("validates the end time of a pause before sending", async () => {
    const { ordered } = await workersPage(streamsOf(free));
    await press("Pause SONGS");
    await choose("For how long", "time");
    await press("Pause Queue");
    await eventually(() => expect(document.body.textContent).toContain("Choose a time within a day from now"));
    expect(ordered).toEqual([]);
  });

  it("shows the end of a pause on the row, and resumes the queue", async () => {
    const pausedUntil = new Date(Date.now() + 3_600_000).toISOString();
    const { place, ordered } = await workersPage(streamsOf({ ...free, pausedUntil }));
    expect(place.textContent).toContain("Paused until ");
    await press("Resume SONGS");
    await eventually(() => expect(ordered).toEqual([{ queue: "SONGS" }]));
  });

  it("purges a queue only after its name is typed, and shows the number of messages first", async () => {
    const { ordered } = await workersPage(streamsOf(free));
    await press("Purge SONGS");
    expect(document.body.textContent).toContain("12 messages go, and this cannot be undone.");
    expect(button("Purge Messages").disabled).toBe(true);
    await type(document.querySelector<HTMLInputElement>("[role=alertdialog] input")!, "SONGS");
    await press("Purge Messages");
    await eventually(() => expect(ordered).toEqual([{ queue: "SONGS", confirmName: "SONGS" }]));
  });

  it("explains why a queue can be neither paused nor purged, and offers neither", async () => {
    const why = { whyNotPaused: "It brings outcomes.", whyNotPurged: "They would be lost." };
    const { place } = await workersPage(streamsOf({ ...free, ...why }));
    for (const sentence of Object.values(why)) expect(place.textContent).toContain(sentence);
    const offered = [...place.querySelectorAll("article button")].map(({ textContent }) => textContent?.trim());
    expect(offered).toEqual(["Messages"]);
  });

  it("groups failures of one cause in one row, and pages through them when expanded", async () => {
    const { place } = await workersPage({ failures: () => groupsOf(manyGroup) });
    const rows = () => place.querySelectorAll("pre").length;
    expect([place.textContent?.includes("2,000"), rows()]).toEqual([true, 0]);
    const line = [...place.querySelectorAll("button")].find(({ ariaExpanded }) => ariaExpanded === "false");
    await act(async () => line?.click());
    await eventually(() => expect(rows()).toBe(1));
    await press("Show more");
    await eventually(() => expect(rows()).toBe(2));
  });

  it("retries all failures of a cause and shows the result", async () => {
    const { place } = await workersPage({ failures: () => groupsOf(manyGroup) });
    await press("Retry all: Video unavailable");
    await eventually(() => expect(place.textContent).toContain("101 songs queued again; 1,899 left alone"));
  });

  it("searches on the server, and shows when nothing matches", async () => {
    const { place } = await workersPage({ failures: (query) => (query === "" ? groupsOf(oneGroup) : groupsOf()) });
    await type(field("Search failures"), "monday");
    await eventually(() => expect(place.textContent).toContain("No failure matches this search."));
    await press("Clear search");
    await eventually(() => expect(place.textContent).toContain("song_id"));
  });

  it("shows the newest failures ungrouped on request", async () => {
    const { place } = await workersPage();
    await press("Newest");
    await eventually(() => expect(place.querySelector("pre")?.textContent).toBe('"newest"'));
  });

  it("links a failure to its song, and dismisses one of the newest", async () => {
    const data = { song_id: "s1", title: "Blue Monday", step: "analysis" };
    const newest = [{ sequence: 7, subject: "failures.songs.analysis", data }];
    const { place, dismissed } = await workersPage({ newest });
    await press("Newest");
    await eventually(() => expect(place.querySelector("li a")?.textContent).toBe("Blue Monday"));
    expect(place.querySelector("li a")?.getAttribute("href")).toContain("/music?open=steps.s1");
    await press("Dismiss: failures.songs.analysis 7");
    await act(async () => document.querySelector<HTMLButtonElement>("[role=alertdialog] button:last-of-type")?.click());
    await eventually(() => expect(dismissed).toEqual([{ sequences: [7n], causes: [], query: "" }]));
  });

  // kept: Console | Failures that could not be loaded looked like a card that loads endlessly | failed with the fault put
  // back
  it("names NATS if the broker is down, and shows that failures could not be loaded", async () => {
    const { place } = await workersPage({ stats: refusal("unavailable", 503), failures: refuse(Code.Unavailable) });
    expect(place.textContent).toContain("Failed to load queue data. Make sure NATS is running.");
    expect(place.textContent).toContain("The failures could not be read");
    expect(place.textContent).not.toContain("No failures recorded");
  });

  // kept: Console | "No failures recorded" was said to those who may not see them | failed with the fault put back
  it("makes no claim about failures to a user without permission", async () => {
    const denied = { stats: refusal("permission_denied", 403), failures: refuse(Code.PermissionDenied) };
    const { place } = await workersPage({ ...denied, roles: ["Director"] });
    expect(place.textContent).toContain("You may not see this");
    expect(place.textContent).not.toContain("No failures recorded");
    expect(place.textContent).not.toContain("unavailable");
  });

  it("shows an error if the endpoint is missing", async () => {
    const { place } = await workersPage({ stats: new Response("not found", { status: 404 }) });
    expect(place.textContent).toContain("Queue stats endpoint unavailable");
  });

  it("shows a hint if the broker has no streams", async () => {
    const { place } = await workersPage({ stats: Response.json({ count: 0, streams: [] }) });
    expect(place.textContent).toContain("No streams found. Make sure the streaming service (NATS) is running.");
  });

  it("shows version, age and origin of the link downloader, and what to do if it does not work", async () => {
    const worker = { worker: "w1", version: "2026.10.26", released: "2026-10-26", ageDays: 27, source: "fetched" };
    const problem = "There is no yt-dlp on the server, and it could not be fetched. Let the server reach github.com.";
    const { place } = await workersPage({
      downloader: () => ({ downloaders: [worker, { worker: "w2", source: "none", problem }, { worker: "w3" }] }),
    });
    await eventually(() => expect(place.textContent).toContain("Downloader of links"));
    for (const part of [
      "yt-dlp 2026.10.26",
      "27 days old, of 2026-10-26",
      "fetched by Followspot",
      problem,
      "None yet",
    ])
      expect(place.textContent).toContain(part);
  });

  const withBackup = (backup: object) => ({ stats: Response.json({ count: 1, streams: [songs], backup }) });
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000 - 1000).toISOString();
  const taken = { folder: "/backups/one", takenAt: hoursAgo(3), bytes: 214 * 1024 ** 2 };

  it("shows the age and size of the last backup", async () => {
    const { place } = await workersPage(withBackup({ taken, failed: null }));
    expect(place.textContent).toContain("Last backup: 3 hours ago, 214.00 MB");
    expect(place.textContent).toContain("/backups/one");
  });

  it("shows why a backup failed next to the last complete one", async () => {
    const failed = { at: hoursAgo(1), problem: "The disk of /backups is full." };
    const { place } = await workersPage(withBackup({ taken, failed }));
    expect(place.textContent).toContain("A backup failed 1 hour ago: The disk of /backups is full.");
    expect(place.textContent).toContain("Last backup: 3 hours ago");
  });

  it("explains how to take a backup if there is none", async () => {
    const { place } = await workersPage(withBackup({ taken: null, failed: null }));
    expect(place.textContent).toContain("No backup yet.");
    expect(place.textContent).toContain("npm run -s admin -- backup FOLDER");
  });

  it("shows that no worker is running", async () => {
    const { place } = await workersPage({ downloader: () => ({}) });
    await eventually(() => expect(place.textContent).toContain("No worker is running"));
  });
});
