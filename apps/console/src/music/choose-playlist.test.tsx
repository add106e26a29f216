// @vitest-environment jsdom
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { MusicService, SongSchema } from "@followspot/contract/music";
import { beforeEach, expect, test, vi } from "vitest";
import { choose, eventually, field, press, show, type } from "../testing/show.tsx";
import { Toasts } from "../ui/toast.tsx";
import { AddToPlaylist } from "./choose-playlist.tsx";

const song = create(SongSchema, { id: "s1", title: "Salt" });
const onClose = vi.fn();
let calls: string[];
let isFull: boolean;

beforeEach(() => {
  calls = [];
  isFull = false;
  onClose.mockReset();
});

const open = () =>
  show(
    <>
      <AddToPlaylist song={song} onClose={onClose} />
      <Toasts />
    </>,
    {
      routes: (router) =>
        router.service(MusicService, {
          listPlaylists: () => ({
            playlists: [
              { id: "fri", name: "Friday", songs: [{}, {}] },
              { id: "sat", name: "Saturday" },
            ],
          }),
          createPlaylist: ({ name }) => (calls.push(`create ${name}`), { playlist: { id: "new", name } }),
          addSongToPlaylist: ({ playlistId, songId }) => {
            if (isFull) throw new ConnectError("A playlist may have at most 500 songs.", Code.ResourceExhausted);
            calls.push(`add ${songId} to ${playlistId}`);
            return {};
          },
          removeSongFromPlaylist: ({ playlistId, songId }) => (calls.push(`take ${songId} off ${playlistId}`), {}),
        }),
    },
  );
const isRead = () => eventually(() => expect(field("Playlist").textContent).toContain("Friday (2)"));

// kept: Console | From Music a song could not be put onto a playlist | also
test("adds a song to a selected playlist, and removes it with Undo", async () => {
  await open();
  await isRead();
  await choose("Playlist", "sat");
  await press("Add");
  await eventually(() => expect(document.body.textContent).toContain('Added to "Saturday"'));
  expect(onClose).toHaveBeenCalledOnce();
  await press("Undo");
  await eventually(() => expect(calls).toEqual(["add s1 to sat", "take s1 off sat"]));
});

test("creates a playlist with a name, and none without", async () => {
  await open();
  await isRead();
  await choose("Playlist", "");
  await press("Add");
  await eventually(() => expect(document.body.textContent).toContain("Name is required"));
  await type(field("Name"), "Encore");
  await press("Add");
  await eventually(() => expect(calls).toEqual(["create Encore", "add s1 to new"]));
});

test("shows why a song was not added", async () => {
  isFull = true;
  await open();
  await isRead();
  await press("Add");
  await eventually(() => expect(document.body.textContent).toContain("at most 500 songs"));
  expect(document.body.textContent).not.toContain("Added to");
});
