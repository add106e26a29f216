import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { ConnectRouter } from "@connectrpc/connect";
import type { SongStep } from "@followspot/contract";
import { AddSongFromYoutubeResponseSchema, MusicService, type SongStepRunSchema } from "@followspot/contract/music";
import { requireCaller } from "../../platform/caller.ts";
import { change, done } from "../../platform/database/change.ts";
import type { Sql } from "../../platform/database/database.ts";
import { invalid, notFound } from "../../platform/errors.ts";
import { requireUnchanged } from "../../platform/database/if-unchanged.ts";
import { mapInSlices } from "../../platform/http/in-slices.ts";
import { countRows, listQueryOf, readPage } from "../../platform/database/lists.ts";
import { timestampOf } from "../../platform/database/timestamps.ts";
import { DEMO_SONGS, isDemoSong } from "../demo-songs/demo-songs.ts";
import { createDemoAdder } from "./add-demo-song.ts";
import { cancelSong, deleteSong, restoreSong, retrySong } from "./change-song.ts";
import { describeFit, parseCorrections, readHeard, saveCorrections } from "./correct-song.ts";
import { importDetails, importLink } from "./import-song.ts";
import { findCorrections } from "../catalog/song-corrections.store.ts";
import { lookMethods } from "./look.routes.ts";
import { filmMethods, type FilmPorts } from "./film.routes.ts";
import { paletteMethods } from "./palette.routes.ts";
import { playlistMethods } from "../queue/playlist.routes.ts";
import { queueMethods } from "../queue/queue.routes.ts";
import { requestMethods } from "./request.routes.ts";
import { replanSong } from "./show-wishes.ts";
import { showMethods } from "./show.routes.ts";
import { planName, type SongFiles } from "../catalog/song-files.ts";
import type { SongSounds } from "../catalog/song-sounds.ts";
import { latestAttempt, listStepRuns, type StepRunRow } from "../processing/song-jobs.store.ts";
import {
  findSong,
  listSongs,
  lockSong,
  SONG_LIST,
  songEntry,
  songFromRow,
  songsOf,
  updateSong,
  type SongRow,
} from "../catalog/songs.store.ts";
import { videoMethods, type VideoPorts } from "./video.routes.ts";

export interface MusicPorts {
  readonly sql: Sql;
  readonly files: SongFiles;
  readonly sounds: Pick<SongSounds, "of">;
  /** Called after the show queue changed, so that the stage and the player read it immediately. */
  readonly onQueue: () => void;
  /** Hosts whose links are accepted in addition to the video site's. */
  readonly linkSites?: readonly string[];
  readonly films: FilmPorts;
  /** Called with each imported song. */
  readonly onImported?: ((songId: string) => void) | undefined;
  /** Undefined without workers to ask. */
  readonly videos?: VideoPorts;
}

/** Most steps of a song in one response. */
const SHOWN_STEPS = 50;

/** MusicService: the song pipeline here, other resources in files of their own. */
export function musicRoutes(ports: MusicPorts) {
  const { sql, files, sounds, onQueue, films, linkSites = [], videos, onImported = () => {} } = ports;
  const requireSong = async (id: string): Promise<SongRow> => {
    const song = await findSong(sql, id);
    if (!song) throw notFound("Song", id);
    return song;
  };

  const addDemo = createDemoAdder({ sql, files });

  return (router: ConnectRouter) =>
    router.service(MusicService, {
      ...paletteMethods({ sql, files }),
      ...playlistMethods({ sql }),
      ...queueMethods({ sql, sounds, onQueue }),
      ...requestMethods({ sql, linkSites, onImported }),
      ...showMethods({ sql, files }),
      ...lookMethods({ sql }),
      ...filmMethods({ sql, files, films }),
      ...videoMethods(sql, videos),
      async addDemoSong({ song }, context) {
        const name = song || "house";
        if (!isDemoSong(name)) throw invalid(`song must be one of ${Object.keys(DEMO_SONGS).join(", ")}`);
        return { song: songFromRow(await addDemo(requireCaller(context), name)) };
      },
      async listSongs(request) {
        const query = listQueryOf(request);
        if (query) {
          const scope = songsOf(sql, request.onlyDownloaded);
          const { rows, nextPageToken } = await readPage<SongRow>(sql, SONG_LIST, query, scope);
          return { songs: rows.map(songFromRow), nextPageToken };
        }
        const rows = await listSongs(sql, request.onlyDownloaded);
        return { songs: await mapInSlices(rows, songFromRow), totalSize: rows.length };
      },
      async countSongs({ query }) {
        return { counts: await countRows(sql, SONG_LIST, query, songsOf(sql, false)) };
      },
      async getSong({ songId }) {
        return { song: songFromRow(await requireSong(songId)) };
      },
      async createSong(request, context) {
        const { title, artist, duration, ytid, url } = request;
        const from = { ytid, url, sites: linkSites };
        const song = await importDetails(sql, requireCaller(context), { title, artist, duration }, from);
        onImported(song.id);
        return { song: songFromRow(song) };
      },
      async updateSong({ songId, title, artist, ifUpdatedAt }, context) {
        if (title !== undefined && !title.trim()) throw invalid("Title is required");
        const caller = requireCaller(context);
        const song = await change(sql, caller, async (tx) => {
          const before = await lockSong(tx, songId);
          if (!before) throw notFound("Song", songId);
          await requireUnchanged(tx, caller, { ...before, noun: "song", word: "song" }, ifUpdatedAt);
          await updateSong(tx, songId, {
            named_by_person: true,
            ...(title !== undefined && { title: title.trim() }),
            ...(artist !== undefined && { artist: artist.trim() }),
          });
          const after = (await findSong(tx, songId)) ?? before;
          const kept = ({ title, artist }: SongRow) => ({ title, artist });
          return done(after, songEntry(after, "updated", { before: kept(before), after: kept(after) }));
        });
        return { song: songFromRow(song) };
      },
      async deleteSong({ songId }, context) {
        await deleteSong(sql, requireCaller(context), songId);
        return { success: true };
      },
      async restoreSong({ songId }, context) {
        return { song: songFromRow(await restoreSong(sql, requireCaller(context), songId)) };
      },
      async addSongFromYoutube({ url }, context) {
        const { song, isNew } = await importLink(sql, requireCaller(context), url, linkSites);
        if (isNew) onImported(song.id);
        return create(AddSongFromYoutubeResponseSchema, {
          song: songFromRow(song),
          status: isNew ? "created" : "existing",
          message: isNew
            ? "The download has started"
            : `This ${song.ytid ? "video" : "link"} is here already as "${song.title}"`,
        });
      },
      async retrySong({ songId, step }, context) {
        // The proto rule has checked that step is one of the three.
        const song = await retrySong(sql, requireCaller(context), songId, step as SongStep);
        return { song: songFromRow(song) };
      },
      async cancelSong({ songId }, context) {
        return { song: songFromRow(await cancelSong(sql, requireCaller(context), songId)) };
      },
      async listSongSteps({ songId }) {
        await requireSong(songId);
        return { steps: (await listStepRuns(sql, songId, SHOWN_STEPS)).map(stepRunFromRow) };
      },
      async getSongProcessingStatus({ songId }) {
        const song = await requireSong(songId);
        return {
          analysisStatus: song.analysis_status,
          lightingStatus: song.lighting_status,
          stemsGenerated: song.stems_generated,
          errorMessage: song.error_message,
          step: song.step ?? "",
          percent: Math.round((song.progress ?? 0) * 100),
          attempt: await latestAttempt(sql, songId),
        };
      },
      async getSongCorrections({ songId }) {
        await requireSong(songId);
        const stored = await findCorrections(sql, songId);
        if (!stored) return { fits: true, message: "Nothing is corrected" };
        const [fits, message] = describeFit(await readHeard(files, songId), stored.corrections);
        return {
          correctionsJson: JSON.stringify(stored.corrections),
          revision: stored.revision,
          updatedAt: timestampOf(stored.updatedAt),
          fits,
          message,
        };
      },
      async saveSongCorrections({ songId, correctionsJson, revision: madeOn }, context) {
        const corrections = parseCorrections(correctionsJson);
        const { revision, song } = await saveCorrections(sql, requireCaller(context), songId, corrections, madeOn);
        return { revision, song: songFromRow(song) };
      },
      async getSongLighting({ songId, forceRegenerate }, context) {
        const song = forceRegenerate
          ? await replanSong(sql, requireCaller(context), songId)
          : await requireSong(songId);
        const isReady = song.lighting_status === "ready";
        const plan = isReady ? await files.readJson(songId, planName(song.plan_number)) : undefined;
        return {
          lightingPlanJson: plan ? JSON.stringify(plan) : "",
          fromCache: plan !== undefined,
          status: song.lighting_status,
          message: song.error_message || (isReady ? "The plan is ready" : "The plan is being made"),
        };
      },
    });
}

/** Converts a step to its wire format. */
function stepRunFromRow(row: StepRunRow): MessageInitShape<typeof SongStepRunSchema> {
  return {
    step: row.step,
    state: row.state,
    attempts: row.attempt,
    askedBy: row.asked_by_name ?? "",
    askedAt: timestampOf(row.created_at),
    ...(row.started_at && { startedAt: timestampOf(row.started_at) }),
    ...(row.ended_at && { endedAt: timestampOf(row.ended_at) }),
    reason: row.error,
    note: row.state === "queued" || row.state === "running" ? row.note : "",
  };
}
