import { fork, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { BEAT } from "../../platform/process/beat.ts";
import { ROOT } from "../../platform/settings.ts";
import { sleep, stopChild } from "./processes.ts";
import { processorTicks, runnableMs } from "./processor-time.ts";

/**
 * Engine options of our processes. By default the engine lets garbage grow to several times the memory in use before
 * collecting it, without a measurable gain: 415 MB instead of 190 MB after 4,000 answers of the API. Memory protection
 * keys for compiled code are off: with several threads V8 13 occasionally crashes in their bookkeeping ("Check failed:
 * jit_page.has_value()"). Compiled code is cached beside other downloaded or generated files, which halves the load
 * time of a process.
 */
export const ENGINE = {
  execArgv: ["--max-semi-space-size=8", "--max-old-space-size=1024", "--no-memory-protection-keys"],
  env: { MALLOC_ARENA_MAX: "2", NODE_COMPILE_CACHE: join(ROOT, ".cache", "compiled") },
} as const;

/** Delay between attempts to restart a service, growing from the first to the longest, ms. */
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 5000;
/** Shortest time between two starts of a process, ms. */
const PART_EVERY_MS = 1000;
const PART_GRACE_MS = 12_000;
/** Interval between heartbeat checks, ms. */
const WATCH_MS = 100;
/** Time without processor use after which a process counts as hung while it loads, before its first heartbeat, ms. */
const LOADING_SILENCE_MS = 60_000;
/** Interval between probes of a service, ms. */
const ASK_MS = 2000;

/** A service or process that runs until it is stopped. `stop` resolves when it has ended, whatever it was doing. */
export interface Running {
  readonly name: string;
  stop(): Promise<void>;
}

/** A server that is an external program: the database, NATS. */
export interface Service {
  readonly url: string;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

export interface KeptService extends Running {
  /** Its address, which never changes. Rejects if the first start fails. */
  readonly url: Promise<string>;
}

/** A probe that only a working service answers. */
export interface ServiceQuestion {
  /** Rejects if there is no answer. */
  readonly ask: (url: string) => Promise<void>;
  /**
   * Time without an answer after which the service is killed and restarted, ms; doubled after each restart that did not
   * help.
   */
  readonly silenceMs: number;
  /** Whether a restart may help. While its disk is full it does not; the restart follows as soon as there is room. */
  readonly wouldHelp?: () => Promise<boolean>;
  /** Shorter in tests. */
  readonly everyMs?: number;
}

export interface KeepServiceOptions {
  readonly warn: (line: string) => void;
  readonly question?: ServiceQuestion;
  /** Shorter in tests. */
  readonly retryMs?: number;
}

/**
 * Starts a service, and restarts it at the same address when it exits or does not answer. After its first successful
 * start it is retried indefinitely: everything that works without it continues.
 */
export function keepService(
  name: string,
  start: (previousUrl: string | undefined, signal: AbortSignal) => Promise<Service>,
  { warn, question, retryMs = FIRST_RETRY_MS }: KeepServiceOptions,
): KeptService {
  let isStopping = false;
  const stopped = new AbortController();
  let service: Service | undefined;
  const run = async (previousUrl?: string) => {
    const started = (service = await start(previousUrl, stopped.signal));
    started.child.once("exit", (code, signal) => {
      if (isStopping) return;
      warn(`The ${name} ended (${signal ?? `code ${code}`}); starting it again.`);
      starting = startAgain(started.url);
    });
    return started.url;
  };
  const startAgain = async (url: string) => {
    let told = "";
    for (let wait = retryMs; !isStopping; wait = Math.min(LONGEST_RETRY_MS, wait * 2)) {
      try {
        return await run(url);
      } catch (error) {
        const { message } = error as Error;
        if (message !== told) warn(`The ${name} does not start: ${message}`);
        told = message;
      }
      for (const until = performance.now() + wait; !isStopping && performance.now() < until;)
        await sleep(Math.min(wait, 200));
    }
    return url;
  };
  const url = run();
  let starting = url;
  const asking = question && askService(name, question, warn, () => service?.child);
  return {
    name,
    url,
    stop: async () => {
      isStopping = true;
      stopped.abort();
      asking?.();
      await starting.catch(() => {}); // a failed start needs no stop
      await service?.stop();
    },
  };

  /** @returns function that stops the probes */
  function askService(
    of: string,
    { ask, silenceMs, wouldHelp = async () => true, everyMs = ASK_MS }: ServiceQuestion,
    say: (line: string) => void,
    childNow: () => ChildProcess | undefined,
  ): () => void {
    let patienceMs = silenceMs;
    /** Time since the last answer, ms. */
    let silentMs = 0;
    let tickedMs = performance.now();
    let isAsking = false;
    let isHopeless = false;
    const timer = setInterval(() => {
      const now = performance.now();
      // Time in which the machine slept does not count.
      silentMs += Math.min(2 * everyMs, now - tickedMs);
      tickedMs = now;
      const child = childNow();
      if (!child || child.exitCode !== null || child.signalCode !== null) return void (silentMs = 0);
      if (isAsking) return;
      isAsking = true;
      ask(service!.url)
        .then(
          () => ((silentMs = 0), (patienceMs = silenceMs), (isHopeless = false)),
          async (error: unknown) => {
            if (silentMs < patienceMs || child !== childNow()) return;
            const why = String((error as Error).message);
            if (!(await wouldHelp().catch(() => true))) {
              if (!isHopeless) say(`The ${of} does not answer (${why}), and its disk is full. Free some space.`);
              isHopeless = true;
              return;
            }
            say(`The ${of} does not answer (${why}); it is ended and started again.`);
            silentMs = 0;
            patienceMs *= 2;
            isHopeless = false;
            child.kill("SIGKILL");
          },
        )
        .finally(() => (isAsking = false));
    }, everyMs);
    return () => clearInterval(timer);
  }
}

export interface KeptPart extends Running {
  readonly hasDied: () => boolean;
  /** Ends the process, so that it restarts with its current environment. Resolves once it has ended. */
  readonly restart: () => Promise<void>;
}

export interface KeepPartOptions {
  /**
   * Delay after a start before a spare process is started, ms, because a starting process needs the machine first. The
   * spare is loaded and waits ({@link isSpare}); it replaces the process as soon as that dies. For the process whose
   * absence would be visible in the light.
   */
  readonly spareAfterMs?: number;
  /**
   * Time without a heartbeat ({@link beatToParent}) after which the process counts as hung and is killed and restarted,
   * ms.
   */
  readonly silenceMs?: number;
  /**
   * Same, for time in which the process neither used a processor nor waited for one, ms: it is stopped or blocked. Shorter
   * than `silenceMs`, because neither a busy machine nor long work is the reason.
   */
  readonly blockedMs?: number;
  /** Time without processor use after which a loading process counts as hung, ms; shorter in tests. */
  readonly loadingSilenceMs?: number;
}

/** Marks a process as a spare, until its parent sends it a message. */
const SPARE = "FOLLOWSPOT_SPARE";
export const isSpare = (env: NodeJS.ProcessEnv): boolean => env[SPARE] === "1";

/**
 * Forks a process of Followspot and restarts it when it dies.
 * @param env environment of each start; changes apply from the next start on
 */
export function keepPart(
  name: string,
  file: string,
  env: NodeJS.ProcessEnv,
  warn: (line: string) => void,
  { spareAfterMs, silenceMs, blockedMs = silenceMs, loadingSilenceMs = LOADING_SILENCE_MS }: KeepPartOptions = {},
): KeptPart {
  let child: ChildProcess;
  let spare: ChildProcess | undefined;
  /** Processes that have loaded, that is, sent a heartbeat. */
  const beaten = new WeakSet<ChildProcess>();
  let deaths = 0;
  let isStopping = false;
  const forkPart = (more: NodeJS.ProcessEnv = {}) => {
    // A separate process group, so that Ctrl-C reaches it through this process and in order.
    const forked = fork(file, {
      env: { ...env, ...ENGINE.env, ...more },
      execArgv: [...ENGINE.execArgv],
      detached: true,
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    forked.on("message", (message) => message === BEAT && beaten.add(forked));
    if (silenceMs !== undefined && blockedMs !== undefined) {
      const limits = { silenceMs, blockedMs, loadingSilenceMs };
      endWhenSilent(forked, limits, () => warn(`${name} does not answer; it is ended.`));
    }
    return forked;
  };
  const start = () => {
    if (isStopping) return;
    child = takeSpare() ?? forkPart();
    const since = performance.now();
    child.on("exit", (code, signal) => {
      deaths++;
      if (isStopping) return;
      warn(`${name} ended (${signal ?? `code ${code}`}); starting it again.`);
      setTimeout(start, Math.max(0, PART_EVERY_MS - (performance.now() - since)));
    });
    if (spareAfterMs !== undefined) setTimeout(standBy, spareAfterMs).unref();
  };
  /**
   * Returns the spare if it can take over at once. A spare without a heartbeat may hang too, or still need a minute to
   * load.
   */
  const takeSpare = () => {
    const standing = spare;
    spare = undefined;
    if (standing?.connected && (silenceMs === undefined || beaten.has(standing))) {
      standing.send("go");
      return standing;
    }
    standing?.kill("SIGKILL");
    return undefined;
  };
  const standBy = () => {
    if (isStopping || spare) return;
    const next = (spare = forkPart({ [SPARE]: "1" }));
    next.on("exit", () => {
      if (spare !== next) return; // it has taken over
      spare = undefined;
      setTimeout(standBy, spareAfterMs).unref();
    });
  };
  start();
  return {
    name,
    hasDied: () => deaths > 0,
    restart: () => stopChild(child, "SIGTERM", PART_GRACE_MS),
    stop: async () => {
      isStopping = true;
      spare?.kill("SIGKILL");
      await stopChild(child, "SIGTERM", PART_GRACE_MS);
    },
  };
}

/**
 * Kills a hung process. Time counts only while this process runs, so a machine that slept does not matter. Before its
 * first heartbeat a process that uses processor time is loading, however slow the machine is.
 */
function endWhenSilent(
  child: ChildProcess,
  { silenceMs, blockedMs, loadingSilenceMs }: Required<Omit<KeepPartOptions, "spareAfterMs">>,
  onSilence: () => void,
): void {
  let silentMs = 0;
  /** Part of `silentMs` in which the process neither ran nor waited for a processor. */
  let idleMs = 0;
  let runnable: number | undefined;
  let allowedMs = Math.max(loadingSilenceMs, silenceMs);
  let hasLoaded = false;
  let ticks = 0;
  let lookedMs = performance.now();
  /** Never rejects. */
  const noteProgress = async () => {
    const used = await processorTicks(child.pid);
    if (used !== ticks && !hasLoaded) silentMs = 0;
    ticks = used;
  };
  /** Never rejects. */
  const noteIdle = async (elapsedMs: number) => {
    const before = runnable;
    runnable = await runnableMs(child.pid);
    if (before === undefined || runnable === undefined) idleMs = 0;
    else idleMs += Math.max(0, elapsedMs - (runnable - before));
  };
  const watch = setInterval(() => {
    const now = performance.now();
    const elapsedMs = Math.min(2 * WATCH_MS, now - lookedMs);
    silentMs += elapsedMs;
    lookedMs = now;
    if (!hasLoaded) void noteProgress();
    else if (blockedMs < silenceMs) void noteIdle(elapsedMs);
    if (silentMs < allowedMs && idleMs < blockedMs) return;
    clearInterval(watch);
    onSilence();
    child.kill("SIGKILL");
  }, WATCH_MS).unref();
  child.on("message", (message) => {
    if (message !== BEAT) return;
    silentMs = idleMs = 0;
    hasLoaded = true;
    allowedMs = silenceMs;
  });
  child.once("exit", () => clearInterval(watch));
}

/**
 * Stops everything one after the other, last started first.
 * @returns name of the one that had not ended after `ms`; undefined if all have
 */
export async function stopAll(running: readonly Running[], ms: number): Promise<string | undefined> {
  let current = "";
  const all = async () => {
    for (const part of running.toReversed()) {
      current = part.name;
      await part.stop().catch(() => {}); // the next one must stop too
    }
    current = "";
  };
  await Promise.race([all(), sleep(ms)]);
  return current || undefined;
}
