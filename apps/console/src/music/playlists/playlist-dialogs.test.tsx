// @vitest-environment jsdom
import { create } from "@bufbuild/protobuf";
import { MusicService, PlaylistSchema } from "@followspot/contract/music";
import { expect, test } from "vitest";
import { button, eventually, press, show } from "../../testing/show.tsx";
import { AddSongsDialog } from "./playlist-dialogs.tsx";
import { usePlaylistCalls } from "./playlists.queries.ts";

function Opened() {
  const playlist = create(PlaylistSchema, { id: "p1", name: "Friday" });
  return <AddSongsDialog calls={usePlaylistCalls()} playlist={playlist} onClose={() => {}} />;
}

test("songs added in quick succession are sent one after another, in the order of the presses", async () => {
  const first = Promise.withResolvers<object>();
  const sent: string[] = [];
  const listed = [1, 2, 3].map((n) => ({ id: `s${n}`, title: `Tune ${n}` }));
  await show(<Opened />, {
    routes: ({ service }) =>
      service(MusicService, {
        listSongs: () => ({ songs: listed }),
        listPlaylists: () => ({}),
        getShowQueue: () => ({}),
        addSongToPlaylist: ({ songId }) => (sent.push(songId), songId === "s1" ? first.promise : {}),
      }),
  });
  await eventually(() => expect(document.body.textContent).toContain("Tune 3"));
  for (const n of [1, 2, 3]) await press(`Add: Tune ${n}`);
  await eventually(() => expect(sent).toEqual(["s1"]));
  first.resolve({});
  await eventually(() => expect(sent).toEqual(["s1", "s2", "s3"]));
});

// kept: Songs and jobs | Songs that had failed could be added to a playlist, and nothing marked them | failed on the old code
test.each([
  ["Error", { analysisStatus: "error", lightingStatus: "pending", errorMessage: "The file is silent." }, true],
  ["Downloading...", { analysisStatus: "pending", lightingStatus: "pending", errorMessage: "" }, false],
  ["Analyzing...", { analysisStatus: "processing", lightingStatus: "pending", errorMessage: "" }, false],
  ["", { analysisStatus: "ready", lightingStatus: "ready", errorMessage: "" }, false],
])("marks a song to add as %j", async (badge, song, isFailed) => {
  await show(<Opened />, {
    routes: ({ service }) =>
      service(MusicService, { listSongs: () => ({ songs: [{ id: "s1", title: "Tune", ...song }] }) }),
  });
  await eventually(() => button("Add: Tune"));
  const row = button("Add: Tune").closest("li")!;
  expect(row.textContent).toBe(`Tune${song.errorMessage}${badge}N/AAdd`);
  expect(button("Add: Tune").disabled).toBe(isFailed);
});
