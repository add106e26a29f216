// @vitest-environment jsdom
import { create, toJson } from "@bufbuild/protobuf";
import { createConnectQueryKey } from "@connectrpc/connect-query";
import { ListSongsResponseSchema, MusicService, SongSchema, type ListSongsResponse } from "@followspot/contract/music";
import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { CachePatches } from "./events-socket.ts";

const key = createConnectQueryKey({ schema: MusicService.method.listSongs, input: {}, cardinality: "finite" });
const song = (id: string, title: string) =>
  create(SongSchema, { id, title, analysisStatus: "pending", lightingStatus: "pending" });
const envelope = (type: string, payload: object) => ({ id: "1", topic: "songs", type, ts: "", payload });

function listening() {
  const cache = new QueryClient();
  cache.setQueryData(
    key,
    create(ListSongsResponseSchema, { songs: [song("a", "Salt"), song("b", "Cinder")], totalSize: 2 }),
  );
  return { patches: new CachePatches(cache), songs: () => cache.getQueryData<ListSongsResponse>(key)?.songs ?? [] };
}

test("moves a song's percent as its work goes on", () => {
  const { patches, songs } = listening();
  patches.apply(envelope("song.progress", { song_id: "b", step: "analysis", progress: 0.424, note: "" }));
  expect(songs()[1]).toMatchObject({ step: "analysis", percent: 42, analysisStatus: "processing" });
});

test("adds, changes and removes songs", () => {
  const { patches, songs } = listening();
  patches.apply(envelope("song.created", { song: toJson(SongSchema, song("c", "Overpass")) }));
  patches.apply(envelope("song.updated", { song: toJson(SongSchema, song("a", "Salt, again")) }));
  patches.apply(envelope("song.deleted", { song_id: "b" }));
  expect(songs().map(({ title }) => title)).toEqual(["Overpass", "Salt, again"]);
});
