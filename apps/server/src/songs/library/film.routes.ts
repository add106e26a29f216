import type { ServiceImpl } from "@connectrpc/connect";
import type { Rig } from "@followspot/contract";
import type { MusicService } from "@followspot/contract/music";
import { parsRig } from "@followspot/lighting";
import type { FilmShelf, ShelvedFilm } from "../film/film-shelf.ts";
import type { Sql } from "../../platform/database/database.ts";
import { conflict, invalid, notFound } from "../../platform/errors.ts";
import type { SongFiles } from "../catalog/song-files.ts";
import { findSong } from "../catalog/songs.store.ts";

/** Dependencies of film rendering. */
export interface FilmPorts {
  readonly shelf: FilmShelf;
  readonly rig: () => Promise<Rig>;
  /** Path of ffmpeg; undefined if it is not installed. */
  readonly ffmpeg: () => Promise<string | undefined>;
  /** Reason the stage cannot be rendered in 3D, as a clause; undefined if it can. */
  readonly lackOfStage: () => Promise<string | undefined>;
}

/** Longest film, and longest WebP, which needs no ffmpeg and is built in memory, s. */
const LONGEST = 600;
const LONGEST_WEBP = 60;
/** Number of fixtures in a film while none are patched. */
const DEMO_PARS = 8;
/** Tolerance for times that a page has rounded, s. */
const ROUNDING = 0.01;

const NO_VIDEO =
  "There is no ffmpeg on this server. Install it there, or name it with FOLLOWSPOT_FFMPEG; WebP needs none.";
const noStage = (lack: string) => `The stage cannot be drawn in 3D here: ${lack}. Flat needs neither.`;

/** Methods for films of the preview, which this server renders. */
export function filmMethods({ sql, files, films }: { sql: Sql; files: SongFiles; films: FilmPorts }) {
  const { shelf } = films;
  return {
    async listFilms() {
      const [made, ffmpeg, lack] = await Promise.all([shelf.films(), films.ffmpeg(), films.lackOfStage()]);
      return {
        films: made.map(toWire),
        noVideo: ffmpeg === undefined ? NO_VIDEO : "",
        noStage: lack === undefined ? "" : noStage(lack),
      };
    },

    async startFilm({ songId, from, to, type, size, look, sound }) {
      if (type !== "mp4" && type !== "webp") throw invalid("type must be mp4 or webp");
      if (look !== "flat" && look !== "3d") throw invalid("look must be flat or 3d");
      const song = await findSong(sql, songId);
      if (!song) throw notFound("Song", songId);
      const plan = await files.readPlan(songId, song.plan_number);
      if (!plan) throw conflict("This song has no show yet. Plan it first.");
      const longest = type === "webp" ? LONGEST_WEBP : LONGEST;
      if (to <= from || from >= plan.duration) throw invalid("A film begins within the song and ends after it begins.");
      const end = Math.min(to, plan.duration);
      if (end - from > longest + ROUNDING) throw invalid(`A film of this kind is at most ${longest} seconds long.`);
      if (sound && type === "webp") throw invalid("A WebP has no sound. Choose MP4, or leave the sound out.");
      if (type === "mp4" && (await films.ffmpeg()) === undefined) throw conflict(NO_VIDEO);
      const lack = look === "3d" ? await films.lackOfStage() : undefined;
      if (lack !== undefined) throw conflict(noStage(lack));
      const audio = sound ? await files.localCopy(songId, "audio.mp3") : undefined;
      if (sound && audio === undefined) throw conflict("This song has no sound. Leave it out.");
      const rig = await films.rig();
      const lit = rig.lights.length > 0 ? rig : parsRig(DEMO_PARS);
      const { title } = song;
      const film = await shelf.start({ songId, title, from, to: end, type, look, size, plan, rig: lit, audio });
      return { film: toWire(film) };
    },

    async cancelFilm({ filmId }) {
      await shelf.remove(filmId);
      return {};
    },
  } satisfies Partial<ServiceImpl<typeof MusicService>>;
}

const toWire = ({ saidAt: _saidAt, ...film }: ShelvedFilm) => ({
  ...film,
  url: film.state === "ready" ? `/api/films/${film.id}` : "",
});
