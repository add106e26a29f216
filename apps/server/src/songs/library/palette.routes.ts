import type { ServiceImpl } from "@connectrpc/connect";
import { LED_PALETTES, type PaletteMatch } from "@followspot/lighting";
import type { MusicService } from "@followspot/contract/music";
import { requireCaller } from "../../platform/caller.ts";
import type { Sql } from "../../platform/database/database.ts";
import { notFound } from "../../platform/errors.ts";
import type { SongFiles } from "../catalog/song-files.ts";
import { alternativesOf, choosePalette, parseHarmony, SongPalettes, type SongPalette } from "./song-palette.ts";
import { findSong, type SongRow } from "../catalog/songs.store.ts";

const USUAL_ALTERNATIVES = 10;

/** Methods for the colors of a song's show: extracted, harmonized and chosen. */
export function paletteMethods({ sql, files }: { readonly sql: Sql; readonly files: SongFiles }) {
  const palettes = new SongPalettes(sql, files);
  const requireSong = async (id: string): Promise<SongRow> => {
    const song = await findSong(sql, id);
    if (!song) throw notFound("Song", id);
    return song;
  };
  const answer = async (song: SongRow) => {
    const palette = await palettes.read(song);
    if (!palette)
      return { status: "pending", message: "The colours are known once the song has a cover or is analysed" };
    const from = palette.source === "cover" ? "its cover" : "what was heard";
    return { palette: toMessage(song, palette), status: "ready", message: `The colours come from ${from}` };
  };

  return {
    async getSongColorPalette({ songId }) {
      return answer(await requireSong(songId));
    },

    async regenerateColorPalette({ songId, harmonyType }, context) {
      const harmony = harmonyType ? parseHarmony(harmonyType) : undefined;
      const song = await choosePalette(sql, palettes, requireCaller(context), songId, (before) => ({
        harmony: harmony ?? before.harmony,
        selected: before.selected,
      }));
      return answer(song);
    },

    async getLEDPaletteAlternatives({ songId, limit }) {
      const palette = await palettes.read(await requireSong(songId));
      if (!palette) return { alternatives: [], currentSelection: "" };
      const alternatives = alternativesOf(palette, Math.min(limit || USUAL_ALTERNATIVES, LED_PALETTES.length));
      return { alternatives: alternatives.map(toMatch), currentSelection: palette.selected };
    },

    async selectLEDPalette({ songId, paletteId }, context) {
      const song = await choosePalette(sql, palettes, requireCaller(context), songId, ({ harmony }) => ({
        harmony,
        selected: paletteId,
      }));
      const { palette } = await answer(song);
      return { success: true, ...(palette && { palette }) };
    },
  } satisfies Partial<ServiceImpl<typeof MusicService>>;
}

function toMessage(song: SongRow, palette: SongPalette) {
  return {
    extractedColors: [...palette.extracted],
    harmonyColors: [...palette.harmonyColors],
    harmonyType: palette.harmony,
    ledMatches: palette.matches.map(toMatch),
    selectedPaletteId: palette.selected,
    aiKeyColors: [...palette.keyColors],
    musicalKey: song.musical_key,
    source: palette.source,
  };
}

function toMatch({ palette, match, diversity }: PaletteMatch) {
  return {
    paletteId: palette.id,
    name: palette.name,
    colors: [...palette.colors],
    matchScore: match,
    diversityScore: diversity,
  };
}
