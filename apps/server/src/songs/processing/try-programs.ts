import { chosenEngines, type Engines } from "../audio/engines/engine-choice.ts";
import { tryEngines } from "../audio/engines/try-engines.ts";
import { tryFfmpeg } from "../audio/try-ffmpeg.ts";
import type { ProgramReport } from "../../platform/process/programs.ts";
import type { Settings } from "../../platform/settings.ts";
import type { Downloader } from "./downloader/downloader.ts";

/** Results of testing the helper programs of this machine once. */
export interface TriedPrograms {
  /** Path of ffmpeg if it works. Known within seconds, because the choice of the decoder depends on it. */
  readonly ffmpeg: Promise<string | undefined>;
  /** Engines to use for songs; a slow engine takes up to two minutes to test. */
  readonly engines: Promise<Engines>;
  /** Reports of all tested programs. */
  readonly reports: Promise<readonly ProgramReport[]>;
}

/**
 * Tests ffmpeg, yt-dlp and the configured engines in parallel. None of them can end a worker: a program that does not
 * run is reported, and the built-in alternative is used.
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

/** Handles a failure of the test itself, for example on a full disk, which must not end a worker. */
function untried(name: string): (error: unknown) => ProgramReport {
  return (error) => ({
    ...{ name, path: "", version: "", works: false },
    why: `it could not be tried: ${error instanceof Error ? error.message : String(error)}`,
  });
}
