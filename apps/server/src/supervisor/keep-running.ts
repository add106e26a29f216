import { fork, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { BEAT } from "../platform/beat.ts";
import { ROOT } from "../platform/settings.ts";
import { sleep, stopChild } from "./processes.ts";
import { processorTicks } from "./wait-for-start.ts";

/**
 * How the engine runs a part. It takes the memory its work needs and gives it back: left alone, the engine lets garbage
 * grow to several times of that before it looks (415 MB instead of 190 MB after 4,000 answers of the API), at no
 * measurable gain. Processor keys that guard compiled code are off: with several threads V8 13 now and then ends the
 * process over its own bookkeeping of them ("Check failed: jit_page.has_value()"). What is compiled is kept beside the
 * other things that are fetched or made once: a part loads in half the time.
 */
export const ENGINE = {
  execArgv: ["--max-semi-space-size=8", "--max-old-space-size=1024", "--no-memory-protection-keys"],
  env: { MALLOC_ARENA_MAX: "2", NODE_COMPILE_CACHE: join(ROOT, ".cache", "compiled") },
} as const;

/** Between two tries to start a service that does not come back: growing up to the longest. */
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 5000;
/** A part that dies is started again at most so often. */
const PART_EVERY_MS = 1000;
const PART_GRACE_MS = 12_000;
/** How often it is looked whether parts beat. */
const WATCH_MS = 250;
/** Until its first heartbeat a process loads. It hangs if it uses no processor time for this long, ms. */
const LOADING_SILENCE_MS = 60_000;
/** How often a service is asked whether it answers. */
const ASK_MS = 2000;

/** Something that runs until it is stopped. `stop` resolves when it has ended, whatever it was doing. */
export interface Running {
  readonly name: string;
  stop(): Promise<void>;
}

/** A server that is another program: the database, the broker. */
export interface Service {
  readonly url: string;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

export interface KeptService extends Running {
  /** Its address, which stays the same. Rejects when it does not start the first time. */
  readonly url: Promise<string>;
}

/** A question that only a service that works can answer. */
export interface ServiceQuestion {
  /** Rejects when no answer comes. */
  readonly ask: (url: string) => Promise<void>;
  /** Without an answer for so long it is ended and started again; twice as long after each time that did not help. */
  readonly silenceMs: number;
  /** Whether another start may help; while its disk is full it does not, and is made as soon as there is room. */
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
 * Starts a server, and starts it again at the same address when it dies or does not answer. After its first good start
 * it is never given up: what can go on without it goes on.
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
      await starting.catch(() => {}); // what did not start needs no stop
      await service?.stop();
    },
  };

  /** @returns what ends the asking */
  function askService(
    of: string,
    { ask, silenceMs, wouldHelp = async () => true, everyMs = ASK_MS }: ServiceQuestion,
    say: (line: string) => void,
    childNow: () => ChildProcess | undefined,
  ): () => void {
    let patienceMs = silenceMs;
    /** Since it answered last. */
    let silentMs = 0;
    let tickedMs = performance.now();
    let isAsking = false;
    let isHopeless = false;
    const timer = setInterval(() => {
      const now = performance.now();
      // A machine that slept was no silence of the service.
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
  /** Ends it, so that it is started again with what its environment holds by then. Resolves once it has ended. */
  readonly restart: () => Promise<void>;
}

export interface KeepPartOptions {
  /**
   * Another process of the part stands by, loaded and waiting ({@link isSpare}), and takes its place as soon as it dies:
   * for the part whose absence lamps would see. It is made so many milliseconds after a start: what starts needs the
   * machine first.
   */
  readonly spareAfterMs?: number;
  /** A part that beats ({@link beatToParent}) and then says nothing for so long hangs: it is ended and started again. */
  readonly silenceMs?: number;
  /** How long a process that loads may use no processor time, ms; shorter in tests. */
  readonly loadingSilenceMs?: number;
}

/** Says to a process that it stands by, until its parent sends it a message. */
const SPARE = "FOLLOWSPOT_SPARE";
export const isSpare = (env: NodeJS.ProcessEnv): boolean => env[SPARE] === "1";

/**
 * Forks a part of Followspot and starts it again when it dies.
 * @param env what it is started with each time; what is changed in it holds from the next start on
 */
export function keepPart(
  name: string,
  file: string,
  env: NodeJS.ProcessEnv,
  warn: (line: string) => void,
  { spareAfterMs, silenceMs, loadingSilenceMs = LOADING_SILENCE_MS }: KeepPartOptions = {},
): KeptPart {
  let child: ChildProcess;
  let spare: ChildProcess | undefined;
  /** Have loaded. */
  const beaten = new WeakSet<ChildProcess>();
  let deaths = 0;
  let isStopping = false;
  const forkPart = (more: NodeJS.ProcessEnv = {}) => {
    // A group of its own, so that Ctrl-C reaches it through us and in order.
    const forked = fork(file, {
      env: { ...env, ...ENGINE.env, ...more },
      execArgv: [...ENGINE.execArgv],
      detached: true,
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    forked.on("message", (message) => message === BEAT && beaten.add(forked));
    if (silenceMs !== undefined)
      endWhenSilent(forked, silenceMs, loadingSilenceMs, () => warn(`${name} does not answer; it is ended.`));
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
  /** The spare, if it can go on at once. One that has not beaten may hang as well, and has a minute to load. */
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
 * Ends a process that hangs. Its silence counts while this one runs: a machine that slept is no silence. Before its first
 * heartbeat a process that uses processor time is loading, however slow the machine is.
 */
function endWhenSilent(child: ChildProcess, silenceMs: number, loadingSilenceMs: number, onSilence: () => void): void {
  let silentMs = 0;
  let allowedMs = Math.max(loadingSilenceMs, silenceMs);
  let hasLoaded = false;
  let ticks = 0;
  let lookedMs = performance.now();
  const noteProgress = async () => {
    const used = await processorTicks(child.pid);
    if (used !== ticks && !hasLoaded) silentMs = 0;
    ticks = used;
  };
  const watch = setInterval(() => {
    const now = performance.now();
    silentMs += Math.min(2 * WATCH_MS, now - lookedMs);
    lookedMs = now;
    if (!hasLoaded) void noteProgress(); // processorTicks never rejects
    if (silentMs < allowedMs) return;
    clearInterval(watch);
    onSilence();
    child.kill("SIGKILL");
  }, WATCH_MS).unref();
  child.on("message", (message) => {
    if (message !== BEAT) return;
    silentMs = 0;
    hasLoaded = true;
    allowedMs = silenceMs;
  });
  child.once("exit", () => clearInterval(watch));
}

/**
 * Stops the last started first, one after the other.
 * @returns the name of what had not ended after `ms`; undefined when all has
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
