import { rm, stat } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { DownloaderState } from "@followspot/contract";
import { askProgram } from "../../audio/ask-program.ts";
import { isDiskFull } from "../../../platform/files/disk.ts";
import { findOnPath, type ProgramReport } from "../../../platform/process/programs.ts";
import { noRoom, StepError } from "../step-error.ts";
import { withFetchLock } from "./fetch-lock.ts";
import { KeptVersions } from "./kept-versions.ts";
import { fetchExecutable, latestVersion, ReleaseError, UnreachableError, type ReleaseSite } from "./release.ts";
import { compareVersions, newestFirst } from "./version.ts";

/** A yt-dlp executable that runs on this machine. */
export interface Program {
  readonly path: string;
  readonly version: string;
}

export interface DownloaderSettings {
  /** Path of the executable to use instead of any other. */
  readonly configured: string | undefined;
  /** Oldest accepted version, YYYY.MM.DD. */
  readonly floor: string;
  /** Folder for fetched versions. */
  readonly folder: string;
  /** Undefined if fetching is off. */
  readonly releases: ReleaseSite | undefined;
}

export interface FetchReport {
  readonly signal: AbortSignal;
  /** Receives the progress of a fetch, 0..1; never called if nothing needs to be fetched. */
  readonly onFetch: (share: number) => void;
}

interface Found {
  readonly program?: Program;
  readonly source: DownloaderState["source"];
  /** Why an existing executable is not used, as a sentence; "" if there is none or it is used. */
  readonly problem: string;
  readonly path: string;
}

/** Disk space for a release and its unpacked files, bytes. */
const EXECUTABLE_BYTES = 120_000_000;
const VERSION_MS = 30_000;
const DAY_MS = 24 * 3600_000;
/** Shortest interval between release checks after failed downloads, ms: a hundred failing songs check once. */
const ASK_AGAIN_MS = 10 * 60_000;
const NONE_YET: DownloaderState = { version: "", source: "none", problem: "", fetching: null };

/**
 * Provides yt-dlp to this worker: the executable named in the settings, else the newest version in PATH or among those
 * fetched before, else the official release. It is fetched at the first use and updated as it is used. A version in use
 * is never touched. Several processes may share the folder.
 */
export class Downloader {
  readonly #settings: DownloaderSettings;
  readonly #warn: (message: string) => void;
  readonly #kept: KeptVersions;
  readonly #closing = new AbortController();
  /** Versions that executables reported, by file identity and modification time. */
  readonly #probes = new Map<string, Promise<string | { readonly fault: string }>>();
  /** Number of running downloads per executable path. */
  readonly #holds = new Map<string, number>();
  readonly #hearers = new Set<(share: number) => void>();
  #fetching: Promise<Program> | undefined;
  #refreshing: Promise<void> | undefined;
  #state = NONE_YET;

  constructor(settings: DownloaderSettings, warn: (message: string) => void) {
    this.#settings = settings;
    this.#warn = warn;
    this.#kept = new KeptVersions(settings.folder);
  }

  get state(): DownloaderState {
    return this.#state;
  }

  /** Aborts a running fetch and waits until all writes have ended. */
  async close(): Promise<void> {
    this.#closing.abort(new Error("the worker stops"));
    await Promise.allSettled([this.#fetching, this.#refreshing]);
  }

  /** Reports the yt-dlp of this machine without fetching anything. */
  async look(): Promise<ProgramReport> {
    const { program, problem, path } = await this.#find();
    const why = program ? "" : problem || (this.#settings.releases ? FETCHED_LATER : NOT_HERE);
    return { name: "yt-dlp", path: program?.path ?? path, version: program?.version ?? "", works: !why, why };
  }

  /**
   * Runs work with yt-dlp, which is fetched first if it is missing. Afterwards checks for a newer version, once a day.
   * @throws StepError that explains how to install yt-dlp
   */
  async use<T>(report: FetchReport, work: (program: Program) => Promise<T>): Promise<T> {
    const { program, problem } = await this.#find();
    const chosen = program ?? (await this.#fetchMissing(problem, report));
    this.#holds.set(chosen.path, (this.#holds.get(chosen.path) ?? 0) + 1);
    try {
      return await work(chosen);
    } finally {
      this.#letGo(chosen.path);
      this.#refreshing ??= this.#refresh().finally(() => (this.#refreshing = undefined));
    }
  }

  /**
   * Returns a version newer than the one the site no longer supports; undefined if there is none or it cannot be
   * fetched.
   */
  async newerThan(version: string, report: FetchReport): Promise<Program | undefined> {
    const { releases, configured } = this.#settings;
    if (configured || !releases) return undefined;
    const { program } = await this.#find();
    if (program && compareVersions(program.version, version) > 0) return program; // another download has fetched it
    try {
      const asked = await this.#kept.asked();
      const isFresh = asked !== undefined && Date.now() - asked.at < ASK_AGAIN_MS;
      const latest = isFresh ? asked.latest : await this.#ask(releases, report.signal);
      return compareVersions(latest, version) > 0 ? await this.#fetch(releases, report) : undefined;
    } catch (error) {
      if (report.signal.aborted) throw report.signal.reason;
      this.#warn(`a newer yt-dlp could not be fetched: ${reasonOf(releases, error)}`);
      return undefined;
    }
  }

  /**
   * Fetches the latest release unless it is already in the folder.
   * @throws StepError if nothing can be fetched
   */
  async update(report: FetchReport): Promise<Program> {
    const { releases, configured } = this.#settings;
    if (configured)
      throw new StepError(`FOLLOWSPOT_YTDLP names ${configured}: update it there, or take the setting away.`);
    if (!releases) throw new StepError("FOLLOWSPOT_YTDLP_RELEASES is off: nothing is fetched.");
    try {
      return await this.#fetch(releases, report);
    } catch (error) {
      if (report.signal.aborted) throw report.signal.reason;
      throw new StepError(`yt-dlp could not be fetched: ${reasonOf(releases, error)}.`);
    }
  }

  /** Finds the best program on this machine and updates the state accordingly. */
  async #find(): Promise<Found> {
    const found = await this.#look();
    const version = found.program?.version ?? "";
    const { configured, releases } = this.#settings;
    // If a release can be fetched, a missing program is no problem until a fetch fails; that problem stays until there
    // is a program.
    const missing = configured || !releases ? found.problem || NOT_HERE : this.#state.problem;
    const problem = found.program ? "" : missing;
    this.#state = { ...this.#state, version, source: found.source, problem };
    return found;
  }

  async #look(): Promise<Found> {
    const { configured, floor } = this.#settings;
    if (configured) {
      const told = await this.#probe(configured);
      const problem = typeof told === "string" ? tooOld(told, floor) : cannotRun(told.fault);
      const program = typeof told === "string" && !problem ? { path: configured, version: told } : undefined;
      return { ...(program && { program }), source: "setting", problem, path: configured };
    }
    const onPath = await findOnPath("yt-dlp");
    const paths = [
      ...(onPath ? [onPath] : []),
      ...(await this.#kept.list()).map((version) => this.#kept.path(version)),
    ];
    const told = await Promise.all(paths.map(async (path) => ({ path, told: await this.#probe(path) })));
    const [best] = told
      .flatMap(({ path, told: version }) => (typeof version === "string" ? [{ path, version }] : []))
      .sort((one, other) => newestFirst(one.version, other.version));
    if (best && !tooOld(best.version, floor))
      return { program: best, source: best.path === onPath ? "path" : "fetched", problem: "", path: best.path };
    const broken = told.find(({ told: version }) => typeof version !== "string")?.told as { fault: string } | undefined;
    const problem = best ? tooOld(best.version, floor) : broken ? cannotRun(broken.fault) : "";
    return { source: "none", problem, path: best?.path ?? onPath ?? "" };
  }

  /** Returns the version that a program reports. Each file is run once. */
  async #probe(path: string): Promise<string | { readonly fault: string }> {
    const file = await stat(path).catch(() => undefined);
    const key = file ? `${file.dev} ${file.ino} ${file.size} ${file.mtimeMs}` : path;
    const known = this.#probes.get(key);
    if (known) return known;
    const asked = askVersion(path);
    this.#probes.set(key, asked);
    // A broken program may be repaired without a change to its file, for example by installing Python.
    const forget = () => this.#probes.delete(key);
    void asked.then((told) => typeof told !== "string" && forget(), forget);
    return asked;
  }

  async #fetchMissing(problem: string, report: FetchReport): Promise<Program> {
    const { releases, configured } = this.#settings;
    if (configured || !releases) throw new StepError(problem || NOT_HERE);
    try {
      return await this.#fetch(releases, report);
    } catch (error) {
      if (report.signal.aborted) throw report.signal.reason;
      const sentence = notToBeHad(problem, reasonOf(releases, error), error instanceof UnreachableError);
      this.#state = { ...this.#state, problem: sentence };
      if (isDiskFull(error)) throw noRoom(EXECUTABLE_BYTES);
      throw new StepError(sentence);
    }
  }

  /** Runs one fetch at a time for all callers. An aborted caller does not stop the fetch for the others. */
  async #fetch(releases: ReleaseSite, { signal, onFetch }: FetchReport): Promise<Program> {
    this.#hearers.add(onFetch);
    const left = new Promise<never>((_, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }),
    );
    left.catch(() => undefined); // it may reject after the last caller has stopped waiting
    try {
      signal.throwIfAborted();
      this.#fetching ??= this.#fetchNewest(releases).finally(() => {
        this.#fetching = undefined;
        this.#state = { ...this.#state, fetching: null };
      });
      return await Promise.race([this.#fetching, left]);
    } finally {
      this.#hearers.delete(onFetch);
    }
  }

  async #fetchNewest(releases: ReleaseSite): Promise<Program> {
    const { signal } = this.#closing;
    const hear = (share: number) => {
      this.#state = { ...this.#state, fetching: Math.round(share * 100) };
      for (const hearer of this.#hearers) hearer(share);
    };
    hear(0);
    const file = await this.#kept.unfinished();
    return withFetchLock(this.#settings.folder, { signal, onWait: hear }, async (tell) => {
      try {
        const latest = await this.#ask(releases, signal);
        if ((await this.#kept.list()).includes(latest)) {
          const kept = await this.#probe(this.#kept.path(latest));
          if (typeof kept === "string") return { path: this.#kept.path(latest), version: kept };
        }
        const onProgress = (share: number) => {
          tell(share);
          hear(share);
        };
        await fetchExecutable(releases, latest, file, { signal, onProgress });
        const version = await this.#probe(file);
        if (typeof version !== "string")
          throw new ReleaseError(`sent yt-dlp ${latest}, which cannot be run here: ${version.fault}`);
        const problem = tooOld(version, this.#settings.floor);
        if (problem) throw new ReleaseError(`sent yt-dlp ${version}, which is older than FOLLOWSPOT_YTDLP_FLOOR`);
        const path = await this.#kept.keep(file, latest);
        await this.#kept.prune((other) => this.#holds.has(other));
        this.#state = { ...this.#state, version, source: "fetched", problem: "" };
        return { path, version };
      } finally {
        await rm(file, { force: true });
      }
    });
  }

  /**
   * Returns the latest version. Records the time of the check for all processes that share the folder, also if it
   * fails.
   */
  async #ask(releases: ReleaseSite, signal: AbortSignal): Promise<string> {
    let latest = "";
    try {
      return (latest = await latestVersion(releases, signal));
    } finally {
      await this.#kept.noteAsked(latest);
    }
  }

  /** Updates yt-dlp at most once a day, after a download. Running downloads keep their version. */
  async #refresh(): Promise<void> {
    const { releases, configured } = this.#settings;
    if (configured || !releases || this.#fetching || this.#closing.signal.aborted) return;
    try {
      const asked = await this.#kept.asked();
      if (asked && Date.now() - asked.at < DAY_MS) return;
      const latest = await this.#ask(releases, this.#closing.signal);
      if (compareVersions(latest, this.#state.version) <= 0) return;
      await this.#fetch(releases, { signal: this.#closing.signal, onFetch: () => undefined });
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#warn(`yt-dlp was not renewed: ${reasonOf(releases, error)}`);
    }
  }

  #letGo(path: string): void {
    const holds = (this.#holds.get(path) ?? 1) - 1;
    if (holds > 0) this.#holds.set(path, holds);
    else this.#holds.delete(path);
  }
}

const NOT_HERE =
  "yt-dlp is not installed on the server, so links cannot be downloaded. Install yt-dlp, or upload the file instead.";
const FETCHED_LATER = "it is fetched when the first link comes";

const tooOld = (version: string, floor: string): string =>
  compareVersions(version, floor) >= 0
    ? ""
    : `yt-dlp ${version} is older than ${floor}, which is known to be unsafe or broken. Update yt-dlp, or lower FOLLOWSPOT_YTDLP_FLOOR.`;

const cannotRun = (fault: string): string =>
  `yt-dlp cannot be run on the server: ${fault}. Repair it or correct FOLLOWSPOT_YTDLP, or upload the file instead.`;

/**
 * Composes one sentence with the reason and one with the advice.
 * @param problem why the existing program cannot be used, or ""
 * @param isUnreachable whether giving the server network access would help
 */
function notToBeHad(problem: string, reason: string, isUnreachable: boolean): string {
  const [flaw = ""] = problem.split(/\.(?: |$)/);
  const lack = flaw ? `${flaw}, and no other could be fetched` : "yt-dlp could not be fetched";
  const advice = isUnreachable
    ? "Let the server reach it or install yt-dlp there, then retry"
    : "Install yt-dlp on the server, or retry later";
  return `${lack}: ${reason}. ${advice}; files can be uploaded meanwhile.`;
}

function reasonOf({ base }: ReleaseSite, error: unknown): string {
  if (error instanceof ReleaseError) return `${new URL(base).host} ${error.message}`;
  const { code, message } = error as NodeJS.ErrnoException;
  if (isDiskFull(error)) return "there is no space left on the disk";
  if (code === "EROFS" || code === "EACCES") return "the server may not write to its data folder";
  return message;
}

async function askVersion(path: string): Promise<string | { readonly fault: string }> {
  for (let tries = 1; ; tries++) {
    const asked = await askProgram(path, ["--ignore-config", "--version"], VERSION_MS, {});
    if ("text" in asked) return asked.text.trim().slice(0, 20);
    // A file that was just written may be open in a program that is starting at the same moment.
    if (tries === 3 || !asked.fault.includes("being written")) return asked;
    await pause(100);
  }
}
