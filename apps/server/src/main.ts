import { fork } from "node:child_process";
import { once } from "node:events";
import { watch } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isSeenByOthers, NotApartError, requireApart } from "./platform/database/communities.ts";
import { takeCommunityFile } from "./platform/files/community-file.ts";
import { openDatabase, type Sql } from "./platform/database/database.ts";
import { leaveUnusableHosts } from "./platform/database/database-watch.ts";
import { migrate, NewerDatabaseError } from "./platform/database/migrate.ts";
import { ensureOwnerLink } from "./community/auth/owner-link.ts";
import { goOnAfterOutage } from "./songs/queue/queue-outage.ts";
import { holdNight } from "./night/after-outage.ts";
import { keepHeartbeat } from "./night/heartbeat.ts";
import { hasRoom } from "./platform/files/disk.ts";
import { every } from "./platform/every.ts";
import { prepareCertificate } from "./platform/http/https.ts";
import { inBackground } from "./platform/process/in-background.ts";
import { requireFreePort } from "./platform/http/listen.ts";
import { openLog, withoutRepeats, type Log } from "./platform/process/log.ts";
import { outliveLostConnections } from "./platform/database/lost-connections.ts";
import { outliveReaders } from "./platform/process/lost-readers.ts";
import { consoleAddresses, ownAddress } from "./platform/http/own-address.ts";
import { writeRunningFile } from "./platform/files/running-file.ts";
import { exitWrongUse, readOptions } from "./platform/process/program-options.mjs";
import { readSecrets, type Secrets } from "./platform/files/secrets.ts";
import { readSharedParts, type SharedParts } from "./platform/broker/shared-parts.ts";
import { ROOT, settingsOrExit, type Settings } from "./platform/settings.ts";
import { machineId, RENEW_MS, StageLease } from "./lights/stage-lease.ts";
import { onEndSignal } from "./platform/process/stopping.ts";
import { notifyWatchdog } from "./platform/process/watchdog.ts";
import { withholdRecalled } from "./stage/stage-memory.ts";
import { followRestore } from "./operations/supervisor/follow-restore.ts";
import { lockDataDir, prepareDataDir } from "./operations/supervisor/data-folder.ts";
import { keepBackups } from "./operations/supervisor/keep-backups.ts";
import {
  keepPart,
  keepService,
  stopAll,
  type KeptPart,
  type Running,
  type Service,
  type ServiceQuestion,
} from "./operations/supervisor/keep-running.ts";
import { askJetStream, findNatsServer, startNats } from "./operations/supervisor/nats.ts";
import { askPostgres, startPostgres } from "./operations/supervisor/postgres.ts";
import { keepOwnerLinkFile } from "./operations/supervisor/owner-link-file.ts";
import { ownerLink, readyLines } from "./operations/supervisor/ready-lines.ts";
import { freePort, sleep, StartError, stopChild } from "./operations/supervisor/processes.ts";
import { waitForStart } from "./operations/supervisor/wait-for-start.ts";

/** Address of the program of each child process, in start order; they stop in reverse order. */
const PROGRAMS = {
  "main-api": new URL("./main-api.ts", import.meta.url),
  "main-worker": new URL("./main-worker.ts", import.meta.url),
  "main-stage": new URL("./main-stage.ts", import.meta.url),
  "main-sound": new URL("./main-sound.ts", import.meta.url),
  "main-venue": new URL("./main-venue.ts", import.meta.url),
};
type Part = keyof typeof PROGRAMS;
const ADMIN = new URL("./cli/admin.ts", import.meta.url);

/**
 * Time for an orderly shutdown, ms. More than all processes need in sequence: 12 s each, 15 s the database, 10 s NATS.
 */
const STOP_MS = 70_000;
/** Timeout of one HTTP check during the start, ms; it is then repeated. */
const ANSWER_MS = 5000;
/** Delay before a spare stage process is started, ms; with a spare the lights are back within a second of a crash. */
const SPARE_STAGE_AFTER_MS = 5000;
/** Time without a heartbeat after which a process counts as hung and is killed and restarted, ms. */
const SILENCE_MS: Readonly<Record<Part, number>> = {
  "main-api": 10_000,
  "main-worker": 30_000,
  "main-stage": 3000,
  "main-sound": 5000,
  "main-venue": 30_000,
};
/** Same for a stage that is stopped or blocked instead of busy, ms; its spare takes over. */
const BLOCKED_STAGE_MS = 900;
/** Time without a response after which a service counts as hung, ms. A database that is recovering does respond. */
const DATABASE_SILENCE_MS = 20_000;
const BROKER_SILENCE_MS = 5000;

/** Time that a community waits for the preceding one to release the rows of all communities, ms. */
const APART_MS = 15_000;
/** Longest wait for the database when the lease of the stage is released at shutdown, ms. */
const RELEASE_MS = 1000;

outliveReaders();
outliveLostConnections();
/** Set where logs are JSON; otherwise lines are printed for people. */
let log: Log | undefined;
const say = (line: string): void => {
  if (log) log.info(line.trim());
  else process.stdout.write(`${line}\n`);
};
/** Reports a process fault to the night's report as well. */
let noteFault: ((line: string) => void) | undefined;
const warn = (line: string): void => {
  if (log) log.warn(line.trim());
  else process.stderr.write(`${line}\n`);
};
const warnOfPart = (line: string) => {
  warn(line);
  noteFault?.(line);
};

const words = process.argv.slice(2);
/** `npm run dev`: with live reload. */
const isDev = words[0] === "--dev";
/** `npm run venue -- --server … --token …`: a venue server with a separate data folder. */
const isVenue = words[0] === "--venue";
const { values: options } = isDev
  ? readOptions("dev", words.slice(1))
  : isVenue
    ? readOptions("venue", words.slice(1))
    : readOptions("start", words);
/** `npm start -- --demo`: a demo night with a separate data folder and database. */
const isDemo = options["demo"] === true;
/** `npm start -- --https`: as FOLLOWSPOT_HTTPS=on. */
if (options["https"] === true) process.env.FOLLOWSPOT_HTTPS = "on";
/**
 * `npm start -- --community FILE`: another community of an installation, with the settings that `add-community` wrote.
 */
const communityFile = options["community"];

await main().catch((error: unknown) => {
  warnOfEnd(error);
  process.exit(1);
});

function warnOfEnd(error: unknown): void {
  warn(`\n${error instanceof StartError ? error.message : ((error as Error).stack ?? String(error))}`);
}

/** Starts everything on embedded defaults, keeps it running, and shuts it down in order. */
async function main(): Promise<void> {
  const startedAt = performance.now();
  notifyWatchdog(process.env, withoutRepeats(warn));
  if (typeof communityFile === "string") takeFile(communityFile);
  const settings = isDemo ? demoSettings() : isVenue ? venueSettings() : settingsOrExit();
  if (settings.FOLLOWSPOT_LOG_FORMAT === "json") log = openLog("main", settings);
  const dataDir = settings.FOLLOWSPOT_DATA_DIR;
  await prepareDataDir(dataDir);
  const unlock = await lockDataDir(dataDir);
  await refuseTakenPort(settings);
  const fingerprint = settings.FOLLOWSPOT_HTTPS === "on" ? await requireCertificate(settings) : undefined;

  /** Running services and processes, in start order. */
  const running: Running[] = [];
  let stopping: Promise<never> | undefined;
  const shutDown = (code: number): Promise<never> => (stopping ??= endAll(code));
  const endAll = async (code: number): Promise<never> => {
    say("\nStopping…");
    const stuck = await stopAll(running, STOP_MS);
    if (stuck) warn(`${stuck} does not end; it is left to the next start.`);
    await unlock();
    process.exit(stuck ? 1 : code);
  };
  onEndSignal(() => inBackground("stopping", shutDown(0), warn));

  try {
    const parts = await readSharedParts(dataDir);
    // NATS may have to be downloaded while the database starts.
    const [ownerUrl, natsUrl] = await Promise.all([
      settings.DATABASE_URL ??
        keep(
          "database",
          (url, signal) => startPostgres(dataDir, say, url ? Number(new URL(url).port) : parts.database?.port, signal),
          { ask: askPostgres, silenceMs: DATABASE_SILENCE_MS },
        ),
      settings.NATS_URL ??
        keep(
          "broker",
          async (url, signal) =>
            startNats(
              dataDir,
              await findNatsServer(settings.NATS_SERVER_BIN, say),
              say,
              url ?? sharedBroker(parts),
              parts.broker?.others,
              signal,
            ),
          { ask: askJetStream, silenceMs: BROKER_SILENCE_MS, wouldHelp: () => hasRoom(join(dataDir, "nats")) },
        ),
    ]);
    await prepareDatabase(ownerUrl, dataDir);
    const databaseUrl = settings.DATABASE_URL === undefined ? ownUrl(ownerUrl, parts) : ownerUrl;
    const sql = openDatabase(databaseUrl, 2, dataDir);
    await keepApart(sql);

    const secrets = await readSecrets(dataDir);
    const stagePort = await freePort();
    let isStageStarted = false;
    const lease = new StageLease({
      sql,
      machine: machineId(secrets.stage, dataDir),
      isStageUp: async () => !isStageStarted || (await answerOf(stageHealth(stagePort), RENEW_MS)) !== undefined,
      say,
    });
    await lease.settle(() => sleep(RENEW_MS));
    if (!lease.isHeld) await withholdRecalled(dataDir);
    // While another machine plays, there was no outage.
    const found = lease.isHeld
      ? await holdNight(sql, settings.FOLLOWSPOT_AFTER_OUTAGE)
      : { heldSince: undefined, goesOn: false };
    const endRenewing = every(RENEW_MS, "renewing the lease of the stage", () => lease.turn(), withoutRepeats(warn));
    const endLeaving = leaveUnusableHosts(sql);
    const heartbeat = keepHeartbeat(sql, withoutRepeats(say));
    // A process that crashes repeatedly counts as one fault per minute.
    noteFault = withoutRepeats(heartbeat.note);
    running.push({
      name: "the heartbeat",
      stop: async () => {
        noteFault = undefined;
        heartbeat.end();
        endLeaving();
        endRenewing();
        // The stage has ended by now. Without the database, the lease lapses.
        await Promise.race([lease.release().catch(() => {}), sleep(RELEASE_MS)]);
        await sql.end({ timeout: 2 });
      },
    });

    const keyOf = ({ tokens }: Secrets) => settings.FOLLOWSPOT_SECRET ?? tokens;
    const api = ownAddress(settings);
    const noteRunning = (now: Secrets) =>
      writeRunningFile(dataDir, {
        database: databaseUrl,
        owner: settings.DATABASE_URL === undefined ? ownerUrl : undefined,
        broker: natsUrl,
        isOwnBroker: settings.NATS_URL === undefined,
        brokerReplicas: settings.NATS_URL === undefined ? undefined : settings.FOLLOWSPOT_NATS_REPLICAS,
        secret: keyOf(now),
        api,
        address: consoleAddresses(settings)[0],
        blobs: settings.FOLLOWSPOT_BLOBS?.text,
        restored_at: now.restored_at,
      });
    await noteRunning(secrets);
    const { FOLLOWSPOT_VENUE_TOKEN: venueToken, FOLLOWSPOT_DATABASE_OWNER: _owner, ...environment } = process.env;
    const shared = {
      ...environment,
      NATS_URL: natsUrl,
      ...(settings.NATS_URL === undefined && { FOLLOWSPOT_OWN_BROKER: "1" }),
      FOLLOWSPOT_DATA_DIR: dataDir,
      FOLLOWSPOT_API: api,
      FOLLOWSPOT_STAGE_PORT: String(stagePort),
      FOLLOWSPOT_STAGE_SECRET: secrets.stage,
    };
    const environments: Record<Part, NodeJS.ProcessEnv> = {
      "main-api": { ...shared, DATABASE_URL: databaseUrl, FOLLOWSPOT_SECRET: keyOf(secrets) },
      // Workers and the stage have no database credentials, sign no tokens and listen on loopback only.
      "main-worker": { ...shared, DATABASE_URL: "", FOLLOWSPOT_SECRET: "", HOST: "" },
      "main-stage": { ...shared, DATABASE_URL: "", FOLLOWSPOT_SECRET: "", HOST: "" },
      "main-sound": { ...shared, DATABASE_URL: "", NATS_URL: "", FOLLOWSPOT_SECRET: "", HOST: "" },
      "main-venue": {
        ...{ ...shared, DATABASE_URL: databaseUrl, NATS_URL: "", FOLLOWSPOT_SECRET: "", HOST: "" },
        FOLLOWSPOT_VENUE_TOKEN: venueToken,
      },
    };
    const kept = new Map<Part, KeptPart>();
    for (const part of Object.keys(PROGRAMS) as Part[]) {
      if (stopping) return;
      if (part === "main-sound" && settings.FOLLOWSPOT_SOUND_OUTPUT === undefined) continue;
      if (part === "main-venue" && settings.FOLLOWSPOT_VENUE_SERVER === undefined) continue;
      // In development, a spare stage would run outdated code.
      const spare =
        part === "main-stage" && !isDev ? { spareAfterMs: SPARE_STAGE_AFTER_MS, blockedMs: BLOCKED_STAGE_MS } : {};
      const more = { ...spare, silenceMs: SILENCE_MS[part] };
      const one = keepPart(part, fileURLToPath(PROGRAMS[part]), environments[part], warnOfPart, more);
      running.push(one);
      kept.set(part, one);
      if (isDev) restartOnChange(one);
      if (part === "main-api") await untilHealthy(api, one.hasDied);
    }

    // If a backup is restored at runtime, its key is adopted, and API and stage restart to drop cached rows.
    const takeUp = async (restored: Secrets) => {
      if (stopping) return;
      say("A backup was restored: API and stage start again with it.");
      environments["main-api"].FOLLOWSPOT_SECRET = keyOf(restored);
      await kept.get("main-api")?.restart();
      await untilHealthy(api, () => false);
      await kept.get("main-stage")?.restart();
      await untilStageAnswers(stagePort, () => false);
      await noteRunning(restored);
    };
    const endFollowing = followRestore(dataDir, secrets, takeUp, warn);
    running.push({ name: "the look for restored backups", stop: async () => endFollowing() });
    if (settings.FOLLOWSPOT_BACKUP_DIR !== undefined)
      running.push(
        keepBackups(
          { ...settings, FOLLOWSPOT_BACKUP_DIR: settings.FOLLOWSPOT_BACKUP_DIR },
          { admin: ADMIN, say, warn },
        ),
      );

    // Ready means that fixtures can be lit; the night continues from then on.
    const hasStageDied = () => kept.get("main-stage")?.hasDied() ?? false;
    await untilStageAnswers(stagePort, hasStageDied).catch(({ message }: StartError) => warn(message));
    isStageStarted = true;
    if (found.goesOn) {
      if (await goOnAfterOutage(sql)) say("The night goes on where it was.");
    } else if (found.heldSince) say("The music stands where it was: Tonight asks whether it goes on.");
    const addresses = consoleAddresses(settings);
    const owner = await ensureOwnerLink(sql);
    // A collector of logs must not receive the link: who has it becomes Admin.
    const file = await keepOwnerLinkFile(
      dataDir,
      log && owner !== undefined ? ownerLink(addresses[0], owner) : undefined,
    );
    const seconds = (performance.now() - startedAt) / 1000;
    for (const line of readyLines(seconds, addresses, log ? undefined : owner, fingerprint)) say(line);
    if (file !== undefined) say(`The link that makes you the owner is in the file ${file}.`);
    if (isDemo) await showDemo(dataDir);
    if (isDev && !stopping) develop(settings, running);
    say("Stop with Ctrl-C.\n");
  } catch (error) {
    if (stopping) return;
    warnOfEnd(error);
    await shutDown(1);
  }

  function keep(
    name: string,
    start: (previousUrl: string | undefined, signal: AbortSignal) => Promise<Service>,
    question: ServiceQuestion,
  ): Promise<string> {
    const kept = keepService(name, start, { warn: warnOfPart, question });
    running.push(kept);
    return kept.url;
  }
}

function takeFile(path: string): void {
  try {
    takeCommunityFile(path);
  } catch (error) {
    throw new StartError((error as Error).message);
  }
}

/** Returns the address at which NATS was announced to other communities. */
function sharedBroker({ broker }: SharedParts): string | undefined {
  return broker && `nats://followspot:${broker.password}@127.0.0.1:${broker.port}`;
}

/**
 * Returns the URL with which the first community connects to its database: as the owner of the tables while it is
 * alone.
 */
function ownUrl(ownerUrl: string, { database }: SharedParts): string {
  if (!database) return ownerUrl;
  const url = new URL(ownerUrl);
  [url.username, url.password] = [database.role, database.password];
  return url.href;
}

async function prepareDatabase(url: string, dataDir: string): Promise<void> {
  const sql = openDatabase(url, 1, dataDir);
  try {
    await migrate(sql, say);
  } catch (error) {
    if (error instanceof NewerDatabaseError) throw new StartError(error.message);
    throw new StartError(
      `The database could not be prepared: ${(error as Error).message}\nCheck DATABASE_URL and that it is PostgreSQL 15 or newer.`,
    );
  } finally {
    await sql.end({ timeout: 2 });
  }
}

/** Refuses to start while a process sees the rows of several communities. */
async function keepApart(sql: Sql): Promise<void> {
  try {
    await requireApart(sql);
  } catch (error) {
    throw error instanceof NotApartError ? new StartError(error.message) : error;
  }
  for (const until = performance.now() + APART_MS; await isSeenByOthers(sql); await sleep(200))
    if (performance.now() > until)
      throw new StartError(
        "Another community still runs as the owner of all tables. Stop it and start it again: it signs in with a role of its own then.",
      );
}

/**
 * Returns the settings of a demo, which never touches real data: a data folder beside the real one, no database, NATS
 * server or backups of the settings.
 */
function demoSettings(): Settings {
  const { FOLLOWSPOT_DATA_DIR, DATABASE_URL, NATS_URL } = settingsOrExit();
  if (DATABASE_URL !== undefined || NATS_URL !== undefined)
    throw new StartError(
      "--demo brings a database and a broker of its own. Start it without DATABASE_URL and NATS_URL.",
    );
  process.env.FOLLOWSPOT_DATA_DIR = `${FOLLOWSPOT_DATA_DIR}-demo`;
  delete process.env.FOLLOWSPOT_BACKUP_DIR;
  delete process.env.FOLLOWSPOT_BLOBS;
  return settingsOrExit();
}

/**
 * Returns the settings of a venue server. The command line takes precedence over the environment. Its data folder is
 * separate from other installations on the machine.
 */
function venueSettings(): Settings {
  if (typeof options["server"] === "string") process.env.FOLLOWSPOT_VENUE_SERVER = options["server"];
  if (typeof options["token"] === "string") process.env.FOLLOWSPOT_VENUE_TOKEN = options["token"];
  const settings = settingsOrExit();
  if (settings.FOLLOWSPOT_VENUE_SERVER === undefined || settings.FOLLOWSPOT_VENUE_TOKEN === undefined)
    exitWrongUse("venue", "Name the office and the token.");
  if (process.env.FOLLOWSPOT_DATA_DIR !== undefined) return settings;
  process.env.FOLLOWSPOT_DATA_DIR = `${settings.FOLLOWSPOT_DATA_DIR}-venue`;
  return settingsOrExit();
}

/** Creates the demo night if it does not exist, and prints how to delete it. */
async function showDemo(dataDir: string): Promise<void> {
  const child = fork(ADMIN, ["seed-demo"], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) warn("The demo night is not whole: the line above says why.");
  say(`This is the demo night. It ends with Ctrl-C; delete ${dataDir} to begin it anew, or to be rid of it.`);
}

/** Restarts a process when its sources change; a burst of saves restarts it once. */
function restartOnChange(part: { restart(): void }): void {
  let timer: NodeJS.Timeout | undefined;
  for (const folder of [
    "apps/server/src",
    "packages/contract/src",
    "packages/analysis/src",
    "packages/lighting/src",
    "packages/playing/src",
  ]) {
    watch(join(ROOT, folder), { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(() => part.restart(), 300);
    });
  }
}

/** Serves the console from its sources, with hot reload, one port above the API. */
function develop(settings: Settings, running: Running[]): void {
  const port = settings.PORT + 1;
  const vite = fork(join(ROOT, "node_modules/vite/bin/vite.js"), ["--port", String(port), "--strictPort"], {
    cwd: join(ROOT, "apps/console"),
    env: { ...process.env, FOLLOWSPOT_API_PORT: String(settings.PORT) },
    detached: true,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  running.push({ name: "console", stop: () => stopChild(vite, "SIGTERM", 2000) });
  say(`With live reload: http://localhost:${port}/admin`);
}

async function refuseTakenPort(settings: Settings): Promise<void> {
  await requireFreePort(settings).catch((error: NodeJS.ErrnoException & { address?: string }) => {
    const why = error.code === "EADDRINUSE" ? "is taken by another program" : `cannot be used (${error.message})`;
    const at = error.address ?? settings.HOST;
    throw new StartError(`Port ${settings.PORT} on ${at} ${why}. Stop that program or set PORT to another number.`);
  });
}

/** Returns the fingerprint of our own certificate authority; undefined with a certificate of the settings. */
async function requireCertificate(settings: Settings): Promise<string | undefined> {
  return prepareCertificate(settings).catch((error: Error) => {
    throw new StartError(
      `The certificate cannot be used: ${error.message}\nCheck FOLLOWSPOT_TLS_CERT and FOLLOWSPOT_TLS_KEY, or the folder tls in the data folder.`,
    );
  });
}

/** Waits until the API accepts calls, for as long as its process lives: the supervisor kills a hung one. */
function untilHealthy(api: string, hasDied: () => boolean): Promise<void> {
  return waitForStart({
    name: "the API",
    look: () => healthOf(api),
    failure: () => (hasDied() ? new StartError("The API stopped at the start. Its messages are above.") : undefined),
    say,
  });
}

/**
 * Waits until the stage responds, as in {@link untilHealthy}; a rejection counts as a response. @throws StartError if
 * it has died
 */
function untilStageAnswers(port: number, hasDied: () => boolean): Promise<void> {
  return waitForStart({
    name: "the stage",
    look: async () => (await answerOf(stageHealth(port))) !== undefined || "is loading",
    failure: () =>
      hasDied()
        ? new StartError("The stage stopped at the start: lamps get no show until it runs. Its messages are above.")
        : undefined,
    say,
  });
}

// A declaration, because main() uses it before this line runs.
function stageHealth(port: number): string {
  return `http://127.0.0.1:${port}/health`;
}

/** Returns true once the API accepts calls, otherwise its current activity. */
async function healthOf(api: string): Promise<true | string> {
  const answer = await answerOf(`${api}/health`);
  if (answer?.ok) return true;
  const { reasons = [] } = ((await answer?.json().catch(() => ({}))) ?? {}) as { reasons?: readonly string[] };
  return reasons.length === 0 ? "is loading" : `is waiting: ${reasons.join(" ")}`;
}

/** Sends a request; undefined while nothing listens there or the process hangs. */
function answerOf(url: string, ms = ANSWER_MS): Promise<Response | undefined> {
  return fetch(url, { signal: AbortSignal.timeout(ms) }).catch(() => undefined);
}
