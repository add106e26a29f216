import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Server as TlsServer } from "node:tls";
import { PLAYER_PATHS, type JobOutcome } from "@followspot/contract";
import { GENERIC_FIXTURES } from "@followspot/lighting";
import { accountingRoutes } from "./accounting/accounting.routes.ts";
import { auditRoutes } from "./audit/audit.routes.ts";
import { authRoutes } from "./auth/auth.routes.ts";
import { CodeDelivery } from "./auth/delivery/code-delivery.ts";
import { deliveryChannels } from "./auth/delivery/delivery-channels.ts";
import { forgetSignIn } from "./auth/sign-in-tries.store.ts";
import { pageSession } from "./auth/page-session.ts";
import { Sessions } from "./auth/sessions.ts";
import { countBackups, describeBackup, readLastBackup } from "./backup/last-backup.ts";
import { StoreWatch } from "./blobs/store-watch.ts";
import { chatRoutes } from "./chat/chat.routes.ts";
import { forgetChats, listensToThread, whoLeftThread } from "./chat/membership.ts";
import { takesBack } from "./chat/taken-back.ts";
import { registerApiFiles } from "./console/api-files.http.ts";
import { registerConsole } from "./console/console.http.ts";
import { isTrustPath, registerTrustPage } from "./console/trust-page.http.ts";
import { AnnouncementClock } from "./director/announcement-clock.ts";
import { directorRoutes } from "./director/director.routes.ts";
import { StagePages } from "./director/stage-pages.ts";
import { registerStagePages, showsLamps } from "./director/stage-pages.http.ts";
import { FilmShelf } from "./film/film-shelf.ts";
import { registerFilmHttp } from "./film/film.http.ts";
import { lackOfStage } from "./film/lack-of-stage.ts";
import { eventRoutes } from "./event/event.routes.ts";
import { leavePlaces } from "./event/move-up.ts";
import { KEPT_OF_PEOPLE } from "./kept-of-people.ts";
import { openFixtureLibrary } from "./lights/fixture-library.ts";
import { registerFixturesHttp } from "./lights/fixtures.http.ts";
import { lightsRoutes } from "./lights/lights.routes.ts";
import type { ReadSongFile } from "./lights/plan-events.ts";
import { countStage } from "./lights/stage-metrics.ts";
import { readRig, readStageRig, rigRevision } from "./lights/stage-rig.ts";
import { FindVideos } from "./music/find-videos.ts";
import { readCorrected } from "./music/correct-song.ts";
import { registerMusicHttp } from "./music/music.http.ts";
import { musicRoutes } from "./music/music.routes.ts";
import { openSongFiles } from "./music/open-song-files.ts";
import { advanceQueue, queueForStage, yieldQueue } from "./music/show-queue.ts";
import { readPlan } from "./music/plan-revisions.ts";
import { queuePauses } from "./music/queue-pauses.store.ts";
import { SongSounds } from "./music/song-sounds.ts";
import { SongPipeline } from "./music/song-pipeline.ts";
import { SongTraces } from "./music/song-traces.ts";
import { countPurgedFiles, countSongPipeline } from "./music/song-metrics.ts";
import { findSong } from "./music/songs.store.ts";
import { describeDownloaders } from "./music/video.routes.ts";
import { lookAtDemoNight } from "./first-steps/demo-nights.ts";
import { firstStepsRoutes } from "./first-steps/first-steps.routes.ts";
import { guestRoutes } from "./guest/guest.routes.ts";
import { dropSoundFault } from "./night/faults.store.ts";
import { registerNightHttp } from "./night/night.http.ts";
import { nightRoutes } from "./night/night.routes.ts";
import { watchOutputs } from "./night/output-watch.ts";
import { watchSound } from "./night/sound-watch.ts";
import { AcmeCertificate } from "./platform/acme-certificate.ts";
import { CHALLENGE_PATH } from "./platform/acme-client.ts";
import { beatToParent } from "./platform/beat.ts";
import { areSeveral, requireApart } from "./platform/communities.ts";
import { brokerFlaw, deniesAdmin, isBelowFloor } from "./platform/broker-floor.ts";
import { DatabaseWatch } from "./platform/database-watch.ts";
import { openDatabase } from "./platform/database.ts";
import { freeBytes } from "./platform/disk.ts";
import { endLostYield } from "./platform/lamp-part.ts";
import { every } from "./platform/every.ts";
import { readHealth, registerHealth } from "./platform/health.http.ts";
import { keepHelpersApart } from "./platform/helper-account.ts";
import { createHttpServer, routeUpgrades } from "./platform/http-server.ts";
import { acceptTls, openHttps, redirectToHttps } from "./platform/https.ts";
import { registerMedia } from "./platform/images.ts";
import { inBackground } from "./platform/in-background.ts";
import { Leaving } from "./platform/leaving.ts";
import { listen } from "./platform/listen.ts";
import { openLog, withoutRepeats } from "./platform/log.ts";
import { outliveLostConnections } from "./platform/lost-connections.ts";
import { outliveReaders } from "./platform/lost-readers.ts";
import { Metrics } from "./platform/metrics.ts";
import { migrate } from "./platform/migrate.ts";
import { BROKER_REFUSES, connectBroker, ensureStreams, leaveBroker, type Broker } from "./platform/nats.ts";
import { OutboxRelay } from "./platform/outbox-relay.ts";
import { linkAddressFor, ownAddress } from "./platform/own-address.ts";
import { keepPrivate } from "./platform/private-files.ts";
import { findFfmpeg } from "./platform/programs.ts";
import { httpsOnlyHost } from "./platform/response-headers.ts";
import { registerRpc } from "./platform/rpc.ts";
import { linkOrigin } from "./platform/s3-address.ts";
import { required, settingsOrExit } from "./platform/settings.ts";
import { machineId } from "./platform/stage-lease.ts";
import { onStop } from "./platform/stopping.ts";
import { openTraces } from "./platform/traces.ts";
import { announcePresence, Presence } from "./queues/presence.ts";
import { describePauses } from "./queues/describe-pauses.ts";
import { registerQueues } from "./queues/queues.http.ts";
import { QueueTrend, SAMPLE_MS } from "./queues/queue-lag.ts";
import { queuesRoutes } from "./queues/queues.routes.ts";
import { registerRecordingHttp } from "./recording/recording.http.ts";
import { recordingRoutes } from "./recording/recording.routes.ts";
import { EventFeed } from "./realtime/event-feed.ts";
import { createEventsSocket } from "./realtime/events-socket.ts";
import { PassingEnvelopes } from "./realtime/passing-envelopes.ts";
import { registerPlayerSongs } from "./sound/player-songs.http.ts";
import { outputKey } from "./sound/output-key.ts";
import { Players } from "./sound/players.ts";
import { readOutputProblem } from "./sound/seen-players.ts";
import { soundRoutes } from "./sound/sound.routes.ts";
import { registerStageLink } from "./stage-link/stage-link.http.ts";
import { StageWatch } from "./stage-link/stage-watch.ts";
import { copyTalks } from "./talk/copy-talks.ts";
import { talkRoutes } from "./talk/talk.routes.ts";
import { withdrawVotes } from "./talk/withdraw-votes.ts";
import { Upkeep } from "./upkeep.ts";
import { userRoutes } from "./user/user.routes.ts";
import type { StageNow } from "./venues/first-now.ts";
import { venueRoutes } from "./venues/venues.routes.ts";
import { registerVenuesHttp } from "./venues/venues.http.ts";
import { registerWorkersHttp } from "./workers/workers.http.ts";
import { workersHere } from "./workers/workers.store.ts";

/** Time for a component to stop before the process exits anyway, ms. */
const STOP_MS = 8000;
/** Time to answer open calls after a shutdown began, ms. */
const ANSWER_MS = 3000;
const TRY_AGAIN_MS = 2000;
/** Interval between health checks of the song store, ms. */
const STORE_MS = 2500;
/** Interval between health checks of the stage, ms. */
const STAGE_MS = 1000;
/** Interval between checks whether the current song has ended, ms. */
const QUEUE_MS = 250;
/** Interval after which an interrupted demo night is continued, ms. */
const DEMO_MS = 10_000;

outliveReaders();
outliveLostConnections();
beatToParent();
keepPrivate();
const settings = settingsOrExit();
const log = openLog("main-api", settings);
const warn = withoutRepeats((message) => log.warn(message));
keepHelpersApart(settings.FOLLOWSPOT_DATA_DIR, warn);
const secret = new TextEncoder().encode(required(settings, "FOLLOWSPOT_SECRET"));
const sql = openDatabase(required(settings, "DATABASE_URL"), 20, settings.FOLLOWSPOT_DATA_DIR);
await migrate(sql, warn);
await requireApart(sql);
const database = new DatabaseWatch(sql, log);

const sessions = new Sessions(sql, secret);
const authenticate = sessions.ofHeaders.bind(sessions);
const channels = deliveryChannels(settings);
const delivery = new CodeDelivery({
  sql,
  secret,
  community: settings.FOLLOWSPOT_COMMUNITY_NAME,
  warn,
  channels,
  print: (line) => {
    if (settings.FOLLOWSPOT_LOG_FORMAT === "json") log.info(line.trim());
    else process.stdout.write(line);
  },
});
const files = openSongFiles(settings);
const traces = openTraces(settings, "main-api", warn);
const songTraces = traces && new SongTraces(sql, traces);
const onImported = (songId: string) => songTraces?.imported(songId);
const onSettled = (report: JobOutcome) => songTraces?.settled(report);
const storeWatch = new StoreWatch(files.store, warn);
const sounds = new SongSounds(files);
const shelf = new FilmShelf(settings.FOLLOWSPOT_DATA_DIR, new URL("./cli/song.ts", import.meta.url));
const {
  FOLLOWSPOT_TRUST_PROXY: trustProxy,
  FOLLOWSPOT_ALLOWED_ORIGINS: allowedOrigins,
  FOLLOWSPOT_BASE_PATH: basePath,
} = settings;
const lastBackup = () => readLastBackup(settings.FOLLOWSPOT_DATA_DIR);
const storeFaults = () => storeWatch.reasons;
const freeOfData = () => freeBytes(settings.FOLLOWSPOT_DATA_DIR);
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
const fixtures = await openFixtureLibrary(sql, GENERIC_FIXTURES);
const presence = new Presence();
const trend = new QueueTrend();
/** Workers that process songs: local ones and those on other machines. */
const workers = async () => [...presence.list("worker"), ...(await workersHere(sql).catch(() => []))];
/** Workers that accept links; a worker of an earlier release accepts them without reporting it. */
const downloaders = async () => {
  const elsewhere = await workersHere(sql).catch(() => []);
  return [...presence.list("worker"), ...elsewhere.filter(({ downloader }) => downloader)];
};

// NATS may become available later: until then the API answers, and accepted songs wait in the database.
let broker: Broker | undefined;
let relay: OutboxRelay | undefined;
let isRefusing = false;
/** Known vulnerability of the broker. */
let flaw: ReturnType<typeof brokerFlaw>;
const brokerState = () => {
  const isUp = broker?.isUp() ?? false;
  const unusedBecause = flaw?.isRefused ? flaw.says : undefined;
  const isStoring = (relay?.isStoring ?? true) && (broker?.hasStreams() ?? true);
  return { isUp, isStoring, isRefusing: isRefusing && !isUp, unusedBecause };
};
const videos = new FindVideos(() => broker?.connection);
const feed = new EventFeed(warn, takesBack);
const newsSince = () => feed.newest ?? "";
const events = createEventsSocket({
  sessions,
  memberships: { "chat.thread": listensToThread(sql) },
  whoLeft: whoLeftThread,
  replay: (topic, after) => feed.replay(topic, after),
  origins: allowedOrigins,
});
const passing = new PassingEnvelopes(events.publish);

const pages = new StagePages({ sql, playing: songOnStage, warn });
const announcements = new AnnouncementClock({ sql, onEnd: (screenId) => pages.refresh(screenId), warn });
const lookAtAnnouncements = () => inBackground("ending announcements", announcements.look(), warn);
const onScreenChange = (screenId: string) => {
  pages.refresh(screenId);
  lookAtAnnouncements();
};

const players = new Players({
  sql,
  sounds,
  secret,
  ...(settings.FOLLOWSPOT_STAGE_SECRET && { outputKey: outputKey(settings.FOLLOWSPOT_STAGE_SECRET) }),
  onHeard: (heard) => stageLink.tellHeard(heard),
  onPlayedOn: dropSoundFault,
  onQueue,
  warn,
});

const api = settings.FOLLOWSPOT_API ?? ownAddress(settings);
const lookAtDemo = () => lookAtDemoNight({ sql, secret, api });

const { noteFailure } = database;
const country = settings.FOLLOWSPOT_COUNTRY;
const http = await createHttpServer({
  ...{ noteFailure, authenticate, trustProxy, basePath, allowedOrigins },
  httpsOnlyHost: httpsOnlyHost(settings),
});
const { app } = http;
const https = settings.FOLLOWSPOT_HTTPS === "on" ? await openHttps(settings, warn) : undefined;
const acme = https && (await openAcme(https.tls));
if (https) {
  const isTrust = (url: string) => https.authority !== undefined && isTrustPath(url);
  redirectToHttps(app, ({ url }) => isTrust(url) || url.startsWith(CHALLENGE_PATH));
  acceptTls(app.server, https.tls);
}
acme?.registerChallenges(app);
const leaving = new Leaving(app.server);
const readSongFile: ReadSongFile = (id, name) =>
  name === "hybrid.json" ? readCorrected(sql, files, id) : readPlan(sql, files, id);
await registerRpc(app, {
  sql,
  authenticate,
  noteFailure,
  onCall: (method, code, seconds) => metrics.countCall(method, code, seconds),
  routes: [
    authRoutes({ sql, sessions, newsSince, secret, delivery, warn, country, basePath }),
    userRoutes({
      sql,
      secret,
      signIns: sessions,
      country,
      forgetSignIn: forgetSignIn(country),
      forget: [forgetChats],
      leave: [leavePlaces],
      kept: KEPT_OF_PEOPLE,
    }),
    eventRoutes({ sql, secret, copyTalks, withdrawVotes }),
    talkRoutes({ sql }),
    guestRoutes({ sql, newsSince, secret }),
    musicRoutes({
      sql,
      files,
      sounds,
      onQueue,
      onImported,
      films: {
        shelf,
        rig: () => readRig(sql, fixtures),
        ffmpeg: () => findFfmpeg(settings),
        lackOfStage: () => lackOfStage(settings.FOLLOWSPOT_CHROMIUM),
      },
      linkSites: settings.FOLLOWSPOT_LINK_SITES,
      videos: { find: (request) => videos.find(request), downloaders },
    }),
    lightsRoutes({ sql, fixtures, readSongFile, askStage: (...asked) => stageLink.askStage(...asked) }),
    accountingRoutes({ sql }),
    auditRoutes({ sql }),
    chatRoutes({ sql, tellNow: passing.tell }),
    directorRoutes({ sql, secret, onChange: onScreenChange, onQueue }),
    recordingRoutes({ sql, askStage: (...asked) => stageLink.askStage(...asked) }),
    soundRoutes({ sql, secret, players }),
    queuesRoutes({ sql, broker: () => broker, presence, linkSites: settings.FOLLOWSPOT_LINK_SITES }),
    venueRoutes({ sql }),
    firstStepsRoutes({
      sql,
      onDemoNight: () => inBackground("the demo night", lookAtDemo(), warn),
    }),
    nightRoutes({
      sql,
      files,
      fixtures,
      channels: () => channels,
      country,
      askStage: (path) => stageLink.askStage(path),
      freeBytes: freeOfData,
      lastBackup,
      workers,
      reasons: async () =>
        (await readHealth({ database, broker: brokerState, freeBytes: freeOfData, faults: storeFaults })).reasons,
    }),
  ],
});
registerMedia(app, { sql, authenticate });
registerMusicHttp(http, { sql, files, onImported });
registerWorkersHttp(http, {
  sql,
  files,
  stems: settings.FOLLOWSPOT_STEMS === "on",
  linkSites: settings.FOLLOWSPOT_LINK_SITES,
  onSettled,
});
registerVenuesHttp(http, {
  ...{ sql, files, secret, onQueue },
  office: settings.FOLLOWSPOT_COMMUNITY_NAME,
  stage: stageNow,
});
registerFilmHttp(http, { shelf });
registerFixturesHttp(http, { sql });
registerNightHttp(http, { sql });
registerRecordingHttp(http, { dataDir: settings.FOLLOWSPOT_DATA_DIR });
registerQueues(http, { sql, broker: () => broker, presence, trend, lastBackup });
const { FOLLOWSPOT_STAGE_SECRET: stageSecret, FOLLOWSPOT_DATA_DIR: dataDir } = settings;
const machine = stageSecret && machineId(stageSecret, dataDir);
const stageLink = registerStageLink(app, {
  settings,
  admit: http.admit,
  callerNow: (caller) => sessions.again(caller),
  findPlan: (songId) => readPlan(sql, files, songId),
  rig: () => readStageRig(sql, fixtures, machine),
  rigRevision: () => rigRevision(sql),
  queue: () => queueForStage(sql),
  onQueueTaken: (songId) => yieldQueue(sql, songId),
  showsLamps: (screenId, key) => showsLamps(sql, secret, screenId, key),
  withheldBecause: () => stageWatch.withheldBecause,
  origins: allowedOrigins,
  spans: traces,
});
const stageWatch = new StageWatch(() => stageLink.askStage("/health"));
registerStagePages(app, { sql, secret, pages, rig: async () => (await readStageRig(sql, fixtures)).rig });
registerPlayerSongs(app, { sql, secret, files });
registerApiFiles(app, basePath);
if (https?.authority) registerTrustPage(app, https.authority, basePath);
await registerConsole(app, {
  publicSite: settings.FOLLOWSPOT_PUBLIC_SITE,
  soundFrom: linkOrigin(settings.FOLLOWSPOT_BLOBS),
  basePath,
  linkAddressFor: (host) => linkAddressFor(settings, host),
  sessionOf: pageSession(sql, sessions, newsSince),
});
const pauses = async () => describePauses(await queuePauses(sql));
const soundOutput = async () => {
  const problem = await readOutputProblem(sql);
  return problem && { sound_output: problem };
};
const moreOfHealth = async () => ({
  pauses: await pauses().catch(() => []),
  ...describeDownloaders(await workers()),
  backup: describeBackup(await lastBackup(), Date.now()),
  ...(await soundOutput().catch(() => ({}))),
});
const conditions = {
  database,
  broker: brokerState,
  freeBytes: freeOfData,
  faults: () => [...storeFaults(), ...stageWatch.reasons, ...(acme?.reasons ?? [])],
};
registerHealth(http, {
  ...conditions,
  isLeaving: () => leaving.hasBegun,
  warnings: async () => [
    ...(stageWatch.withheldBecause ? [stageWatch.withheldBecause] : []),
    ...(flaw && !flaw.isRefused ? [flaw.says] : []),
    ...(acme?.warnings ?? []),
    ...(await pauses()).map(({ warning }) => warning),
  ],
  metrics,
  more: moreOfHealth,
});
metrics.gauge("event_sockets", "Open sockets of /ws/events", () => events.connectionCount());
metrics.gauge("event_topics", "Topics all sockets of /ws/events listen to", () => events.listeningCount());
metrics.gauge("stage_pages", "Open pages that show a stage screen", () => pages.count);
metrics.gauge("players", "Open players of sound", () => players.count);
metrics.gauge("database_refused_hosts", "Hosts that take changes beside the one in use", () => database.refusedHosts);
metrics.gauge("outbox_messages", "Messages that wait for the broker", async () => {
  const [row] = await sql<{ waiting: number }[]>`select count(*)::int as waiting from outbox`;
  return row?.waiting ?? 0;
});
metrics.gaugePer("stream_messages", "Messages in the broker's streams", ["stream"], async () => {
  const streams: [{ stream: string }, number][] = [];
  if (broker)
    for await (const { config, state } of broker.jsm.streams.list())
      streams.push([{ stream: config.name }, state.messages]);
  return streams;
});
metrics.gauge("workers", "Workers that are alive, on other machines too", async () => (await workers()).length);
metrics.gauge("free_bytes", "Free bytes on the disk of the data folder", freeOfData);
metrics.gauge("faults", "Reasons in /health", async () => (await readHealth(conditions)).reasons.length);
countBackups(metrics, lastBackup);
countSongPipeline(metrics, sql);
countStage(metrics, { sql, askStage: (path) => stageLink.askStage(path) });

routeUpgrades(app, (path) => {
  if (path === "/ws/events") return events.handleUpgrade;
  if (path === PLAYER_PATHS.socket) return (...args) => players.handleUpgrade(...args);
  return /^\/lights\/(playback\/|desk$|sound$|lamps(\/|$))/.test(path)
    ? (...args) => inBackground("opening a socket", stageLink.handleUpgrade(...args), warn)
    : undefined;
});
database.start();
delivery.start();
announcements.start();
await listen(app, settings);
acme?.start();

const playOn = async () => {
  if (await advanceQueue({ sql, sounds })) onQueue();
};
const closers: (() => Promise<unknown> | unknown)[] = [
  () => database.close(),
  () => shelf.close(),
  () => https?.close(),
  () => acme?.close(),
  () => delivery.close(),
  upkeep.start(),
  every(STORE_MS, "looking for the store of songs", () => storeWatch.look(), warn),
  every(STAGE_MS, "looking at the stage", () => stageWatch.look(), warn),
  every(QUEUE_MS, "playing on", playOn, warn),
  every(QUEUE_MS, "looking for the standby", () => endLostYield(sql), warn),
  every(DEMO_MS, "the demo night", lookAtDemo, warn),
  every(SAMPLE_MS, "looking what waits", () => trend.sample(broker), warn),
  watchOutputs({ sql, askStage: (path) => stageLink.askStage(path) }, warn),
  watchSound(sql, warn),
];
let isStopping = false;
inBackground("joining the broker", joinBroker(), warn);
upkeep.bringUpToDate();

/** Opens the certificate for FOLLOWSPOT_ACME, if it is set. */
async function openAcme(tls: TlsServer): Promise<AcmeCertificate | undefined> {
  const { FOLLOWSPOT_ACME: name } = settings;
  if (name === undefined) return undefined;
  return AcmeCertificate.open(
    { ...settings, FOLLOWSPOT_ACME: name },
    { use: (certificate) => tls.addContext(name, certificate), info: (line) => log.info(line), warn },
  );
}

async function joinBroker(): Promise<void> {
  const found = await connectBroker(required(settings, "NATS_URL"), "main-api", {
    replicas: settings.FOLLOWSPOT_NATS_REPLICAS,
    onReturn: () => {
      isRefusing = false;
      inBackground("preparing the streams", prepareStreams(found), warn);
    },
    onRefusal: () => {
      isRefusing = true;
      warn(BROKER_REFUSES);
    },
    onStreamsLost: () => {
      warn("streams of the broker were deleted: they are created again");
      inBackground("preparing the streams", ensureStreams(found), warn);
    },
    onSilence: () => {
      warn("the broker does not answer: songs wait, and news come late");
      events.sayAll("unavailable", "News come late: the server's message broker does not answer");
    },
    onSilenceOver: () => {
      log.info("the broker is back");
      events.reset();
      pages.refreshAll();
    },
  });
  isRefusing = false;
  closers.push(() => leaveBroker(found));
  for (;;) {
    flaw = await readFlaw(found);
    if (flaw) warn(flaw.says);
    if (!flaw?.isRefused) break;
    await pause(TRY_AGAIN_MS);
    if (isStopping) return;
  }
  broker = found;
  await prepareStreams(found);
  const id = randomUUID();
  const self = () => ({ id, kind: "api" }) as const;
  const pipeline = new SongPipeline(sql, found, files, warn, { onSettled });
  const outbox = (relay = new OutboxRelay(sql, found, warn));
  presence.listen(found.connection);
  passing.join(found.connection);
  feed.start(found, {
    onEnvelope: (envelope) => {
      if (envelope.type === "session.ended") {
        const { user_id, session_id } = envelope.payload as { user_id: string; session_id?: string };
        sessions.forget({ userId: user_id, sessionId: session_id });
        stageLink.endSessions({ userId: user_id, sessionId: session_id });
      }
      events.publish(envelope);
      pages.hear(envelope);
      players.hear(envelope);
      if (envelope.type.startsWith("stage_screen.")) lookAtAnnouncements();
    },
    onGap: () => {
      events.reset();
      pages.refreshAll();
    },
  });
  pipeline.start();
  outbox.start();
  const leave = announcePresence(found.connection, self);
  // Last in, first out: the connection is closed when no component uses it any more.
  closers.push(
    leave,
    () => feed.close(),
    () => outbox.close(),
    () => pipeline.close(),
  );
}

/** Returns the known vulnerability of a broker; the check is repeated once it was updated. */
async function readFlaw({ connection }: Broker) {
  const version = connection.info?.version ?? "";
  return brokerFlaw({
    version,
    isOwn: settings.FOLLOWSPOT_OWN_BROKER === "1",
    areSeveral: await areSeveral(sql).catch(() => true), // the database may be away
    deniesAdmin: isBelowFloor(version) && (await deniesAdmin(connection)),
  });
}

/** Retries until it succeeds: before that no event is published and no song moves. */
async function prepareStreams(found: Broker): Promise<void> {
  while (!isStopping) {
    try {
      return await ensureStreams(found);
    } catch (error) {
      warn(`the streams could not be prepared: ${(error as Error).message}`);
      await pause(TRY_AGAIN_MS);
    }
  }
}

/** Notifies stage and players of a queue change, ahead of the event over NATS. */
function onQueue(): void {
  stageLink.ringStage();
  players.refresh();
}

/** Returns the state of this machine's stage, for its standby. */
async function stageNow(): Promise<StageNow> {
  try {
    return (await stageLink.askStage("/health")) as StageNow;
  } catch {
    return { up_ms: 0, blackout: false };
  }
}

/** Returns the song that the lights follow, for the stage pages. */
async function songOnStage() {
  const songId = await stageLink.songPlaying();
  const song = songId === undefined ? undefined : await findSong(sql, songId);
  return song ? { title: song.title, artist: song.artist } : null;
}

async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => process.exit(0), settings.FOLLOWSPOT_LEAVE_SECONDS * 1000 + STOP_MS).unref();
  leaving.begin();
  await pause(settings.FOLLOWSPOT_LEAVE_SECONDS * 1000);
  events.close();
  const playersTold = players.close();
  pages.close();
  await announcements.close();
  await stageLink.close();
  const closed = app.close();
  await leaving.answerAll(ANSWER_MS);
  await closed;
  await playersTold;
  for (const close of closers.reverse()) await close();
  await traces?.close();
  await sql.end({ timeout: 5 });
  process.exit(0);
}
onStop(stop);
