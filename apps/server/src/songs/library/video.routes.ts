import type { ServiceImpl } from "@connectrpc/connect";
import type { DownloaderState, FoundVideo, VideosRequest } from "@followspot/contract";
import type { MusicService } from "@followspot/contract/music";
import type { Sql } from "../../platform/database/database.ts";
import { invalid, unavailable } from "../../platform/errors.ts";
import { ageInDays, compareVersions, releaseDay } from "../processing/downloader/version.ts";
import type { FindVideos } from "./find-videos.ts";
import { songsOfVideos } from "../catalog/songs.store.ts";
import { parsePlaylistLink, videoUrl } from "../processing/video-link.ts";

/** Access to the video site through the workers. */
export interface VideoPorts {
  readonly find: (request: VideosRequest) => ReturnType<FindVideos["find"]>;
  /** Returns one entry for each live worker, on this and other machines. */
  readonly downloaders: () => readonly WorkerDownloader[] | Promise<readonly WorkerDownloader[]>;
}

export interface WorkerDownloader {
  readonly id: string;
  /** Undefined for a worker of an older release, which does not report it. */
  readonly downloader?: DownloaderState | undefined;
}

const MOST_HITS = 20;
const MOST_ENTRIES = 200;
const NO_WORKER = "No worker is running, so songs wait until one is. Start it with npm start.";

/** Methods for search, playlists and the state of the downloader. */
export function videoMethods(
  sql: Sql,
  videos: VideoPorts | undefined,
): Pick<ServiceImpl<typeof MusicService>, "searchYoutube" | "listVideoPlaylist" | "getDownloader"> {
  const find: VideoPorts["find"] = (request) => {
    if (!videos) throw unavailable(NO_WORKER);
    return videos.find(request);
  };
  const toHits = async (found: readonly FoundVideo[]) => {
    const known = await songsOfVideos(
      sql,
      found.map(({ ytid }) => ytid),
    );
    return found.map((video) => ({ ...video, url: videoUrl(video.ytid), songId: known.get(video.ytid) ?? "" }));
  };
  return {
    async searchYoutube({ query, limit }) {
      const words = query.replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
      if (!words) throw invalid("Type what to search for");
      const { videos: found } = await find({ kind: "search", words, limit: Math.min(limit || 10, MOST_HITS) });
      return { hits: await toHits(found) };
    },
    async listVideoPlaylist({ url }) {
      const id = parsePlaylistLink(url);
      if (!id) throw invalid("This is no link to a playlist others may see");
      const { title, videos: found, left_out, is_cut } = await find({ kind: "playlist", id, limit: MOST_ENTRIES });
      return { title, hits: await toHits(found), leftOut: left_out, isCut: is_cut };
    },
    async getDownloader() {
      const workers = (await videos?.downloaders()) ?? [];
      return {
        downloaders: workers.map(({ id, downloader }) => ({
          worker: id,
          version: downloader?.version ?? "",
          released: releaseDay(downloader?.version ?? ""),
          ageDays: ageInDays(downloader?.version ?? "", Date.now()),
          source: downloader?.source ?? "",
          problem: downloader?.problem ?? "",
          ...(typeof downloader?.fetching === "number" && { fetchingPercent: downloader.fetching }),
        })),
        problem: problemOf(workers),
      };
    },
  };
}

/**
 * Returns why a link could not be downloaded now. Any worker may get the job, so one failing downloader is reported.
 */
export function problemOf(workers: readonly WorkerDownloader[]): string {
  if (workers.length === 0) return NO_WORKER;
  return workers.find(({ downloader }) => downloader?.problem)?.downloader?.problem ?? "";
}

/** Summarizes for monitoring: number of workers and the oldest of their downloaders. */
export function describeDownloaders(workers: readonly WorkerDownloader[]): object {
  const versions = workers.flatMap(({ downloader }) => (downloader?.version ? [downloader.version] : []));
  const version = versions.toSorted(compareVersions)[0] ?? "";
  const age_days = version ? ageInDays(version, Date.now()) : null;
  return { workers: workers.length, downloader: { version, age_days, problem: problemOf(workers) } };
}
