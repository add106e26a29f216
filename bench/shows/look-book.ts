/**
 * `npm run look-book [-- options]`: what shows look like on a stage, into docs/guide/look-book/: for twelve songs of twelve
 * genres on four rigs a sheet with the lamps over the whole song and a still of each section, and of each song a film of its best
 * twenty seconds on one of the rigs.
 *
 *   --songs A,B    genres, in place of all twelve
 *   --rigs A,B     of pars8, club, bars, hall; all
 *   --sheets       no films
 *
 * A Chromium draws the stage, as `song -- film --look 3d` has it, and ffmpeg writes the films.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { NO_WISHES, type LightingPlan } from "../../packages/contract/src/index.ts";
import {
  chooseShow,
  compileShow,
  sourceOf,
  stageOf,
  truthOfKnown,
  type SongTruth,
} from "../../packages/lighting/src/index.ts";
import { bestStart } from "../../apps/server/src/songs/film/best-seconds.ts";
import { loadSharp } from "../../apps/server/src/songs/film/draw-pictures.ts";
import { writeFilm, type DrawPictures } from "../../apps/server/src/songs/film/film.ts";
import { findFfmpeg } from "../../apps/server/src/platform/process/programs.ts";
import { settingsOrExit } from "../../apps/server/src/platform/settings.ts";
import { lookOf, picturesOf } from "../../apps/server/src/cli/picture-options.ts";
import { drawShow } from "./picture.ts";
import { LOOK_BOOK_RIGS } from "./rigs.ts";
import { makeSongs, type BenchSong } from "./songs.ts";

/** The songs, and on which rig each is filmed. */
const FILMED: Readonly<Record<string, string>> = {
  house: "club",
  techno: "hall",
  "drum & bass": "bars",
  "hip-hop": "pars8",
  pop: "bars",
  rock: "club",
  metal: "hall",
  ballad: "pars8",
  reggae: "club",
  funk: "pars8",
  waltz: "bars",
  ambient: "hall",
};
const SONGS = 48;
const SEED = 1;

/** A still, and how many stand beside each other. */
const STILL = { width: 480, height: 270 };
const COLUMNS = 4;
/** Where in a section a still is taken, and the share of it in short ones. */
const INTO = { seconds: 6.2, share: 0.45 };

const FILM = { width: 480, height: 270, fps: 15, seconds: 20 };

const { values } = parseArgs({
  options: {
    songs: { type: "string", default: Object.keys(FILMED).join(",") },
    rigs: { type: "string", default: Object.keys(LOOK_BOOK_RIGS).join(",") },
    sheets: { type: "boolean", default: false },
  },
});

const out = fileURLToPath(new URL("../../docs/guide/look-book", import.meta.url));
const films = join(out, "films");
mkdirSync(films, { recursive: true });

const ffmpeg = values.sheets ? undefined : await findFfmpeg(settingsOrExit());
if (!values.sheets && !ffmpeg) throw new Error("Films are made by ffmpeg: install it, or ask for --sheets alone");

const sharp = await loadSharp();
const look = await lookOf("3d");
const made = makeSongs(SONGS, SEED, fileURLToPath(new URL(".cache", import.meta.url)));
for (const genre of values.songs.split(",")) {
  const song = made.find((one) => one.genre === genre);
  if (!song) throw new Error(`--songs knows ${Object.keys(FILMED).join(", ")}, not ${genre}`);
  const plan = chooseShow(song.heard, { groups: [], wishes: NO_WISHES });
  for (const name of values.rigs.split(",")) {
    const known = LOOK_BOOK_RIGS[name];
    if (!known) throw new Error(`--rigs knows ${Object.keys(LOOK_BOOK_RIGS).join(", ")}, not ${name}`);
    const title = genre.replaceAll(/\W+/g, "-");
    const file = `${title}-${name}`;
    const stills = await stillsOf(await picturesOf(look, plan, known.rig, STILL), plan);
    const strip = await stripOf(song, plan, known, name);
    writeFileSync(join(out, `${file}.webp`), await sheetOf(strip, stills));
    if (!values.sheets && FILMED[genre] === name)
      await film(join(films, `${title}.mp4`), await picturesOf(look, plan, known.rig, FILM), plan);
    console.log(`${file}: ${plan.scheme}, ${stills.length} stills`);
  }
}

async function stillsOf(draw: DrawPictures, { sections = [] }: LightingPlan): Promise<Buffer[]> {
  const times = sections.map(({ start, end }) => start + Math.min(INTO.seconds, INTO.share * (end - start)));
  const stills: Buffer[] = [];
  for await (const picture of draw(times, new AbortController().signal)) {
    const { label, start } = sections[stills.length]!;
    const raw = { width: STILL.width, height: STILL.height, channels: 3 } as const;
    stills.push(
      await sharp(picture, { raw })
        .composite([caption(`${label} ${clock(start)}`)])
        .png()
        .toBuffer(),
    );
  }
  return stills;
}

function stripOf(
  song: BenchSong,
  plan: LightingPlan,
  { says, rig }: { readonly says: string; readonly rig: (typeof LOOK_BOOK_RIGS)[string]["rig"] },
  name: string,
): Promise<Buffer> {
  const truth: SongTruth = truthOfKnown({ ...song.truth, beatsPerBar: song.truth.beats_per_bar }, song.heard);
  const svg = drawShow(
    sourceOf(compileShow(plan, rig)),
    truth,
    stageOf(name, rig),
    `${song.genre}, ${says}: ${plan.scheme}`,
  );
  return sharp(Buffer.from(svg))
    .resize(COLUMNS * STILL.width)
    .png()
    .toBuffer();
}

async function sheetOf(strip: Buffer, stills: readonly Buffer[]): Promise<Buffer> {
  const { height: top } = await sharp(strip).metadata();
  const placed = stills.map((input, i) => ({
    input,
    left: (i % COLUMNS) * STILL.width,
    top: top + Math.floor(i / COLUMNS) * STILL.height,
  }));
  const width = COLUMNS * STILL.width;
  const height = top + Math.ceil(stills.length / COLUMNS) * STILL.height;
  return sharp({ create: { width, height, channels: 3, background: "#08080c" } })
    .composite([{ input: strip, left: 0, top: 0 }, ...placed])
    .webp({ quality: 72 })
    .toBuffer();
}

async function film(path: string, draw: DrawPictures, plan: LightingPlan): Promise<void> {
  const from = bestStart(plan, FILM.seconds);
  const count = Math.floor(Math.min(FILM.seconds, plan.duration - from) * FILM.fps);
  const stays = { audio: undefined, signal: new AbortController().signal, onDrawn: () => undefined };
  const attempt = `look-book-${process.pid}`;
  await writeFilm({ ...FILM, ...stays, ffmpeg: ffmpeg!, draw, path, attempt, type: "mp4", from, count });
}

function caption(text: string) {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${STILL.width}" height="24">` +
    `<text x="8" y="17" font-family="sans-serif" font-size="14" fill="#d8d8e0">${text}</text></svg>`;
  return { input: Buffer.from(svg), left: 0, top: 0 };
}

function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}
