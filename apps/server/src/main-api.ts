import { setTimeout as pause } from "node:timers/promises";
import type { JobOutcome } from "@followspot/contract";
import { GENERIC_FIXTURES } from "@followspot/lighting";
import { BrokerSide } from "./api/broker-side.ts";
import { createApi } from "./api/create-api.ts";
import { CodeDelivery } from "./community/auth/delivery/code-delivery.ts";
import { SignInCodeFile } from "./community/auth/delivery/code-file.ts";
import { deliveryChannels } from "./community/auth/delivery/delivery-channels.ts";
import { StoreWatch } from "./platform/blobs/store-watch.ts";
import { lookAtDemoNight } from "./night/first-steps/demo-nights.ts";
import { openFixtureLibrary } from "./lights/fixture-library.ts";
import { openSongFiles } from "./songs/catalog/open-song-files.ts";
import { advanceQueue } from "./songs/queue/show-queue.ts";
import { countPurgedFiles } from "./songs/library/song-metrics.ts";
import { SongTraces } from "./songs/processing/song-traces.ts";
import { watchOutputs } from "./night/output-watch.ts";
import { watchSound } from "./night/sound-watch.ts";
import { AcmeCertificate } from "./platform/http/acme-certificate.ts";
import { beatToParent } from "./platform/process/beat.ts";
import { requireApart } from "./platform/database/communities.ts";
import { DatabaseWatch } from "./platform/database/database-watch.ts";
import { openDatabase } from "./platform/database/database.ts";
import { every } from "./platform/every.ts";
import { keepHelpersApart } from "./platform/process/helper-account.ts";
import { openHttps, type Https } from "./platform/http/https.ts";
import { inBackground } from "./platform/process/in-background.ts";
import { endLostYield } from "./lights/standby-role.ts";
import { listen } from "./platform/http/listen.ts";
import { openLog, withoutRepeats } from "./platform/process/log.ts";
import { outliveLostConnections } from "./platform/database/lost-connections.ts";
import { outliveReaders } from "./platform/process/lost-readers.ts";
import { Metrics } from "./platform/process/metrics.ts";
import { migrate } from "./platform/database/migrate.ts";
import { ownAddress } from "./platform/http/own-address.ts";
import { keepPrivate } from "./platform/files/private-files.ts";
import { required, settingsOrExit } from "./platform/settings.ts";
import { onStop } from "./platform/process/stopping.ts";
import { openTraces } from "./platform/process/traces.ts";
import { SAMPLE_MS } from "./operations/queues/queue-lag.ts";
import { Upkeep } from "./api/upkeep.ts";

/** Time for a component to stop before the process exits anyway, ms. */
const STOP_MS = 8000;
/** Time to answer open calls after a shutdown began, ms. */
const ANSWER_MS = 3000;
/** Interval between health checks of the song store, ms. */
const STORE_MS = 2500;
/** Interval between health checks of the stage, ms. */
const STAGE_MS = 1000;
/** Interval between checks whether the current song has ended, ms. */
const QUEUE_MS = 250;
/** Interval after which an interrupted demo night is continued, ms. */
const DEMO_MS = 10_000;

let isStopping = false;

outliveReaders();
outliveLostConnections();
beatToParent();
keepPrivate();
const settings = settingsOrExit();
const { FOLLOWSPOT_DATA_DIR: dataDir } = settings;
const log = openLog("main-api", settings);
const warn = withoutRepeats((message) => log.warn(message));
keepHelpersApart(dataDir, warn);
const secret = new TextEncoder().encode(required(settings, "FOLLOWSPOT_SECRET"));
const sql = openDatabase(required(settings, "DATABASE_URL"), 20, dataDir);
await migrate(sql, warn);
await requireApart(sql);
const database = new DatabaseWatch(sql, log);

const channels = deliveryChannels(settings);
/** Codes that no channel delivers, if the log is collected elsewhere. */
const codeFile = new SignInCodeFile(dataDir);
const delivery = new CodeDelivery({
  sql,
  secret,
  community: settings.FOLLOWSPOT_COMMUNITY_NAME,
  warn,
  channels,
  print: (line) => {
    if (settings.FOLLOWSPOT_LOG_FORMAT === "json") {
      inBackground("storing a sign-in code", codeFile.add(line), warn);
      log.info(`A sign-in code is in ${codeFile.path}.`);
    } else process.stdout.write(line);
  },
});
const files = openSongFiles(settings);
const traces = openTraces(settings, "main-api", warn);
const songTraces = traces && new SongTraces(sql, traces);
const onSettled = (report: JobOutcome) => songTraces?.settled(report);
const storeWatch = new StoreWatch(files.store, warn);
const metrics = new Metrics();
const upkeep = new Upkeep({
  ...{ sql, files, settings, warn },
  countPurged: countPurgedFiles(metrics),
  info: (message) => log.info(message),
  isStopping: () => isStopping,
});
// An unavailable store must not prevent the start of the API.
inBackground("looking for the store of songs", storeWatch.look(), warn);
if (files.isLocal) await upkeep.tidyUp();
else inBackground("tidying up", upkeep.tidyUp(), warn);

const broker = new BrokerSide({ settings, sql, files, onSettled, log, warn });
const address = settings.FOLLOWSPOT_API ?? ownAddress(settings);
const lookAtDemo = () => lookAtDemoNight({ sql, secret, api: address });
const https = settings.FOLLOWSPOT_HTTPS === "on" ? await openHttps(settings, warn) : undefined;
const acme = https && (await openAcme(https));
const api = await createApi({
  ...{ settings, sql, database, secret, files, delivery, channels, metrics, https, acme, onSettled, warn },
  fixtures: await openFixtureLibrary(sql, GENERIC_FIXTURES),
  broker: () => broker.broker,
  brokerState: () => broker.state,
  storeFaults: () => storeWatch.reasons,
  warnings: () => broker.warnings,
  spans: traces,
  onImported: (songId) => songTraces?.imported(songId),
  onDemoNight: () => inBackground("the demo night", lookAtDemo(), warn),
});
const { live, stage } = api;
database.start();
delivery.start();
live.announcements.start();
await listen(api.http.app, settings);
acme?.start();

const playOn = async () => {
  if (await advanceQueue({ sql, sounds: live.sounds })) live.onQueue();
};
const closers: (() => Promise<unknown> | unknown)[] = [
  () => database.close(),
  () => https?.close(),
  () => acme?.close(),
  () => delivery.close(),
  upkeep.start(),
  every(STORE_MS, "looking for the store of songs", () => storeWatch.look(), warn),
  every(STAGE_MS, "looking at the stage", () => live.stageWatch.look(), warn),
  every(QUEUE_MS, "playing on", playOn, warn),
  every(QUEUE_MS, "looking for the standby", () => endLostYield(sql), warn),
  every(DEMO_MS, "the demo night", lookAtDemo, warn),
  every(SAMPLE_MS, "looking what waits", () => api.trend.sample(broker.broker), warn),
  watchOutputs({ sql, askStage: (path) => stage.askStage(path) }, warn),
  watchSound(sql, warn),
  () => broker.close(),
];
inBackground("joining the broker", broker.join(live), warn);
upkeep.bringUpToDate();

/** Opens the certificate for FOLLOWSPOT_ACME, if it is set. */
async function openAcme({ tls }: Https): Promise<AcmeCertificate | undefined> {
  const { FOLLOWSPOT_ACME: name } = settings;
  if (name === undefined) return undefined;
  return AcmeCertificate.open(
    { ...settings, FOLLOWSPOT_ACME: name },
    { use: (certificate) => tls.addContext(name, certificate), info: (line) => log.info(line), warn },
  );
}

async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  broker.stop();
  setTimeout(() => process.exit(0), settings.FOLLOWSPOT_LEAVE_SECONDS * 1000 + STOP_MS).unref();
  api.leave();
  await pause(settings.FOLLOWSPOT_LEAVE_SECONDS * 1000);
  await api.close(ANSWER_MS);
  for (const close of closers.reverse()) await close();
  await traces?.close();
  await sql.end({ timeout: 5 });
  process.exit(0);
}
onStop(stop);
