// @vitest-environment jsdom
import { MusicService } from "@followspot/contract/music";
import { expect, test, vi } from "vitest";
import { eventually, press, show } from "../../testing/show.tsx";
import { SetlistPage } from "./setlist-page.tsx";

const SALT = { title: "Salt", artist: "Ebb", duration: 200, tempo: 123.6, key: "A minor" };

const open = (playlistId: string) =>
  show(<SetlistPage playlistId={playlistId} />, {
    routes: (router) =>
      router.service(MusicService, {
        listPlaylists: () => ({
          playlists: [{ id: "fri", name: "Friday", gapSeconds: 10, songs: [{ song: SALT }, { song: { id: "s2" } }] }],
        }),
      }),
    address: "/",
  });

test("a setlist shows its songs in order with their start times, and prints", async () => {
  const print = vi.spyOn(window, "print").mockImplementation(() => undefined);
  await open("fri");
  await eventually(() => expect(document.querySelectorAll("tbody tr")).toHaveLength(2));
  const cells = [...document.querySelectorAll("tbody tr")].map((row) =>
    [...row.children].map(({ textContent }) => textContent),
  );
  expect(cells).toEqual([
    ["1", "00:00", "SaltEbb", "3:20", "124", "A minor", ""],
    ["2", "03:30", "Untitled", "N/A", "", "", ""],
  ]);
  await press("Print");
  expect(print).toHaveBeenCalledOnce();
});

test("a deleted playlist has no setlist, and the page reports it", async () => {
  await open("sat");
  await eventually(() => expect(document.body.textContent).toContain("There is no such playlist."));
  expect(document.querySelector("button")!.disabled).toBe(true);
});
