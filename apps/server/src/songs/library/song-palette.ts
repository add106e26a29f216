import { songAnalysisSchema, type SongAnalysis } from "@followspot/contract";
import {
  chooseAlternatives,
  colorsOfAnalysis,
  extractColors,
  HARMONIES,
  harmonise,
  hasHue,
  keyColors,
  LED_PALETTES,
  matchPalettes,
  type Harmony,
  type PaletteMatch,
} from "@followspot/lighting";
import type { Caller } from "../../platform/caller.ts";
import { change, done } from "../../platform/database/change.ts";
import type { Db, Sql, Tx } from "../../platform/database/database.ts";
import { invalid, notFound } from "../../platform/errors.ts";
import { readCorrected } from "./correct-song.ts";
import { COVER_FILES, coverPixels } from "../catalog/song-cover.ts";
import type { SongFiles } from "../catalog/song-files.ts";
import { cancelSteps, startStep } from "../processing/song-jobs.ts";
import {
  AUTOMATIC,
  findPaletteChoice,
  HARMONY,
  storePaletteChoice,
  type PaletteChoice,
} from "../catalog/song-palettes.store.ts";
import { findSong, lockSong, songEntry, type SongRow } from "../catalog/songs.store.ts";

const MOST_EXTRACTED = 5;
const MOST_MATCHES = 6;
/** Number of colors the planner accepts: base, second and contrast. */
const PLAN_COLORS = 3;
/** Most covers whose colors are cached. */
const MOST_KEPT = 500;

/** Colors of one song, their sources and the matching palettes. */
export interface SongPalette {
  /** Colors as #rrggbb, most significant first. */
  readonly extracted: readonly string[];
  /** Colors that palettes are compared with: those with a hue, or colors from the analysis if there are none. */
  readonly toMatch: readonly string[];
  readonly source: "cover" | "analysis";
  readonly harmony: Harmony;
  readonly harmonyColors: readonly string[];
  /** The best matches in the library, and the chosen one wherever it ranks. */
  readonly matches: readonly PaletteMatch[];
  readonly selected: string;
  readonly keyColors: readonly string[];
}

/** Computes a song's colors from its cover, or from its analysis if it has no cover. */
export class SongPalettes {
  readonly #db: Db;
  readonly #files: SongFiles;
  /** Colors by cover file and etag, so that each cover is processed once. */
  readonly #seen = new Map<string, readonly string[]>();

  constructor(db: Db, files: SongFiles) {
    this.#db = db;
    this.#files = files;
  }

  /**
   * @param db transaction of the caller, if any: the caller holds a connection already, and waiting for a second one
   * could deadlock
   * @returns undefined while the song has neither a cover nor an analysis
   */
  async read(song: SongRow, choice?: PaletteChoice, db: Db = this.#db): Promise<SongPalette | undefined> {
    const { harmony, selected } = choice ?? (await findPaletteChoice(db, song.id));
    const ofCover = song.has_cover ? await this.#coverColors(song.id) : [];
    const analysis = ofCover.some(hasHue) ? undefined : await this.#analysis(song, db);
    // A gray cover contains no hue, so the colors come from the analysis.
    const toMatch = analysis ? colorsOfAnalysis(analysis) : ofCover.filter(hasHue);
    const [base] = toMatch;
    if (base === undefined) return undefined;
    const harmonyColors = harmonise(base, harmony);
    const matches = matchPalettes(toMatch, LED_PALETTES);
    const offered = matches.slice(0, MOST_MATCHES);
    const chosen = matches.find(({ palette }) => palette.id === selected);
    return {
      extracted: ofCover.length > 0 ? ofCover : toMatch,
      toMatch,
      source: ofCover.length > 0 ? "cover" : "analysis",
      harmony,
      harmonyColors,
      matches: chosen && !offered.includes(chosen) ? [...offered, chosen] : offered,
      selected,
      keyColors: keyColors(song.musical_key),
    };
  }

  async #coverColors(songId: string): Promise<readonly string[]> {
    const found = await this.#files.stat(songId, COVER_FILES.large);
    if (!found) return [];
    const key = `${songId} ${found.etag}`;
    const known = this.#seen.get(key);
    if (known) return known;
    const path = await this.#files.localCopy(songId, COVER_FILES.large);
    const pixels = path === undefined ? undefined : await coverPixels(path);
    const colors = pixels ? extractColors(pixels, MOST_EXTRACTED) : [];
    if (this.#seen.size >= MOST_KEPT) this.#seen.clear();
    this.#seen.set(key, colors);
    return colors;
  }

  async #analysis(song: SongRow, db: Db): Promise<SongAnalysis | undefined> {
    if (song.analysis_status !== "ready") return undefined;
    return songAnalysisSchema.safeParse(await readCorrected(db, this.#files, song.id)).data;
  }
}

/** Returns other palettes of the library for this song, diverse ones, without the chosen one. */
export function alternativesOf({ toMatch, selected }: SongPalette, limit: number): PaletteMatch[] {
  const others = matchPalettes(toMatch, LED_PALETTES).filter(({ palette }) => palette.id !== selected);
  return chooseAlternatives(others, limit);
}

/** @throws invalid_argument if the text is not a harmony */
export function parseHarmony(text: string): Harmony {
  const harmony = HARMONIES.find((known) => known === text);
  if (!harmony) throw invalid(`harmonyType: must be one of ${HARMONIES.join(", ")}`);
  return harmony;
}

/**
 * Stores the colors of a song's show, and queues planning if the colors changed. The same choice again changes nothing.
 *
 * @param next computes the choice from the previous one, while the song is locked
 * @throws invalid_argument if there are no colors to choose yet
 */
export async function choosePalette(
  sql: Sql,
  palettes: SongPalettes,
  caller: Caller,
  songId: string,
  next: (before: PaletteChoice) => Pick<PaletteChoice, "harmony" | "selected">,
): Promise<SongRow> {
  // Fills the cache before the song is locked, because a cover may take a moment.
  const song = await findSong(sql, songId);
  if (song) await palettes.read(song);
  return change(sql, caller, async (tx) => {
    const held = await lockSong(tx, songId);
    if (!held) throw notFound("Song", songId);
    const before = await findPaletteChoice(tx, songId);
    const { harmony, selected } = next(before);
    const palette = await palettes.read(held, { harmony, selected, colors: [] }, tx);
    const colors = colorsOf(selected, palette?.harmonyColors ?? []);
    if (harmony === before.harmony && selected === before.selected && colors.join() === before.colors.join())
      return done(held);
    await storePaletteChoice(tx, songId, { harmony, selected, colors });
    if (colors.join() !== before.colors.join()) await planAgain(tx, held, caller);
    const after = (await findSong(tx, songId)) ?? held;
    const kept = (choice: Pick<PaletteChoice, "harmony" | "selected">) => ({
      harmony: choice.harmony,
      palette: choice.selected,
    });
    return done(after, songEntry(after, "recoloured", { before: kept(before), after: kept({ harmony, selected }) }));
  });
}

function colorsOf(selected: string, harmonyColors: readonly string[]): readonly string[] {
  if (selected === AUTOMATIC) return [];
  if (selected === HARMONY) {
    if (harmonyColors.length === 0) throw invalid("This song has neither a cover nor an analysis yet. Choose later.");
    return harmonyColors.slice(0, PLAN_COLORS);
  }
  const palette = LED_PALETTES.find(({ id }) => id === selected);
  if (!palette) throw invalid(`paletteId: there is no palette "${selected}". Ask for alternatives and choose one.`);
  return palette.colors.slice(0, PLAN_COLORS);
}

/**
 * Cancels a plan in progress with the old colors. A song that is not analyzed yet gets the colors with its first plan.
 */
async function planAgain(tx: Tx, song: SongRow, { userId }: Caller): Promise<void> {
  if (song.analysis_status !== "ready") return;
  await cancelSteps(tx, song.id, ["lighting"]);
  await startStep(tx, song.id, "lighting", userId);
}
