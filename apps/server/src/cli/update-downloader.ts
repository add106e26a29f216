import { openDownloader } from "../music/downloader/open-downloader.ts";
import { ageInDays, releaseDay } from "../music/downloader/version.ts";
import type { Settings } from "../platform/settings.ts";

export interface UpdatedDownloader {
  readonly version: string;
  /** The day of that version, YYYY-MM-DD. */
  readonly released: string;
  readonly age_days: number;
  readonly path: string;
  /** False when the latest was here already. */
  readonly changed: boolean;
}

/**
 * Fetch the latest yt-dlp into the data folder; workers on it take it for their next link.
 * @param say progress for people
 * @throws StepError that says why it cannot be had
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
