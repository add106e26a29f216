import { chosenEngines } from "./audio/engines/engine-choice.ts";
import { openLog } from "./platform/log.ts";
import { describeProgram } from "./platform/programs.ts";
import { announcePresence } from "./queues/presence.ts";
import { connectBroker, leaveBroker } from "./platform/nats.ts";
import { required, settingsOrExit } from "./platform/settings.ts";
import { onStop } from "./platform/stopping.ts";
import { SongFiles } from "./music/song-files.ts";
import { SongWorker } from "./music/song-worker.ts";
import { createStepRunner } from "./music/run-step.ts";
import { tryPrograms } from "./music/try-programs.ts";

const settings = settingsOrExit();
const log = openLog("main-worker", settings);
const warn = (message: string) => log.warn(message);
const dataDir = settings.FOLLOWSPOT_DATA_DIR;

const tried = tryPrograms(settings, (report) => warn(describeProgram(report)));
// Songs are taken before slow engines have been tried; one that fails meanwhile costs its song time only.
let engines = chosenEngines(settings);
void tried.engines.then((usable) => (engines = usable));
const ffmpeg = await tried.ffmpeg;
const broker = await connectBroker(required(settings, "NATS_URL"), "main-worker");
const runStep = createStepRunner({
  files: new SongFiles(dataDir),
  ffmpeg,
  stems: settings.FOLLOWSPOT_STEMS === "on",
  engines: () => engines,
  videoSite: {
    ytdlp: settings.FOLLOWSPOT_YTDLP,
    floor: settings.FOLLOWSPOT_YTDLP_FLOOR,
    ffmpeg,
    testSite: settings.FOLLOWSPOT_TEST_VIDEO_SITE,
  },
  warn,
});
const worker = new SongWorker(broker, runStep, settings.FOLLOWSPOT_CONCURRENCY, warn);
worker.start();
const leave = announcePresence(broker.connection, { id: worker.id, kind: "worker" });

let isStopping = false;
async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  await worker.close();
  leave();
  await leaveBroker(broker);
  process.exit(0);
}
onStop(stop);
