import { fork, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "../platform/settings.ts";
import { sleep, stopChild } from "./processes.ts";

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

/** A server that will not come back for so long takes everything down with it. */
const GIVE_UP_MS = 60_000;
const RETRY_MS = 1000;
/** A part that dies is started again at most so often. */
const PART_EVERY_MS = 1000;
const PART_GRACE_MS = 12_000;

/** Something that runs until it is stopped. `stop` resolves when it has ended, whatever it was doing. */
export interface Running {
  readonly name: string;
  stop(): Promise<void>;
}

/** A server of somebody else's. */
export interface Service {
  readonly url: string;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

export interface KeptService extends Running {
  /** Its address, which stays the same. Rejects when it does not start the first time. */
  readonly url: Promise<string>;
}

export interface KeepServiceOptions {
  readonly warn: (line: string) => void;
  /** It does not come back. */
  readonly onGiveUp: () => void;
  readonly giveUpMs?: number;
}

/** Starts a server, and starts it again at the same address when it dies. */
export function keepService(
  name: string,
  start: (previousUrl?: string) => Promise<Service>,
  { warn, onGiveUp, giveUpMs = GIVE_UP_MS }: KeepServiceOptions,
): KeptService {
  let isStopping = false;
  let service: Service | undefined;
  const run = async (previousUrl?: string) => {
    service = await start(previousUrl);
    service.child.once("exit", (code, signal) => {
      if (isStopping) return;
      warn(`The ${name} ended (${signal ?? `code ${code}`}); starting it again.`);
      starting = startAgain(service!.url);
    });
    return service.url;
  };
  const startAgain = async (url: string) => {
    for (const until = Date.now() + giveUpMs; !isStopping; await sleep(RETRY_MS)) {
      try {
        return await run(url);
      } catch (error) {
        warn(`The ${name} does not start: ${(error as Error).message}`);
        if (Date.now() > until) onGiveUp();
      }
    }
    return url;
  };
  const url = run();
  let starting = url;
  return {
    name,
    url,
    stop: async () => {
      isStopping = true;
      await starting.catch(() => {}); // what did not start needs no stop
      await service?.stop();
    },
  };
}

export interface KeptPart extends Running {
  readonly hasDied: () => boolean;
  readonly restart: () => void;
}

export interface KeepPartOptions {
  /**
   * Another process of the part stands by, loaded and waiting ({@link isSpare}), and takes its place as soon as it dies:
   * for the part whose absence lamps would see. It is made so many milliseconds after a start: what starts needs the
   * machine first.
   */
  readonly spareAfterMs?: number;
}

/** Says to a process that it stands by, until its parent sends it a message. */
const SPARE = "FOLLOWSPOT_SPARE";
export const isSpare = (env: NodeJS.ProcessEnv): boolean => env[SPARE] === "1";

/** Forks a part of Followspot and starts it again when it dies. */
export function keepPart(
  name: string,
  file: string,
  env: NodeJS.ProcessEnv,
  warn: (line: string) => void,
  { spareAfterMs }: KeepPartOptions = {},
): KeptPart {
  let child: ChildProcess;
  let spare: ChildProcess | undefined;
  let deaths = 0;
  let isStopping = false;
  const forkPart = (more: NodeJS.ProcessEnv = {}) =>
    // A group of its own, so that Ctrl-C reaches it through us and in order.
    fork(file, {
      env: { ...env, ...ENGINE.env, ...more },
      execArgv: [...ENGINE.execArgv],
      detached: true,
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
  const start = () => {
    if (isStopping) return;
    const standing = spare?.connected ? spare : undefined;
    spare = undefined;
    standing?.send("go");
    child = standing ?? forkPart();
    const since = Date.now();
    child.on("exit", (code, signal) => {
      deaths++;
      if (isStopping) return;
      warn(`${name} ended (${signal ?? `code ${code}`}); starting it again.`);
      setTimeout(start, Math.max(0, PART_EVERY_MS - (Date.now() - since)));
    });
    if (spareAfterMs !== undefined) setTimeout(standBy, spareAfterMs).unref();
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
    restart: () => void child.kill("SIGTERM"),
    stop: async () => {
      isStopping = true;
      spare?.kill("SIGKILL");
      await stopChild(child, "SIGTERM", PART_GRACE_MS);
    },
  };
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
