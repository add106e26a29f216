import { create } from "@bufbuild/protobuf";
import type { ConnectRouter } from "@connectrpc/connect";
import type { SongStep } from "@followspot/contract";
import { AddSongFromYoutubeResponseSchema, MusicService } from "@followspot/contract/music";
import { audit } from "../platform/audit.ts";
import { requireCaller } from "../platform/caller.ts";
import type { Sql } from "../platform/database.ts";
import { invalid, notFound } from "../platform/errors.ts";
import { postEvent } from "../platform/outbox.ts";
import { cutPage, pageRequest } from "../platform/pages.ts";
import { timestampOf } from "../platform/timestamps.ts";
import { describeFit, parseCorrections, readHeard, saveCorrections } from "./correct-song.ts";
import { importDetails, importLink } from "./import-song.ts";
import { cancelSong, retrySong } from "./retry-song.ts";
import { findCorrections } from "./song-corrections.store.ts";
import { cancelSteps } from "./song-jobs.ts";
import type { SongFiles } from "./song-files.ts";
import { announceSong, findSong, listSongs, songFromRow, type SongRow } from "./songs.store.ts";

export interface MusicPorts {
  readonly sql: Sql;
  readonly files: SongFiles;
}

/** MusicService over the song line. Palettes, search and playlists answer `unimplemented` so far. */
export function musicRoutes({ sql, files }: MusicPorts) {
  const songOr404 = async (id: string): Promise<SongRow> => {
    const song = await findSong(sql, id);
    if (!song) throw notFound("Song", id);
    return song;
  };

  return (router: ConnectRouter) =>
    router.service(MusicService, {
      async listSongs(request) {
        const page = { ...pageRequest(request, 1), onlyDownloaded: request.onlyDownloaded, status: request.filter };
        const { rows, ...rest } = cutPage(await listSongs(sql, page), page.size, (song) => [song.id]);
        return { songs: rows.map(songFromRow), ...rest };
      },
      async getSong({ songId }) {
        return { song: songFromRow(await songOr404(songId)) };
      },
      async createSong(request, context) {
        const song = await importDetails(sql, request, request.ytid, request.url);
        await audit(sql, requireCaller(context), "song.create", `song:${song.id}`, { after: { url: song.url } });
        return { song: songFromRow(song) };
      },
      async updateSong({ songId, title, artist }, context) {
        const caller = requireCaller(context);
        if (title !== undefined && !title.trim()) throw invalid("Title is required");
        const before = await songOr404(songId);
        await sql.begin(async (tx) => {
          await tx`
            update songs set title = ${title?.trim() ?? before.title}, artist = ${artist?.trim() ?? before.artist}, updated_at = now()
            where id = ${songId}`;
          const { title: oldTitle, artist: oldArtist } = before;
          await audit(tx, caller, "song.update", `song:${songId}`, {
            before: { title: oldTitle, artist: oldArtist },
            after: { title, artist },
          });
          await announceSong(tx, songId);
        });
        return { song: songFromRow(await songOr404(songId)) };
      },
      async deleteSong({ songId }, context) {
        const caller = requireCaller(context);
        await sql.begin(async (tx) => {
          await cancelSteps(tx, songId);
          const [gone] = await tx`delete from songs where id = ${songId} returning title`;
          if (!gone) throw notFound("Song", songId);
          await audit(tx, caller, "song.delete", `song:${songId}`, { before: { title: gone.title } });
          await postEvent(tx, "songs", "song.deleted", { song_id: songId });
          await postEvent(tx, `song.${songId}`, "song.deleted", { song_id: songId });
        });
        await files.remove(songId);
        return { success: true };
      },
      async addSongFromYoutube({ url }, context) {
        const { song, isNew } = await importLink(sql, url);
        if (isNew)
          await audit(sql, requireCaller(context), "song.create", `song:${song.id}`, { after: { url: song.url } });
        return create(AddSongFromYoutubeResponseSchema, {
          song: songFromRow(song),
          status: isNew ? "created" : "existing",
          message: isNew ? "The download has started" : `This video is here already as "${song.title}"`,
        });
      },
      async retrySong({ songId, step }, context) {
        // The proto rule has checked that step is one of the three.
        const song = await retrySong(sql, songId, step as SongStep);
        await audit(sql, requireCaller(context), "song.retry", `song:${songId}`, { after: { step } });
        return { song: songFromRow(song) };
      },
      async cancelSong({ songId }, context) {
        const song = await cancelSong(sql, songId);
        await audit(sql, requireCaller(context), "song.cancel", `song:${songId}`);
        return { song: songFromRow(song) };
      },
      async getSongProcessingStatus({ songId }) {
        const song = await songOr404(songId);
        const [job] = await sql`
          select attempt from song_jobs where song_id = ${songId} order by created_at desc limit 1`;
        return {
          analysisStatus: song.analysis_status,
          lightingStatus: song.lighting_status,
          stemsGenerated: song.stems_generated,
          errorMessage: song.error_message,
          step: song.step ?? "",
          percent: Math.round((song.progress ?? 0) * 100),
          attempt: job?.attempt ?? 0,
        };
      },
      async getSongCorrections({ songId }) {
        await songOr404(songId);
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
        const revision = await saveCorrections(sql, requireCaller(context), songId, corrections, madeOn);
        return { revision, song: songFromRow(await songOr404(songId)) };
      },
      async getSongLighting({ songId, forceRegenerate }, context) {
        let song = await songOr404(songId);
        if (forceRegenerate) {
          await sql`update songs set plan_seed = plan_seed + 1 where id = ${songId}`;
          song = await retrySong(sql, songId, "lighting");
          await audit(sql, requireCaller(context), "song.replan", `song:${songId}`);
        }
        const isReady = song.lighting_status === "ready";
        const plan = isReady ? await files.readJson(songId, "lighting.json") : undefined;
        return {
          lightingPlanJson: plan ? JSON.stringify(plan) : "",
          fromCache: plan !== undefined,
          status: song.lighting_status,
          message: song.error_message || (isReady ? "The plan is ready" : "The plan is being made"),
        };
      },
    });
}
