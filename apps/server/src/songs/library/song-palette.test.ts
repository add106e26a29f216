import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { LED_PALETTES } from "@followspot/lighting";
import type { Caller } from "../../platform/caller.ts";
import { SongsByHand } from "../../testing/songs-by-hand.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { startTestServer } from "../../testing/test-server.ts";
import { importLink } from "./import-song.ts";
import { writeCover } from "../catalog/song-cover.ts";
import { SongFiles } from "../catalog/song-files.ts";

const caller: Caller = { userId: "01ADMIN", name: "Ada", roles: ["Admin"], sessionId: "" };

const dataDir = await folderUntil(afterAll);
const server = openUntil(afterAll, await startTestServer({ dataDir, connections: 20 }));
const files = new SongFiles(dataDir);
const songs = new SongsByHand(server.sql, files, caller);
const token = (await server.person("admin", ["Admin"])).token;

async function call(method: string, body: object) {
  const answer = await server.call(`music.v1.MusicService/${method}`, body, token);
  return { ...answer.body, code: answer.code ?? "" };
}
const paletteOf = async (songId: string) => (await call("GetSongColorPalette", { song_id: songId })).palette;
const select = (songId: string, paletteId: string) =>
  call("SelectLEDPalette", { song_id: songId, palette_id: paletteId });

/** Gives a song a cover of adjacent areas of one color each. */
async function paint(songId: string, ...areas: string[]): Promise<void> {
  const rects = areas.map((color, i) => `<rect x="${i * 100}" width="100" height="100" fill="${color}"/>`).join("");
  const size = `width="${areas.length * 100}" height="100"`;
  const drawn = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${rects}</svg>`);
  await writeCover(await sharp(drawn).png().toBuffer(), files.folder(songId), "1");
  await server.sql`update songs set has_cover = true where id = ${songId}`;
}

test("the colors of a song come from its cover, with a harmony and matching palettes", async () => {
  const id = await songs.analysed();
  await paint(id, "#c02020", "#c02020", "#2040c0");
  const { status, message, palette } = await call("GetSongColorPalette", { song_id: id });
  expect([status, message]).toEqual(["ready", "The colours come from its cover"]);
  expect(palette).toMatchObject({ harmonyType: "complementary", selectedPaletteId: "automatic", source: "cover" });
  expect(palette.extractedColors).toHaveLength(2);
  for (const [hex, strongest] of [
    [palette.extractedColors[0], 0],
    [palette.extractedColors[1], 4],
  ])
    // prettier-ignore
    expect(Math.max(...hex.slice(1).match(/../g).map((two: string) => Number.parseInt(two, 16)))).toBe(
      Number.parseInt(hex.slice(1 + strongest, 3 + strongest), 16),
    );
  expect(palette.harmonyColors).toHaveLength(3);
  expect(palette.aiKeyColors).toHaveLength(3);
  expect(palette.musicalKey).toBe("A minor");
  const scores = palette.ledMatches.map(({ matchScore }: { matchScore: number }) => matchScore);
  expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
  expect(palette.ledMatches.length).toBeGreaterThanOrEqual(5);
});

test("without a cover, or with a gray one, the colors come from the analysis", async () => {
  const id = await songs.analysed();
  expect(await paletteOf(id)).toMatchObject({ source: "analysis" });
  const heard = (await paletteOf(id)).harmonyColors;
  await paint(id, "#777777");
  const grey = await paletteOf(id);
  expect(grey.extractedColors).toHaveLength(1);
  expect(grey.harmonyColors).toEqual(heard);
});

test("a song without a cover and an analysis reports when its colors will be known", async () => {
  const { id } = (await importLink(server.sql, caller, "https://youtu.be/aaaaaaaaaaa")).song;
  expect(await call("GetSongColorPalette", { song_id: id })).toMatchObject({
    status: "pending",
    message: "The colours are known once the song has a cover or is analysed",
  });
  expect(await select(id, "harmony")).toMatchObject({ code: "invalid_argument" });
  expect(await call("GetLEDPaletteAlternatives", { song_id: id })).toMatchObject({ code: "" });
  // A palette of the library needs no colors of the song: it is used by the first plan.
  expect(await select(id, "reef")).toMatchObject({ success: true });
});

test('the show is planned in the chosen palette, and "automatic" restores the planner\'s own', async () => {
  const id = await songs.analysed();
  const own = (await songs.plan(id)).palette;
  const reef = LED_PALETTES.find((each) => each.id === "reef")!;
  expect(await select(id, "reef")).toMatchObject({ success: true, palette: { selectedPaletteId: "reef" } });
  expect((await call("GetSong", { song_id: id })).song.lightingStatus).toBe("processing");
  expect((await songs.plan(id)).palette.slice(0, 3)).toEqual(reef.colors);
  // The choice is also used by a plan with another seed.
  await call("GetSongLighting", { song_id: id, force_regenerate: true });
  expect((await songs.plan(id)).palette.slice(0, 3)).toEqual(reef.colors);
  await call("SelectLEDPalette", { song_id: id, palette_id: "automatic" });
  expect((await songs.plan(id)).palette).not.toEqual(reef.colors);
  expect(own).toHaveLength(4);
});

test("a choice is written to the audit log, and a running plan with the old colors becomes stale", async () => {
  const id = await songs.analysed();
  const late = await songs.claimNext(id);
  await select(id, "velvet");
  expect(await songs.report(late, { kind: "done", result: await songs.runStep(late) })).toBe("stale");
  expect((await songs.plan(id)).palette[0]).toBe(LED_PALETTES.find((each) => each.id === "velvet")!.colors[0]);
  const [entry] = await server.sql`
    select before, after from audit_log where target = ${`song ${id}`} and action = 'song.recoloured'`;
  expect(entry).toMatchObject({ before: { palette: "automatic" }, after: { palette: "velvet" } });
});

test("twenty simultaneous identical choices create one plan", async () => {
  const id = await songs.analysed();
  await songs.plan(id);
  await Promise.all(Array.from({ length: 20 }, () => select(id, "ember")));
  const [{ plans }] = (await server.sql`
    select count(*)::int as plans from song_jobs where song_id = ${id} and step = 'lighting'`) as [{ plans: number }];
  expect(plans).toBe(2);
});

test("another harmony re-plans a show only if it uses the harmony", async () => {
  const id = await songs.analysed();
  await songs.plan(id);
  const regenerate = (harmony: string) => call("RegenerateColorPalette", { song_id: id, harmony_type: harmony });
  expect((await regenerate("triadic")).palette.harmonyType).toBe("triadic");
  expect(await songs.activeJobs(id)).toHaveLength(0);
  const { palette } = await select(id, "harmony");
  expect((await songs.plan(id)).palette.slice(0, 3)).toEqual(palette.harmonyColors);
  const analogous = (await regenerate("analogous")).palette.harmonyColors;
  expect((await songs.plan(id)).palette.slice(0, 3)).toEqual(analogous);
  expect((await regenerate("")).palette.harmonyType).toBe("analogous");
  expect(await regenerate("diabolus in musica")).toMatchObject({
    code: "invalid_argument",
    message: expect.stringContaining("complementary, analogous"),
  });
});

test("alternatives exclude the chosen palette and are limited to the requested number", async () => {
  const id = await songs.analysed();
  await select(id, "reef");
  const { alternatives, currentSelection } = await call("GetLEDPaletteAlternatives", { song_id: id, limit: 5 });
  expect([alternatives.length, currentSelection]).toEqual([5, "reef"]);
  const all = await call("GetLEDPaletteAlternatives", { song_id: id, limit: 100 });
  const ids = all.alternatives.map(({ paletteId }: { paletteId: string }) => paletteId);
  expect(ids.toSorted()).toEqual(LED_PALETTES.map((each) => each.id).filter((each) => each !== "reef").toSorted()); // prettier-ignore
});

test.each(["", "nowhere", "constructor", "x".repeat(101), "reef\u0000"])(
  "an invalid palette (%j) is refused and changes nothing",
  async (paletteId) => {
    const id = await songs.analysed();
    expect((await select(id, paletteId)).code).toBe("invalid_argument");
    expect((await paletteOf(id)).selectedPaletteId).toBe("automatic");
    expect((await select("01ARZ3NDEKTSV4RRFFQ69G5FAV", "reef")).code).toBe("not_found");
  },
);

test("answers more simultaneous choices than there are database connections", async () => {
  const id = await songs.analysed();
  await songs.plan(id);
  const ids = LED_PALETTES.map((palette) => palette.id);
  const chosen = await Promise.all(Array.from({ length: 60 }, (_, i) => select(id, ids[i % ids.length]!)));
  expect(new Set(chosen.map(({ code }) => code))).toEqual(new Set([""]));
});
