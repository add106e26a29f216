// @vitest-environment jsdom
import { create } from "@bufbuild/protobuf";
import type { ConnectRouter } from "@connectrpc/connect";
import { QueuesService } from "@followspot/contract/queues";
import { MusicService, SongSchema, type Song } from "@followspot/contract/music";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { beforeEach, expect, test, vi } from "vitest";
import { columnHeads, giveSizes } from "../testing/list-place.tsx";
import { button, eventually, press, show } from "../testing/show.tsx";
import { MusicPage } from "./music-page.tsx";

const SALT = create(SongSchema, {
  ...{ id: "s1", title: "Salt", artist: "Harbour", coverImage: "/media/songs/s1", duration: 185 },
  ...{ analysisStatus: "ready", lightingStatus: "ready" },
});
const NEW = create(SongSchema, { id: "s2", analysisStatus: "pending", lightingStatus: "pending" });

let songs: Song[];
let heard: Song | undefined;
let resumed: string[];
beforeEach(() => {
  heard = undefined;
  resumed = [];
  giveSizes({ width: 1440, height: 720 });
  songs = [SALT, NEW];
});

const routes = (router: ConnectRouter) =>
  router.service(MusicService, {
    listSongs: () => ({ songs }),
    countSongs: () => ({ counts: [] }),
    getShowQueue: () => ({ queue: heard ? { mode: "playing", song: heard } : { mode: "stopped" } }),
  });

function open(search = "") {
  const root = createRootRoute();
  const shell = createRoute({ getParentRoute: () => root, id: "shell" });
  const music = createRoute({ getParentRoute: () => shell, path: "/music", component: MusicPage });
  const router = createRouter({
    routeTree: root.addChildren([shell.addChildren([music])]),
    history: createMemoryHistory({ initialEntries: [`/music${search}`] }),
  });
  const queues = { resumeQueue: ({ queue }: { readonly queue: string }) => (resumed.push(queue), {}) };
  return show(<RouterProvider router={router as never} />, {
    routes: (each) => routes(each.service(QueuesService, queues)),
  });
}
const rows = () => [...document.querySelectorAll<HTMLElement>("[data-row]")];

test("shows its columns, and each song with cover, title and artist, length and badge, which links to its show", async () => {
  const place = await open();
  await eventually(() => expect(rows()).toHaveLength(2));
  const heads = columnHeads(place);
  for (const head of ["Song", "Duration", "Status", "Actions"]) expect(heads).toContain(head);
  const [salt, unnamed] = rows();
  expect(salt!.textContent).toMatch(/Salt.*Harbour.*3:05.*Ready/);
  expect(salt!.querySelector("img")?.getAttribute("src")).toContain("/media/songs/s1");
  expect([...salt!.querySelectorAll("a")].map((link) => link.getAttribute("href"))).toContain("/music/s1/visualizer");
  expect(unnamed!.textContent).toMatch(/N\/A.*Downloading\.\.\./);
});

test("marks songs whose key mixes with the current song", async () => {
  const of = (id: string, key: string) => create(SongSchema, { ...SALT, id, title: id, key });
  songs = [of("Relative", "C major"), of("Far", "F# major")];
  heard = of("Heard", "A minor");
  await open();
  await eventually(() => expect(rows()[0]!.textContent).toContain("Mixes with what is heard (A minor)"));
  expect(rows()[1]!.textContent).not.toContain("Mixes with");
});

test("opens a form for a link, with Cancel and Add Song", async () => {
  await open("?open=new");
  await eventually(() =>
    expect(document.querySelector("[role=dialog]")?.textContent).toContain("Add Song from YouTube"),
  );
  for (const name of ["Cancel", "Add Song"]) expect(button(name)).toBeDefined();
});

test("asks by title before it deletes a song", async () => {
  await open("?open=delete.s1");
  await eventually(() =>
    expect(document.querySelector("[role=alertdialog]")?.textContent).toContain(
      'Are you sure you want to delete "Salt"?',
    ),
  );
});

test("shows the next step if there are no songs", async () => {
  songs = [];
  const place = await open();
  await eventually(() =>
    expect(place.textContent).toContain("No songs found. Add your first song from the video site!"),
  );
  await press("Paste a link");
  await eventually(() =>
    expect(document.querySelector("[role=dialog]")?.textContent).toContain("Add Song from YouTube"),
  );
});

// kept: Console | Songs that waited for a paused queue said nothing of the pause | failed on the old code
test("shows until when songs are paused, in local time, and resumes them", async () => {
  const until = new Date(Date.now() + 1000);
  const warning = "SONGS is paused until 05:28 UTC: songs wait. Resume it on Workers.";
  const stems = { queue: "STEMS", until: until.toISOString(), warning: "" };
  const pauses = [{ queue: "SONGS", until: until.toISOString(), warning }, stems];
  vi.stubGlobal("fetch", async () => Response.json({ pauses: resumed.length > 0 ? [] : pauses, warnings: [warning] }));
  const place = await open();
  const time = until.toLocaleTimeString("en-US", { hour: "numeric", minute: "2-digit" }).replaceAll("\u202f", " ");
  await eventually(() => expect(place.textContent).toContain(`SONGS is paused until ${time}: songs wait.`));
  expect(place.textContent).not.toContain("STEMS");
  await press("Resume SONGS now");
  await eventually(() => expect(place.textContent).not.toContain("is paused"));
  expect(resumed).toEqual(["SONGS"]);
});
