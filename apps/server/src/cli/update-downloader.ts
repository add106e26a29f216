import { openDownloader } from "../songs/processing/downloader/open-downloader.ts";
import { ageInDays, releaseDay } from "../songs/processing/downloader/version.ts";
import type { Settings } from "../platform/settings.ts";

export interface UpdatedDownloader {
  readonly version: string;
  /** Release day of that version, YYYY-MM-DD. */
  readonly released: string;
  readonly age_days: number;
  readonly path: string;
  /** False if the latest release was already installed. */
  readonly changed: boolean;
}

/**
 * Downloads the latest yt-dlp into the data folder; workers use it from their next download on.
 *
 * @param say prints progress
 * @throws StepError with the reason if it is unavailable
 */
export async function updateDownloader(settings: Settings, say: (line: string) => void): Promise<UpdatedDownloader> {
  const downloader = openDownloader(settings, say);
  const { version: before } = await downloader.look();
  say("Asking for the latest yt-dlp…");
  let told = 0;
  const onFetch = (share: number) => {
    const percent = Math.floor(share * 10) * 10;
    if (percent <= told) return;
    told = percent;
    say(`fetching ${percent} %`);
  };
  const { version, path } = await downloader.update({ signal: new AbortController().signal, onFetch });
  const age_days = ageInDays(version, Date.now());
  return { version, released: releaseDay(version), age_days, path, changed: version !== before };
}
