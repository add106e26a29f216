// @vitest-environment jsdom
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { ShowQueueSchema, SongSchema } from "@followspot/contract/music";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { eventually, press, show } from "../../testing/show.tsx";
import { NowBlock } from "./now-block.tsx";

const queueWith = (updatedAt: number) =>
  create(ShowQueueSchema, {
    mode: "playing",
    song: create(SongSchema, { id: "s1", title: "Salt", duration: 90, updatedAt: timestampFromMs(updatedAt) }),
  });

function Night() {
  const [updatedAt, setUpdatedAt] = useState(1000);
  return (
    <>
      <NowBlock queue={queueWith(updatedAt)} position={10} />
      <button onClick={() => setUpdatedAt(2000)}>Correct</button>
    </>
  );
}

// kept: Console | What plays went on to show sections and drops from before a correction | failed on the old code
test("shows the corrected sections of a song, and the earlier ones until those are loaded", async () => {
  let label = "verse";
  let hold: Promise<void> | undefined;
  vi.stubGlobal("fetch", async (url: string) => {
    if (!url.includes("/proxy/songs/s1/hybrid.json")) return Response.json({}, { status: 404 });
    await hold;
    const sections = [{ label, start: 0, end: 90 }];
    return Response.json({ duration: 90, structure: { sections }, drop_predictions: [] });
  });
  const page = await show(<Night />, { address: "/" });
  await eventually(() => expect(page.textContent).toContain("verse"));
  label = "chorus";
  const { promise, resolve } = Promise.withResolvers<void>();
  hold = promise;
  await press("Correct");
  expect(page.textContent).toContain("verse");
  resolve();
  await eventually(() => expect(page.textContent).toContain("chorus"));
});

// kept: Console | Tonight did not say what a talk on the stage screen does to the music | failed on the old code
test.each([
  ["playing", "", "On now"],
  ["paused", "", "Paused"],
  ["paused", "paused", "Paused until the talk ends"],
  ["playing", "quiet", "Quiet during the talk, −20 dB"],
  ["paused", "quiet", "PausedQuiet during the talk, −20 dB"],
])("shows the state of music that is %s with the effect %j of a talk", async (mode, forTalk, expected) => {
  const page = await show(<NowBlock queue={create(ShowQueueSchema, { ...queueWith(1000), mode, forTalk })} position={10} />, { address: "/" }); // prettier-ignore
  const state = page.querySelector("section p")?.textContent ?? "";
  expect(state.replace("On now", "") || "On now").toBe(expected);
});
