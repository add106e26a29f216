import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OUTLINE_LEVELS } from "@followspot/contract";
import type { Caller } from "../../platform/caller.ts";
import { analysisAt, SongsByHand } from "../../testing/songs-by-hand.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { drawOutlines } from "../library/draw-outlines.ts";
import { SongFiles } from "./song-files.ts";
import { outlineOf } from "./song-outline.ts";

const caller: Caller = { userId: "01ADMIN", name: "Ada", roles: ["Admin"], sessionId: "" };
const levelsOf = (base64: string) => [...Buffer.from(base64, "base64")];

describe("the outline of a song", () => {
  const section = (end: number, label: "intro" | "verse" | "drop") => ({ ...analysisAt("x", 60).structure.sections[0]!, end, label }); // prettier-ignore

  test("contains the mean level of each hundredth, scaled to the loudest", () => {
    // 200 s at four values per second: silence, then alternating 0.25 and 0.75, then half of that.
    const values = Array.from({ length: 800 }, (_, at) => (at < 400 ? 0 : (at % 2 ? 0.75 : 0.25) / (at < 600 ? 1 : 2)));
    const waveform = { hop_seconds: 0.25, values };
    const levels = levelsOf(outlineOf({ duration: 200, waveform, structure: { sections: [] } }).levels);
    expect(levels).toHaveLength(OUTLINE_LEVELS);
    expect(levels.slice(0, 50)).toEqual(new Array(50).fill(0));
    expect(levels.slice(50, 75)).toEqual(new Array(25).fill(255));
    expect(levels.slice(75)).toEqual(new Array(25).fill(128));
  });

  test("merges adjacent sections with the same label, and ends the last one with the song", () => {
    const sections = [section(20, "intro"), section(40, "verse"), section(60, "verse"), section(81, "drop")];
    const waveform = { hop_seconds: 1, values: new Array<number>(80).fill(1) };
    expect(outlineOf({ duration: 80, waveform, structure: { sections } }).parts).toEqual([
      { label: "intro", until: 0.25 },
      { label: "verse", until: 0.75 },
      { label: "drop", until: 1 },
    ]);
  });

  test("is silence for a silent song of any length", () => {
    const waveform = { hop_seconds: 0.02, values: [0, 0, 0] };
    const { levels, parts } = outlineOf({ duration: 0.06, waveform, structure: { sections: [] } });
    expect([levelsOf(levels).every((level) => level === 0), parts]).toEqual([true, []]);
  });
});

describe("the song list", () => {
  let server: TestServer;
  let dataDir: string;
  let files: SongFiles;
  let songs: SongsByHand;
  let token: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "followspot-outlines-"));
    server = await startTestServer({ dataDir, connections: 20 });
    files = new SongFiles(dataDir);
    songs = new SongsByHand(server.sql, files, caller);
    token = (await server.person("Ada", ["Admin"])).token;
  });
  afterAll(async () => {
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const ask = async (method: string, body: object) =>
    (await server.call(`music.v1.MusicService/${method}`, body, token)).body;
  const song = async (songId: string) => (await ask("GetSong", { song_id: songId })).song;
  const DROP = [{ label: "drop", until: 1 }];

  test("has a song's outline as soon as its show is planned", async () => {
    const id = await songs.analysed();
    expect((await song(id)).outline).toBeUndefined();
    await songs.plan(id);
    const { outline } = await song(id);
    expect([outline.parts, levelsOf(outline.levels).length]).toEqual([DROP, OUTLINE_LEVELS]);
  });

  test("gets the outline of a song planned by an earlier version from its analysis, once", async () => {
    const [planned, unread] = [await songs.analysed(), await songs.analysed()];
    await songs.plan(planned);
    await server.sql`update songs set outline = null`;
    await rm(files.path(unread, "hybrid.json"));
    expect(await drawOutlines(server.sql, files)).toBeGreaterThan(0);
    expect((await song(planned)).outline.parts).toEqual(DROP);
    expect((await song(unread)).outline).toBeUndefined();
    expect(await drawOutlines(server.sql, files)).toBe(0);
  });

  test("has the start of the running step; ListSongSteps returns the result of each step", async () => {
    const id = await songs.analysed();
    expect((await song(id)).stepStartedAt).toBeUndefined();
    const job = await songs.claimNext(id);
    const begun = Date.parse((await song(id)).stepStartedAt);
    expect(Math.abs(Date.now() - begun)).toBeLessThan(60_000);
    await songs.report(job, { kind: "failed", reason: "No lamp is patched.", retry: false });

    const { steps } = await ask("ListSongSteps", { song_id: id });
    expect(steps).toMatchObject([
      { step: "lighting", state: "failed", attempts: 1, reason: "No lamp is patched." },
      { step: "analysis", state: "done", attempts: 1 },
      { step: "download", state: "done", attempts: 1 },
    ]);
    for (const { askedAt, startedAt, endedAt } of steps) {
      // Compared as numbers: as text, a time with fewer decimals sorts after a longer one with the same prefix.
      const times = [askedAt, startedAt, endedAt].map((text: string) => Date.parse(text));
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }
    await ask("RetrySong", { song_id: id, step: "lighting" });
    expect((await ask("ListSongSteps", { song_id: id })).steps[0]).toMatchObject({ state: "queued", askedBy: "Ada" });
  });

  test("the steps of an unknown song are not found", async () => {
    const answer = await server.call("music.v1.MusicService/ListSongSteps", { song_id: "01NONE" }, token);
    expect([answer.status, answer.code]).toEqual([404, "not_found"]);
  });
});
