import { rm, stat } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { DownloaderState } from "@followspot/contract";
import { askProgram } from "../../audio/ask-program.ts";
import { isDiskFull } from "../../platform/disk.ts";
import { findOnPath, type ProgramReport } from "../../platform/programs.ts";
import { noRoom, StepError } from "../step-error.ts";
import { withFetchLock } from "./fetch-lock.ts";
import { KeptVersions } from "./kept-versions.ts";
import { fetchExecutable, latestVersion, ReleaseError, UnreachableError, type ReleaseSite } from "./release.ts";
import { compareVersions, newestFirst } from "./version.ts";

/** A yt-dlp that runs. */
export interface Program {
  readonly path: string;
  readonly version: string;
}

export interface DownloaderSettings {
  /** Path of the one to use, whatever else there is. */
  readonly configured: string | undefined;
  /** Oldest version accepted, YYYY.MM.DD. */
  readonly floor: string;
  /** Where fetched ones are kept. */
  readonly folder: string;
  /** Undefined: nothing is fetched. */
  readonly releases: ReleaseSite | undefined;
}

export interface FetchReport {
  readonly signal: AbortSignal;
  /** 0..1 of a fetch; never called when nothing has to be fetched. */
  readonly onFetch: (share: number) => void;
}

interface Found {
  readonly program?: Program;
  readonly source: DownloaderState["source"];
  /** Why one that is there is not used, as a sentence; "" when none is or it is. */
  readonly problem: string;
  readonly path: string;
}

/** Room for a release and what it unpacks. */
const EXECUTABLE_BYTES = 120_000_000;
const VERSION_MS = 30_000;
const DAY_MS = 24 * 3600_000;
/** A release does not come every minute: a hundred songs that fail ask once. */
const ASK_AGAIN_MS = 10 * 60_000;
const NONE_YET: DownloaderState = { version: "", source: "none", problem: "", fetching: null };

/**
 * The yt-dlp of this worker: the one the settings name, else the newest of PATH and those fetched
 * before, else the official release. Fetched when it is first wanted, kept current as it is used; a
 * version at work is never touched. Several processes may share the folder.
 */
export class Downloader {
  readonly #settings: DownloaderSettings;
  readonly #warn: (message: string) => void;
  readonly #kept: KeptVersions;
  readonly #closing = new AbortController();
  /** What programs said of themselves, by file and time of writing. */
  readonly #probes = new Map<string, Promise<string | { readonly fault: string }>>();
  /** How many downloads run with each path. */
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

  /** Ends a fetch that runs, and waits until nothing is written any more. */
  async close(): Promise<void> {
    this.#closing.abort(new Error("the worker stops"));
    await Promise.allSettled([this.#fetching, this.#refreshing]);
  }

  /** What is on this machine, without fetching anything. */
  async look(): Promise<ProgramReport> {
    const { program, problem, path } = await this.#find();
    const why = program ? "" : problem || (this.#settings.releases ? FETCHED_LATER : NOT_HERE);
    return { name: "yt-dlp", path: program?.path ?? path, version: program?.version ?? "", works: !why, why };
  }

  /**
   * Work with a yt-dlp, fetched first if there is none. Afterwards a newer one is looked for, once a day.
   * @throws StepError that says how to get one
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

  /** A version newer than one the site has outgrown; undefined when there is none or it cannot be had. */
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
   * Fetch the latest release unless it is kept already.
   * @throws StepError when nothing can be fetched
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

  /** The best program of this machine; the state follows what is found. */
  async #find(): Promise<Found> {
    const found = await this.#look();
    const version = found.program?.version ?? "";
    const { configured, releases } = this.#settings;
    // Where one can be fetched, nothing is wrong before that has failed; then it stands until there is one.
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

  /** The version a program says it has, asked once for every file that lies there. */
  async #probe(path: string): Promise<string | { readonly fault: string }> {
    const file = await stat(path).catch(() => undefined);
    const key = file ? `${file.dev} ${file.ino} ${file.size} ${file.mtimeMs}` : path;
    const known = this.#probes.get(key);
    if (known) return known;
    const asked = askVersion(path);
    this.#probes.set(key, asked);
    // What is broken may be mended without its file being touched, as by installing Python.
    void asked.then((told) => typeof told !== "string" && this.#probes.delete(key));
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

  /** One fetch at a time for all callers; a caller that leaves does not end it for the others. */
  async #fetch(releases: ReleaseSite, { signal, onFetch }: FetchReport): Promise<Program> {
    this.#hearers.add(onFetch);
    const left = new Promise<never>((_, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }),
    );
    left.catch(() => undefined); // it may fail when no caller waits any more
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

  /** The latest version; that it was asked is noted for all processes on the folder, also without an answer. */
  async #ask(releases: ReleaseSite, signal: AbortSignal): Promise<string> {
    let latest = "";
    try {
      return (latest = await latestVersion(releases, signal));
    } finally {
      await this.#kept.noteAsked(latest);
    }
  }

  /** Once a day, when something was downloaded. What runs meanwhile keeps its version. */
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
 * One sentence of why and one of what to do.
 * @param problem of the one that is there and cannot be used, or ""
 * @param isUnreachable letting the server reach it would help
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
    // A file just written may be open in a program that is being started at the same moment.
    if (tries === 3 || !asked.fault.includes("being written")) return asked;
    await pause(100);
  }
}
