import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { accessOf } from "./songs/processing/downloader/link-access.ts";
import { openDownloader } from "./songs/processing/downloader/open-downloader.ts";
import { chosenEngines } from "./songs/audio/engines/engine-choice.ts";
import { createStepRunner } from "./songs/processing/run-step.ts";
import { SongWorker } from "./songs/processing/song-worker.ts";
import { attributeCrashes } from "./songs/processing/step-crash.ts";
import { traceSteps } from "./songs/processing/trace-steps.ts";
import { tryPrograms } from "./songs/processing/try-programs.ts";
import { takeFileLock } from "./platform/files/file-lock.ts";
import { keepHelpersApart } from "./platform/process/helper-account.ts";
import { openLog, withoutRepeats } from "./platform/process/log.ts";
import { outliveReaders } from "./platform/process/lost-readers.ts";
import { inBackground } from "./platform/process/in-background.ts";
import { keepPrivate } from "./platform/files/private-files.ts";
import { exitWrongUse, readOptions } from "./platform/process/program-options.mjs";
import { describeProgram } from "./platform/process/programs.ts";
import { settingsOrExit } from "./platform/settings.ts";
import { onStop } from "./platform/process/stopping.ts";
import { openTraces } from "./platform/process/traces.ts";
import { notifyWatchdog } from "./platform/process/watchdog.ts";
import { fetchedWorkplaces } from "./machines/workers/fetched-workplaces.ts";
import { ServerDoor } from "./machines/workers/server-door.ts";
import { ServerJobs } from "./machines/workers/server-jobs.ts";

/** Exit code if the server rejects this worker permanently, so that a restart would not help. */
const REFUSED = 3;

outliveReaders();
keepPrivate();
// The command line takes precedence over the environment.
const { values: options } = readOptions("worker");
for (const [name, value] of Object.entries(options))
  if (typeof value === "string") process.env[`FOLLOWSPOT_WORKER_${name.toUpperCase()}`] = value;
const settings = settingsOrExit();
const { FOLLOWSPOT_WORKER_SERVER: server, FOLLOWSPOT_WORKER_TOKEN: token } = settings;
if (server === undefined || token === undefined) exitWrongUse("worker", "Name the server and the token.");
// No child process receives the token.
delete process.env.FOLLOWSPOT_WORKER_TOKEN;
const log = openLog("worker", settings);
const warn = withoutRepeats((message) => log.warn(message));
notifyWatchdog(process.env, warn);
const root = join(settings.FOLLOWSPOT_DATA_DIR, "work");
await mkdir(root, { recursive: true });
if (!takeFileLock(join(settings.FOLLOWSPOT_DATA_DIR, "worker.lock"))) {
  process.stderr.write(
    `Another worker works in ${settings.FOLLOWSPOT_DATA_DIR}. Give this one a FOLLOWSPOT_DATA_DIR of its own.\n`,
  );
  process.exit(1);
}
await rm(root, { recursive: true, force: true });
await mkdir(root, { recursive: true });
keepHelpersApart(settings.FOLLOWSPOT_DATA_DIR, warn);

const stopping = new AbortController();
const traces = openTraces(settings, "main-away-worker", warn);
let worker: SongWorker | undefined;
onStop(() => stop(0));
const downloader = openDownloader(settings, warn);
const tried = tryPrograms(settings, downloader, (report) =>
  report.works ? log.info(describeProgram(report)) : warn(describeProgram(report)),
);
// Songs are accepted before slow engines have been tested; an engine that then fails only costs its song time.
let engines = chosenEngines(settings);
inBackground(
  "trying the engines",
  tried.engines.then((usable) => (engines = usable)),
  warn,
);
const door = new ServerDoor({
  server,
  token,
  say: (line) => log.warn(line),
  onEnd: (why) => {
    warn(`${why} This worker ends.`);
    inBackground("stopping", stop(REFUSED), warn);
  },
});
const jobs = new ServerJobs(door, {
  steps: settings.FOLLOWSPOT_WORKER_STEPS,
  root,
  downloader: () => downloader.state,
  warn,
});
const ffmpeg = await tried.ffmpeg;
const welcome = await jobs.start(stopping.signal).catch((error: Error) => {
  if (!stopping.signal.aborted) warn(error.message);
});
if (welcome && !stopping.signal.aborted) {
  log.info(`works as “${welcome.name}” for ${server}`);
  const runStep = createStepRunner({
    places: fetchedWorkplaces(door, root),
    ffmpeg,
    // The server decides.
    stems: false,
    engines: () => engines,
    videoSite: {
      ...{ downloader, ffmpeg, access: accessOf(settings), sites: welcome.link_sites },
      testSite: settings.FOLLOWSPOT_TEST_VIDEO_SITE,
    },
    warn,
  });
  worker = new SongWorker(jobs, traces ? traceSteps(runStep, traces) : runStep, settings.FOLLOWSPOT_CONCURRENCY, warn);
  attributeCrashes(() => inBackground("stopping after a crash", stop(1), warn));
  worker.start();
} else await stop(REFUSED);

async function stop(code: number): Promise<void> {
  if (stopping.signal.aborted) return;
  stopping.abort();
  jobs.close();
  await Promise.all([worker?.close(), downloader.close()]);
  await traces?.close();
  process.exit(code);
}
