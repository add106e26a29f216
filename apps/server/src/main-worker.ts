import { randomUUID } from "node:crypto";
import { availableParallelism } from "node:os";
import { chosenEngines } from "./songs/audio/engines/engine-choice.ts";
import { beatToParent } from "./platform/process/beat.ts";
import { every } from "./platform/every.ts";
import { inBackground } from "./platform/process/in-background.ts";
import { keepHelpersApart } from "./platform/process/helper-account.ts";
import { openLog, withoutRepeats } from "./platform/process/log.ts";
import { outliveReaders } from "./platform/process/lost-readers.ts";
import { keepPrivate } from "./platform/files/private-files.ts";
import { describeProgram } from "./platform/process/programs.ts";
import { accessOf, readCookies } from "./songs/processing/downloader/link-access.ts";
import { openDownloader } from "./songs/processing/downloader/open-downloader.ts";
import { VideoDesk } from "./songs/processing/downloader/video-desk.ts";
import { announcePresence } from "./operations/queues/presence.ts";
import { BROKER_REFUSES, connectBroker, leaveBroker } from "./platform/broker/nats.ts";
import { required, settingsOrExit } from "./platform/settings.ts";
import { onStop } from "./platform/process/stopping.ts";
import { openTraces } from "./platform/process/traces.ts";
import { BrokerJobs } from "./songs/processing/broker-jobs.ts";
import { openSongFiles } from "./songs/catalog/open-song-files.ts";
import { SongWorker } from "./songs/processing/song-worker.ts";
import { attributeCrashes } from "./songs/processing/step-crash.ts";
import { traceSteps } from "./songs/processing/trace-steps.ts";
import { createStepRunner } from "./songs/processing/run-step.ts";
import { tryPrograms } from "./songs/processing/try-programs.ts";
import { workplaces } from "./songs/processing/workplace.ts";

const LOOK_MS = 15_000;

outliveReaders();
beatToParent();
keepPrivate();
const settings = settingsOrExit();
const log = openLog("main-worker", settings);
const warn = withoutRepeats((message) => log.warn(message));
const dataDir = settings.FOLLOWSPOT_DATA_DIR;
keepHelpersApart(dataDir, warn);

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
const ffmpeg = await tried.ffmpeg;
const broker = await connectBroker(required(settings, "NATS_URL"), "main-worker", {
  onRefusal: () => warn(BROKER_REFUSES),
});
const access = accessOf(settings);
const videoSite = {
  ...{ downloader, ffmpeg, access },
  sites: settings.FOLLOWSPOT_LINK_SITES,
  testSite: settings.FOLLOWSPOT_TEST_VIDEO_SITE,
};
const runStep = createStepRunner({
  places: workplaces(openSongFiles(settings)),
  ffmpeg,
  stems: settings.FOLLOWSPOT_STEMS === "on",
  engines: () => engines,
  videoSite,
  warn,
});
const id = `worker-${process.pid}-${randomUUID().slice(0, 8)}`;
const traces = openTraces(settings, "main-worker", warn);
const tracedStep = traces ? traceSteps(runStep, traces) : runStep;
const worker = new SongWorker(new BrokerJobs(broker, id), tracedStep, settings.FOLLOWSPOT_CONCURRENCY, warn);
worker.start();
const desk = new VideoDesk(broker.connection, videoSite, warn);
desk.start();
/** Problem with the cookies; "" if there is none. */
let cookieFault = "";
async function lookAtCookies(): Promise<void> {
  const fault = await readCookies(access).then(
    () => "",
    (error: Error) => error.message,
  );
  if (fault && fault !== cookieFault) warn(fault);
  cookieFault = fault;
}
await lookAtCookies();
const leave = announcePresence(broker.connection, () => ({
  id,
  kind: "worker",
  cores: availableParallelism(),
  downloader: { ...downloader.state, problem: downloader.state.problem || cookieFault },
}));
// An operator may install or repair a downloader, or fix the permissions of the cookies, at any time.
const endLooking = every(
  LOOK_MS,
  "looking for the downloader",
  () => Promise.all([downloader.look(), lookAtCookies()]),
  warn,
);

let isStopping = false;
async function stop(code = 0): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  endLooking();
  desk.close();
  await Promise.all([worker.close(), downloader.close()]);
  leave();
  await Promise.all([leaveBroker(broker), traces?.close()]);
  process.exit(code);
}
attributeCrashes(() => inBackground("restarting after a crash", stop(1), warn));
onStop(stop);
