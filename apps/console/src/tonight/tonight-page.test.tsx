// @vitest-environment jsdom
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { EventService } from "@followspot/contract/event";
import { ChatService } from "@followspot/contract/chat";
import { LightsService } from "@followspot/contract/lights";
import { MusicService } from "@followspot/contract/music";
import { NightService } from "@followspot/contract/night";
import { SoundService } from "@followspot/contract/sound";
import { act } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { eventually, press, show } from "../testing/show.tsx";
import { TonightPage } from "./tonight-page.tsx";

beforeEach(() => {
  // The desk's connection stays closed, and jsdom draws no stage.
  vi.stubGlobal(
    "WebSocket",
    class extends EventTarget {
      close(): void {}
    },
  );
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
});

const OUTAGE = Date.parse("2026-05-01T21:00:00+09:00");

const open = (routes: (router: ConnectRouter) => void) => show(<TonightPage />, { routes, address: "/" });

test("does not show a failed read as an empty state", async () => {
  const away = () => {
    throw new ConnectError("The database is not reachable.", Code.Unavailable);
  };
  const place = await open((router) => {
    router.service(EventService, { listEvents: away });
    router.service(MusicService, { getShowQueue: away, listSongRequests: away });
    router.service(NightService, { checkPreflight: away });
    // The player was active until the connection was lost.
    let isFirst = true;
    router.service(SoundService, {
      getSound: () => {
        if (!isFirst) throw new ConnectError("The database is not reachable.", Code.Unavailable);
        isFirst = false;
        return { sound: { heard: { name: "PA", isConnected: true, isAllowed: true, levelsDb: [-12, -12] } } };
      },
    });
  });
  await eventually(() => expect(place.textContent).toContain("It is not known which event is on: [unavailable]"));
  await eventually(() => expect(place.textContent).toContain("It is not known what plays: [unavailable]"));
  expect(place.textContent).toContain("Talks and songs could not all be read.");
  await eventually(() => expect(place.textContent).toContain("It is not known what is heard."));
  expect(place.querySelector("[role=meter]")).toBeNull();
  await eventually(() => expect(place.textContent).toContain("Requests could not be read: [unavailable]"));
  for (const claim of ["No event is on", "No song plays", "No talks are planned", "Preflight well"])
    expect(place.textContent).not.toContain(claim);
});

test("shows that there is no event and no song once that is known", async () => {
  const place = await open((router) => {
    router.service(EventService, { listEvents: () => ({}) });
    router.service(MusicService, { getShowQueue: () => ({ queue: { mode: "stopped" } }) });
  });
  await eventually(() => expect(place.textContent).toContain("No event is on"));
  await eventually(() => expect(place.textContent).toContain("No song plays"));
  expect(place.textContent).toContain("No talks are planned, and no playlist plays.");
});

test("starts a playlist with one press while no song plays", async () => {
  const started: string[] = [];
  const place = await open((router) => {
    router.service(EventService, { listEvents: () => ({}) });
    router.service(MusicService, {
      getShowQueue: () => ({ queue: { mode: "stopped" } }),
      listPlaylists: () => ({
        playlists: [
          { id: "empty", name: "Empty" },
          { id: "walk-in", name: "Before doors", walkInDb: -12, songs: [{ song: { id: "s0" } }] },
          { id: "friday", name: "Friday", songs: [{ song: { id: "s1" } }] },
        ],
      }),
      playPlaylist: ({ playlistId }) => (started.push(playlistId), {}),
    });
  });
  const offers = () => [...place.querySelectorAll('[aria-label^="Play "]')].map((offer) => offer.textContent.trim());
  await eventually(() => expect(offers()).toEqual(["Friday"]));
  await press('Play "Friday"');
  await eventually(() => expect(started).toEqual(["friday"]));
});

// kept: Console | After the last song *End the night* could not be pressed | failed on the old code
test.each([
  ["playing", "", true],
  ["paused", "", true],
  ["stopped", "The last song is over", true],
  ["stopped", "The walk-in music is over", true],
  ["stopped", "", false],
])("ends the night while the queue is %s with the note %j: %s", async (mode, note, canEnd) => {
  let ended = 0;
  const place = await open((router) => {
    router.service(EventService, { listEvents: () => ({}) });
    router.service(MusicService, {
      getShowQueue: () => ({ queue: { mode, note } }),
      stopMusic: () => ((ended += 1), {}),
    });
  });
  const end = () =>
    [...place.querySelectorAll("button")].find((button) => button.textContent.startsWith("End the night"))!;
  if (mode === "stopped") await eventually(() => expect(place.textContent).toContain("No song plays"));
  await eventually(() => expect(end().disabled).toBe(!canEnd));
  if (!canEnd) return;
  await act(async () => end().click());
  await eventually(() => expect(document.querySelector("[role=alertdialog]")).not.toBeNull());
  const confirm = [...document.querySelectorAll<HTMLButtonElement>("[role=alertdialog] button")];
  await act(async () => confirm.find((button) => button.textContent === "End the night")!.click());
  await eventually(() => expect(ended).toBe(1));
});

test("shows the current song, the next songs, levels, outputs and chat side by side", async () => {
  const parts = [
    { label: "verse", until: 0.5 },
    { label: "drop", until: 1 },
  ];
  const outline = { levels: Uint8Array.from({ length: 100 }, () => 128), parts };
  const song = { id: "s1", title: "Salt", artist: "Mira", duration: 200, tempo: 124, key: "A minor", outline };
  const next = [{ id: "s2", title: "Kilowatt", duration: 242, tempo: 128 }];
  const place = await open((router) => {
    router.service(EventService, {
      listEvents: () => ({ events: [{ id: "e1", title: "Open Stage", timeZone: "Asia/Tokyo" }] }),
    });
    router.service(MusicService, {
      getShowQueue: () => ({
        queue: { mode: "paused", pausedAt: 20, outageSince: timestampFromMs(OUTAGE), song, next, gapSeconds: -4 },
      }),
    });
    router.service(SoundService, {
      getSound: () => ({
        sound: {
          volume: 0.8,
          level: -16,
          heard: { name: "PA", isConnected: true, isAllowed: true, levelsDb: [-12, -60] },
        },
      }),
    });
    router.service(LightsService, {
      listOutputs: () => ({
        outputs: [
          { id: "o1", label: "Truss", universe: 1, enabled: true },
          { id: "o2", label: "Bars", universe: 2, enabled: true },
        ],
      }),
      getOutputHealth: () => ({
        outputs: [
          { id: "o1", state: "sending" },
          { id: "o2", state: "down", lastError: "Unplugged" },
        ],
      }),
    });
    router.service(ChatService, {
      listThreads: () => ({ threads: [{ id: "t1", eventId: "e1", unreadCount: 3 }] }),
      listMessages: () => ({ messages: [{ id: "m1", userName: "Aino", text: "The bass is a bit much" }] }),
    });
  });
  await eventually(() => expect(place.textContent).toContain("Mira · 124 BPM · A minor"));
  expect(place.textContent).toContain("Next Kilowatt4:02 · 128 BPM · cross-fade 4 s");
  expect(place.textContent).toContain("has not been running since 9:00 PM");
  expect([...place.querySelectorAll(".strip-section")].map(({ textContent }) => textContent)).toEqual([
    "verse",
    "drop",
  ]);
  expect(place.querySelector(".strip-section.is-now")?.textContent).toBe("verse");
  const meters = () => [...place.querySelectorAll("[role=meter]")].map((each) => each.getAttribute("aria-valuenow"));
  await eventually(() => expect(meters()).toEqual(["-12", "-48"]));
  await eventually(() => expect(place.textContent).toMatch(/TrussU1up.*BarsU2down.*Bars is down: Unplugged/));
  await eventually(() => expect(place.textContent).toContain("Chat3 newAino The bass is a bit much"));
});

// kept: Console | An event that ended stayed on Tonight until the page was reloaded | failed on the old code
test.each([
  ["ends", { live: ["Matinee"], upcoming: ["Evening"] }, { live: [], upcoming: ["Evening"] }],
  ["begins", { live: [], upcoming: ["Matinee"] }, { live: ["Evening"], upcoming: [] }],
])("reads which event is on again when one %s", async (_name, before, after) => {
  let reads = 0;
  const soon = timestampFromMs(Date.now() + 500);
  const place = await open((router) => {
    router.service(EventService, {
      listEvents: ({ list }) => {
        // Each read requests both filters.
        const titles = reads++ < 2 ? before : after;
        const filter = list?.filter === "live" ? "live" : "upcoming";
        const isSoon = titles === before && titles[filter][0] === "Matinee";
        return {
          events: titles[filter].map((title) => ({
            id: title,
            title,
            ...(isSoon && (filter === "live" ? { endsAt: soon } : { startsAt: soon })),
          })),
        };
      },
    });
    router.service(MusicService, { getShowQueue: () => ({ queue: { mode: "stopped" } }) });
  });
  await eventually(() => expect(place.querySelector("h1")?.textContent).toBe("Evening"));
  expect(place.textContent).not.toContain("Matinee");
});
