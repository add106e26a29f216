import { chosenEngines, type Engines } from "../audio/engines/engine-choice.ts";
import { tryEngines } from "../audio/engines/try-engines.ts";
import { tryFfmpeg } from "../audio/try-ffmpeg.ts";
import type { ProgramReport } from "../platform/programs.ts";
import type { Settings } from "../platform/settings.ts";
import type { Downloader } from "./downloader/downloader.ts";

/** The helper programs of this machine, tried once. */
export interface TriedPrograms {
  /** ffmpeg when it works. Known within seconds: how songs are decoded hangs on it. */
  readonly ffmpeg: Promise<string | undefined>;
  /** The engines songs should ask; a slow one takes up to two minutes to be known. */
  readonly engines: Promise<Engines>;
  /** Everything that was tried. */
  readonly reports: Promise<readonly ProgramReport[]>;
}

/**
 * Try ffmpeg, yt-dlp and the engines the settings name, beside each other. None of them can end a
 * worker: what does not run is reported, and the built-in way is taken.
 */
export function tryPrograms(
  settings: Settings,
  downloader: Downloader,
  say: (report: ProgramReport) => void,
): TriedPrograms {
  const reported = <Report extends ProgramReport | undefined>(report: Report): Report => {
    if (report) say(report);
    return report;
  };
  const chosen = chosenEngines(settings);
  const ffmpeg = tryFfmpeg(settings).catch(untried("ffmpeg")).then(reported);
  const ytdlp = downloader.look().catch(untried("yt-dlp")).then(reported);
  const tried = tryEngines(chosen).catch((error: unknown) => ({
    reports: [untried("engines")(error)],
    engines: chosen,
  }));
  const engines = tried.then((found) => {
    found.reports.forEach(reported);
    return found.engines;
  });
  return {
    ffmpeg: ffmpeg.then((report) => (report?.works ? report.path : undefined)),
    engines,
    reports: Promise.all([ffmpeg, ytdlp, tried.then(({ reports }) => reports)]).then((all) =>
      all.flat().filter((report) => report !== undefined),
    ),
  };
}

/** Trying itself failed, as on a full disk: that is no reason to end a worker. */
function untried(name: string): (error: unknown) => ProgramReport {
  return (error) => ({
    ...{ name, path: "", version: "", works: false },
    why: `it could not be tried: ${error instanceof Error ? error.message : String(error)}`,
  });
}
