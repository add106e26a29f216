import { setGlobalProxyFromEnv } from "node:http";
import { join } from "node:path";
import type { Settings } from "../../../platform/settings.ts";
import { Downloader } from "./downloader.ts";
import { accessOf, httpProxyOf, NEAR } from "./link-access.ts";
import { OFFICIAL_RELEASES } from "./release.ts";

/**
 * Creates the downloader described by the settings, with fetched versions in the data folder. Sets the global proxy of
 * this process, so that its own requests use the proxy of the settings from now on.
 */
export function openDownloader(settings: Settings, warn: (message: string) => void): Downloader {
  const proxy = httpProxyOf(accessOf(settings));
  // A remote worker connects to its server directly; the proxy is for sites.
  const server = settings.FOLLOWSPOT_WORKER_SERVER ? [new URL(settings.FOLLOWSPOT_WORKER_SERVER).hostname] : [];
  const near = [NEAR, ...server].join(",");
  if (proxy !== undefined) setGlobalProxyFromEnv({ HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: near });
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
