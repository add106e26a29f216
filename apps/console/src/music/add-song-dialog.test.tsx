// @vitest-environment jsdom
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError, type ServiceImpl } from "@connectrpc/connect";
import { MusicService, SongSchema } from "@followspot/contract/music";
import { act } from "react";
import { describe, expect, it, vi } from "vitest";
import { button, eventually, press, show, type } from "../testing/show.tsx";
import { AddSongDialog } from "./add-song-dialog.tsx";

type Methods = Partial<ServiceImpl<typeof MusicService>>;

const hit = (n: number, songId = "") => ({
  ytid: `video00000${n}`,
  title: `Song ${n}`,
  artist: "Band",
  url: `https://www.youtube.com/watch?v=video00000${n}`,
  duration: 125,
  songId,
});
const LINK = "https://www.youtube.com/watch?v=dQw4w9WgXcQ";
const LIST = "https://www.youtube.com/playlist?list=PLx";

async function dialog(methods: Methods = {}) {
  const added: string[] = [];
  const onClose = vi.fn();
  await show(<AddSongDialog onClose={onClose} />, {
    routes: ({ service }) =>
      service(MusicService, {
        getDownloader: () => ({ downloaders: [{ worker: "w1", version: "2026.10.26", source: "fetched" }] }),
        addSongFromYoutube: ({ url }) => {
          added.push(url);
          return { song: create(SongSchema, { title: "Line" }), status: "created" };
        },
        ...methods,
      }),
  });
  const field = document.querySelector<HTMLInputElement>("input[type=text]")!; // The dialog has no other field.
  const enter = () =>
    act(
      async () =>
        void field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true })),
    );
  return { field, enter, added, onClose };
}
const text = () => document.body.textContent ?? "";
const boxes = () => [...document.querySelectorAll<HTMLInputElement>("li input[type=checkbox]")];
const sees = (...parts: string[]) => eventually(() => parts.forEach((part) => expect(text()).toContain(part)));

describe("AddSongDialog", () => {
  it("adds a pasted link and closes", async () => {
    const { field, added, onClose } = await dialog();
    await type(field, ` ${LINK} `);
    await press("Add Song");
    await eventually(() => expect(onClose).toHaveBeenCalledOnce());
    expect(added).toEqual([LINK]);
  });

  it("shows the specified messages for an empty field and for text that is no link", async () => {
    const { field, added } = await dialog();
    await press("Add Song");
    await sees("Please enter a YouTube URL");
    for (const wrong of ["not a link", "javascript:alert(1)"]) {
      await type(field, wrong);
      expect(text()).not.toContain("Invalid YouTube URL");
      await press("Add Song");
      await sees("Invalid YouTube URL");
    }
    expect(added).toEqual([]);
  });

  it("shows Adding... while it adds, and the server's message if it is refused", async () => {
    let refuse: (error: ConnectError) => void = () => undefined;
    const { field, onClose } = await dialog({
      addSongFromYoutube: () => new Promise((_, reject) => (refuse = reject)),
    });
    await type(field, LINK);
    await press("Add Song");
    expect(button("Adding...").disabled).toBe(true);
    refuse(new ConnectError("Not this one", Code.InvalidArgument));
    await sees("Not this one");
    expect(onClose).not.toHaveBeenCalled();
  });

  it("reports that the song could not be added if the server gives no reason", async () => {
    const { field } = await dialog({
      addSongFromYoutube: () => {
        throw new ConnectError("", Code.Internal);
      },
    });
    await type(field, LINK);
    await press("Add Song");
    await sees("Failed to add song from YouTube");
  });

  it("searches on Enter, marks songs of the library, and adds the selected ones", async () => {
    const asked: object[] = [];
    const { field, enter, added, onClose } = await dialog({
      searchYoutube: ({ query, limit }) => {
        asked.push({ query, limit });
        return { hits: [hit(1), hit(2, "s2"), hit(3)] };
      },
    });
    await type(field, "  straight line ");
    await enter();
    await sees("3 found", "Song 1", "2:05", "Here already");
    expect(asked).toEqual([{ query: "straight line", limit: 20 }]);
    expect(boxes().map(({ disabled, checked }) => [disabled, checked])).toEqual([
      [false, false],
      [true, false],
      [false, false],
    ]);
    for (const box of [0, 2]) await act(async () => boxes()[box]?.click());
    await press("Add 2 Songs");
    await eventually(() => expect(onClose).toHaveBeenCalledOnce());
    expect(added).toEqual([hit(1).url, hit(3).url]);
  });

  it("reports that nothing was found or why a search failed, until the text changes", async () => {
    let answer: Methods["searchYoutube"] = () => ({ hits: [] });
    const { field, enter } = await dialog({ searchYoutube: (...given) => answer!(...given) });
    await type(field, "nothing");
    await enter();
    await sees("Nothing found");
    answer = () => {
      throw new ConnectError("No worker is running", Code.Unavailable);
    };
    await press("Search");
    await sees("Nothing could be searched: No worker is running.");
    await type(field, "nothing a");
    expect(text()).not.toContain("No worker");
  });

  it("opens a playlist with all new videos selected, and adds them one by one", async () => {
    const { field, onClose } = await dialog({
      listVideoPlaylist: ({ url }) => {
        expect(url).toBe(LIST);
        return { title: "Opening night", hits: [hit(1), hit(2, "s2"), hit(3), hit(4)], leftOut: 2, isCut: true };
      },
      addSongFromYoutube: ({ url }) => {
        if (url.endsWith("3")) throw new ConnectError("The disk is full", Code.ResourceExhausted);
        return { song: create(SongSchema, { title: "Line" }), status: "created" };
      },
    });
    await type(field, LIST);
    await press("Add Song");
    await sees("Playlist Opening night", "4 songs, 1 of them here already", "2 entries are left out", "first 200");
    await press("Add 3 Songs");
    await sees("Not added: The disk is full");
    expect(text().match(/Added/g)).toHaveLength(2);
    expect(boxes().map(({ disabled, checked }) => [disabled, checked])).toEqual([
      [true, false],
      [true, false],
      [false, true],
      [true, false],
    ]);
    expect(onClose).not.toHaveBeenCalled();
    expect(button("Add Song").disabled).toBe(false);
  });

  it("can be closed while a playlist is added, and mentions it", async () => {
    let answer = () => {};
    const { field, onClose } = await dialog({
      listVideoPlaylist: () => ({ title: "Long night", hits: [hit(5), hit(6)] }),
      addSongFromYoutube: async () => {
        await new Promise<void>((resolve) => (answer = resolve));
        return { status: "created" };
      },
    });
    await type(field, LIST);
    await press("Add Song");
    await press("Add 2 Songs");
    await sees("Adding... 0 of 2", "This goes on when you close it.");
    await act(async () => answer());
    await sees("Adding... 1 of 2");
    await press("Stop");
    expect(button("Stop").disabled).toBe(true);
    await press("Close");
    expect(onClose).toHaveBeenCalledOnce();
    await act(async () => answer());
  });

  it("offers the playlist of a video, and adds the video when that is pressed", async () => {
    const { field, added } = await dialog({ listVideoPlaylist: () => ({ title: "All", hits: [hit(1)] }) });
    await type(field, `${LINK}&list=PLx`);
    await press("Show playlist");
    await sees("Playlist All");
    await type(field, `${LINK}&list=PLy`);
    await press("Add Song");
    await eventually(() => expect(added).toEqual([`${LINK}&list=PLy`]));
  });

  it.each<[what: string, answer: object, says: string]>([
    [
      "a reason links would not be downloaded",
      { problem: "No worker is running, so songs wait." },
      "No worker is running",
    ],
    [
      "a downloader that has to be fetched",
      { downloaders: [{ source: "none" }] },
      "with the first link one of about 40 MB",
    ],
    ["one on its way", { downloaders: [{ source: "none", fetchingPercent: 40 }] }, "is being fetched: 40 %"],
  ])("says before the press: %s", async (_what, answer, says) => {
    await dialog({ getDownloader: () => answer });
    await sees(says);
  });
});
