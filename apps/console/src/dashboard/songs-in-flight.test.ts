import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { SongSchema } from "@followspot/contract/music";
import { expect, test } from "vitest";
import { songsInFlight } from "./songs-in-flight.ts";

const song = (fields: MessageInitShape<typeof SongSchema>) =>
  create(SongSchema, { analysisStatus: "processing", lightingStatus: "pending", ...fields });

test("puts what moves before what waits, and shows each song once", () => {
  const waiting = song({ id: "w", step: "analysis" });
  const slow = song({ id: "s", step: "analysis", percent: 10 });
  const fast = song({ id: "f", step: "analysis", percent: 80 });
  expect(songsInFlight([waiting, slow], [waiting, fast]).map(({ id }) => id)).toEqual(["f", "s", "w"]);
});

test("counts a song that waits for its download, and none that is ready or failed", () => {
  const download = song({ id: "d", analysisStatus: "pending", step: "download" });
  const ready = song({ id: "r", analysisStatus: "ready", lightingStatus: "ready" });
  const failed = song({ id: "e", analysisStatus: "error" });
  expect(songsInFlight([download, ready, failed]).map(({ id }) => id)).toEqual(["d"]);
});
