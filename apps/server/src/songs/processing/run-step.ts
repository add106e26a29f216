import { readdir, rename, rm, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { FILE_IS_MISSING, type GrantedJob, type PlanInputs, type StepResult } from "@followspot/contract";
import { BUILT_IN, type Engines } from "../audio/engines/engine-choice.ts";
import { readTags, type Tags } from "../audio/read-tags.ts";
import { unreadable } from "../audio/audio-error.ts";
import { SNIFF_BYTES, sniffAudio, unsupportedKind } from "../audio/sniff-audio.ts";
import { freeBytes, isDiskFull } from "../../platform/files/disk.ts";
import { readHead } from "../../platform/http/read-head.ts";
import { CoverError, fetchCover } from "./cover-site.ts";
import { COVER_FILES, readCoverColors, writeCover } from "../catalog/song-cover.ts";
import { attemptMark, removeTemporary } from "../catalog/song-files.ts";
import type { RunStep } from "./song-worker.ts";
import { noRoom, StepError, WaitError } from "./step-error.ts";
import type { PublicSite } from "./public-fetch.ts";
import { isSource } from "../catalog/step-files.ts";
import { StepThreads } from "./step-threads.ts";
import { removeParts } from "./download-parts.ts";
import { httpProxyOf } from "./downloader/link-access.ts";
import { oneLine } from "./downloader/site-faults.ts";
import { fetchSound, findPage } from "./link-file.ts";
import { parseLink, refuseLink } from "./video-link.ts";
import { downloadVideo, type Video, type VideoSiteSettings } from "./video-site.ts";
import type { Workplace, Workplaces } from "./workplace.ts";

export interface StepPorts {
  readonly places: Workplaces;
  readonly ffmpeg: string | undefined;
  readonly stems: boolean;
  /**
   * Returns the current engines, because an engine that turns out not to run is replaced. The built-in ones if absent.
   */
  readonly engines?: () => Engines;
  readonly videoSite: VideoSiteSettings;
  readonly warn: (message: string) => void;
}

type Report = Parameters<RunStep>[1];

/** Share of the download in its step; the rest is the encoding of audio.mp3. */
const DOWNLOAD_SHARE = 0.6;
/** Share of fetching the downloader, within the download. */
const FETCH_SHARE = 0.1;
/** Disk space for analyses, plans and covers, bytes. */
const SMALL_BYTES = 8e6;
/** Disk space for a link, whose size is unknown, bytes. */
const LINK_BYTES = 64e6;
/** Size of four stem files of 192 kbit/s, bytes per second. */
const STEM_BYTES_PER_SECOND = 4 * 24_000;
/** Age of the last write after which unfinished stems count as abandoned, ms; an engine may add its timeout. */
const DEAD_STEMS_MS = 60_000;

/**
 * Returns the bytes that a step needs after it failed for lack of disk space, 0 if unknown; undefined for other errors.
 */
function wantedRoom(error: unknown): number | undefined {
  if (error instanceof WaitError && error.wait.kind === "room") return error.wait.bytes;
  return isDiskFull(error) ? 0 : undefined;
}

/** Returns the function that runs every step. CPU work runs in a thread, so that heartbeats continue. */
export function createStepRunner(ports: StepPorts): RunStep {
  const threads = new StepThreads();
  /** Stem steps running on this worker; they are stopped when songs need disk space. */
  const stemsAtWork = new Set<{ readonly stop: () => void; readonly ended: Promise<unknown> }>();
  const { testSite, lookUp, access } = ports.videoSite;
  /** Access for files that this worker fetches without yt-dlp. */
  const site: PublicSite = { testSite, ...(lookUp && { lookUp }), proxy: httpProxyOf(access) };
  return (job, report) =>
    runCleanly(job, report).catch(async (error: unknown) => {
      if (job.step === "stems" || wantedRoom(error) === undefined || report.signal.aborted) throw error;
      const isCleared = await clearStems();
      // A plan is small: stems that have just ended may have left enough space for it.
      if (!isCleared && job.step !== "lighting") throw error;
      return runCleanly(job, report);
    });

  async function runCleanly(job: GrantedJob, report: Report): Promise<StepResult> {
    let place: Workplace | undefined;
    try {
      place = await ports.places.open(job, report.signal);
      const result = await (job.step === "stems" ? runStems : runStep)(job, place.folder, report);
      await place.keep();
      return result;
    } catch (error) {
      // The next attempt continues a partial download.
      if (job.step === "download" && !report.signal.aborted) await place?.keep().catch(() => undefined);
      const wanted = wantedRoom(error);
      if (wanted === undefined || report.signal.aborted) throw error;
      throw noRoom(Math.max(wanted, await roomFor(job, place?.folder)));
    } finally {
      // Partial files of interrupted attempts are useless. After a lost lease only those of this attempt are removed,
      // because another worker may be running the same step.
      const mark = report.signal.aborted ? attemptMark(job.step, job.attempt) : attemptMark(job.step);
      if (place) await removeTemporary(place.folder, mark);
      await place?.close();
    }
  }

  /** Runs the stems step only if there is disk space for the stems and for the plans of new songs. */
  async function runStems(job: GrantedJob, folder: string, report: Report): Promise<StepResult> {
    const room = await roomFor(job, folder);
    if ((await freeBytes(folder)) < room) throw noRoom(room);
    const stopping = new AbortController();
    const signal = AbortSignal.any([report.signal, stopping.signal]);
    const running = runStep(job, folder, { ...report, signal });
    const atWork = { stop: () => stopping.abort(noRoom()), ended: running.catch(() => undefined) };
    stemsAtWork.add(atWork);
    return running.finally(() => stemsAtWork.delete(atWork));
  }

  /** Deletes unfinished stems: those of this worker, whose steps then wait for space, and those of crashed workers. */
  async function clearStems(): Promise<boolean> {
    const stopped = [...stemsAtWork];
    for (const { stop } of stopped) stop();
    await Promise.all(stopped.map(({ ended }) => ended));
    const { stems, timeoutMs } = ports.engines?.() ?? BUILT_IN;
    const silentMs = DEAD_STEMS_MS + (stems.kind === "built-in" ? 0 : timeoutMs);
    const removed = await ports.places.removeDead(attemptMark("stems"), silentMs);
    return stopped.length > 0 || removed > 0;
  }

  /** Returns the free bytes a step should have before it is retried. */
  async function roomFor({ step, url, duration = 0 }: GrantedJob, folder: string | undefined): Promise<number> {
    switch (step) {
      case "download": {
        if (url) return LINK_BYTES;
        const source = folder && (await findSource(folder).catch(() => undefined));
        return SMALL_BYTES + (source ? await sizeOf(source) : 0);
      }
      case "stems":
        return SMALL_BYTES + 2 * STEM_BYTES_PER_SECOND * duration;
      case "analysis":
      case "lighting":
        return SMALL_BYTES;
      default:
        return step satisfies never;
    }
  }

  async function runStep(job: GrantedJob, folder: string, report: Report): Promise<StepResult> {
    const attempt = `${job.step}-${job.attempt}`;
    const engines = ports.engines?.() ?? BUILT_IN;
    const task = { folder, attempt, songId: job.song_id, ffmpeg: ports.ffmpeg, engines };
    switch (job.step) {
      case "download": {
        const video = job.url ? await fetchLinked(job, folder, report) : undefined;
        const source = await findSource(folder);
        const told = video ?? (await readTags(source, report.signal));
        const has_cover = await makeCover(told, job, folder, report.signal);
        const from = job.url ? DOWNLOAD_SHARE : 0;
        const made = await threads.run({ kind: "prepare", source, ...task }, scaled(report, from));
        return { ...made, title: oneLine(told.title), artist: oneLine(told.artist), has_cover };
      }
      case "analysis":
        return { ...(await threads.run({ kind: "analyse", ...task }, report)), wants_stems: ports.stems };
      case "stems":
        return threads.run({ kind: "stems", ...task }, report);
      case "lighting":
        return threads.run(
          { kind: "plan", inputs: inputsOf(job), cover: await readCoverColors(folder), ...task },
          report,
        );
      default:
        return job.step satisfies never;
    }
  }

  /** Stores a cover from the site or the audio file. A missing cover is not an error. */
  async function makeCover(from: Video | Tags, job: GrantedJob, folder: string, signal: AbortSignal): Promise<boolean> {
    try {
      const sent = "cover" in from ? from.cover : await siteCover(from, signal);
      if (sent) await writeCover(sent, folder, `${job.step}-${job.attempt}`);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const cause = error instanceof CoverError && error.cause ? ` (${String(error.cause)})` : "";
      ports.warn(`no cover for ${job.song_id}: ${(error as Error).message}${cause}`);
    }
    return (await readdir(folder)).includes(COVER_FILES.large);
  }

  function siteCover({ coverAddress }: Video, signal: AbortSignal): Promise<Uint8Array> | undefined {
    return coverAddress ? fetchCover(coverAddress, site, signal) : undefined;
  }

  /**
   * Downloads the original of a linked song.
   * @returns metadata from the site; undefined if only the file contains it
   */
  async function fetchLinked(job: GrantedJob, folder: string, report: Report): Promise<Video | undefined> {
    const { sites = [] } = ports.videoSite;
    const link = parseLink(job.url, sites);
    if (!link) throw new StepError(refuseLink(job.url));
    switch (link.kind) {
      case "video":
        return fetchVideo(link.url, job, folder, report);
      case "page":
        return fetchVideo(await findPage(link.url, sites, site, report.signal), job, folder, report);
      case "file": {
        const partial = join(folder, `file${attemptMark(job.step, job.attempt)}`);
        await fetchSound(link.url, partial, site, {
          signal: report.signal,
          onProgress: (share) => report.onProgress(share * DOWNLOAD_SHARE, "downloading"),
        });
        const head = await readHead(partial, SNIFF_BYTES);
        const format = sniffAudio(head);
        if (!format) throw new StepError(unsupportedKind(head) === undefined ? NO_SOUND : unreadable(head).message);
        await putSource(folder, partial, `.${format}`);
        return undefined;
      }
      default:
        return link satisfies never;
    }
  }

  async function fetchVideo(url: string, job: GrantedJob, folder: string, report: Report): Promise<Video> {
    let from = 0;
    const attempt = { songFolder: folder, number: job.attempt };
    const video = await downloadVideo(url, attempt, ports.videoSite, {
      signal: report.signal,
      onProgress: (share, what) => {
        if (what === "fetching") {
          from = FETCH_SHARE;
          report.onProgress(Math.max(0.01, share * from), `fetching the downloader ${Math.round(share * 100)} %`);
        } else report.onProgress(from + share * (DOWNLOAD_SHARE - from), "downloading");
      },
    });
    await putSource(folder, video.path, extname(video.path).toLowerCase());
    await removeParts(folder);
    return video;
  }
}

function inputsOf({ job_id, plan }: GrantedJob): PlanInputs {
  if (!plan) throw new Error(`job ${job_id} was granted without what to plan from`);
  return plan;
}

const NO_SOUND =
  "What this link leads to is no sound we can read. Take the link of an MP3, OGG, FLAC, M4A or WAV, or upload the file.";

async function findSource(folder: string): Promise<string> {
  const name = (await readdir(folder)).find(isSource);
  if (!name) throw new StepError(`${FILE_IS_MISSING} Upload it again: the song gets it back, and is started again.`);
  return join(folder, name);
}

const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    () => 0, // deleted meanwhile
  );

/** Makes the downloaded file the song's original. */
async function putSource(folder: string, path: string, extension: string): Promise<void> {
  for (const name of await readdir(folder)) if (isSource(name)) await rm(join(folder, name), { force: true });
  await rename(path, join(folder, `source${extension}`));
}

function scaled(report: Report, from: number): Report {
  return { signal: report.signal, onProgress: (share, note) => report.onProgress(from + share * (1 - from), note) };
}
