import { join } from "node:path";
import type { Settings } from "../../platform/settings.ts";
import { Downloader } from "./downloader.ts";
import { OFFICIAL_RELEASES } from "./release.ts";

/** The downloader the settings describe, with what was fetched kept in the data folder. */
export function openDownloader(settings: Settings, warn: (message: string) => void): Downloader {
  const base = settings.FOLLOWSPOT_YTDLP_RELEASES ?? OFFICIAL_RELEASES;
  return new Downloader(
    {
      configured: settings.FOLLOWSPOT_YTDLP,
      floor: settings.FOLLOWSPOT_YTDLP_FLOOR,
      folder: join(settings.FOLLOWSPOT_DATA_DIR, "yt-dlp"),
      releases: base === "off" ? undefined : { base },
    },
    warn,
  );
}
