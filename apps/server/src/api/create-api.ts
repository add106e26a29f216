import { toJson } from "@bufbuild/protobuf";
import { PublicEventSchema } from "@followspot/contract/guest";
import { pageSession } from "../community/auth/page-session.ts";
import { Sessions } from "../community/auth/sessions.ts";
import { readLastBackup } from "../operations/backup/last-backup.ts";
import { registerApiFiles } from "./console/api-files.http.ts";
import { registerConsole } from "./console/console.http.ts";
import { isTrustPath, registerTrustPage } from "./console/trust-page.http.ts";
import { registerStagePages } from "../night/director/stage-pages.http.ts";
import { FilmShelf } from "../songs/film/film-shelf.ts";
import { registerFilmHttp } from "../songs/film/film.http.ts";
import { lackOfStage } from "../songs/film/lack-of-stage.ts";
import { registerPublicCovers } from "../night/guest/public-event.http.ts";
import { PublicEvents } from "../night/guest/public-event.ts";
import { registerFixturesHttp } from "../lights/fixtures.http.ts";
import { readRig, readStageRig } from "../lights/stage-rig.ts";
import type { FilmPorts } from "../songs/library/film.routes.ts";
import { registerMusicHttp } from "../songs/library/music.http.ts";
import { registerNightHttp } from "../night/night.http.ts";
import { CHALLENGE_PATH } from "../platform/http/acme-client.ts";
import { freeBytes } from "../platform/files/disk.ts";
import { faultsOf, readHealth } from "../platform/http/health.http.ts";
import { createHttpServer, type HttpServer } from "../platform/http/http-server.ts";
import { acceptTls, redirectToHttps } from "../platform/http/https.ts";
import { registerMedia } from "../platform/pictures/images.ts";
import { Leaving } from "../platform/http/leaving.ts";
import { areLinksLocal, linkAddressFor } from "../platform/http/own-address.ts";
import { findFfmpeg } from "../platform/process/programs.ts";
import { httpsOnlyHost } from "../platform/http/response-headers.ts";
import { registerRpc } from "../platform/http/rpc.ts";
import { linkOrigin } from "../platform/files/s3-address.ts";
import { QueueTrend } from "../operations/queues/queue-lag.ts";
import { registerQueues } from "../operations/queues/queues.http.ts";
import { registerRecordingHttp } from "../lights/recordings/recording.http.ts";
import { registerPlayerSongs } from "../night/players/player-songs.http.ts";
import { registerVenuesHttp } from "../machines/venues/venues.http.ts";
import { registerWorkersHttp } from "../machines/workers/workers.http.ts";
import type { ApiPorts } from "./api-ports.ts";
import { registerApiHealth } from "./health.ts";
import { openLiveSide } from "./live-side.ts";
import { serviceRoutes } from "./service-routes.ts";
import { findWorkers } from "./workers.ts";

/**
 * Creates the API with every route and socket; it does not listen yet. The process and the tests compose it here alone,
 * so that no route exists in one of them only.
 */
export async function createApi(ports: ApiPorts) {
  const { settings, sql, database, secret, files, fixtures, metrics, broker, instead } = ports;
  const { FOLLOWSPOT_DATA_DIR: dataDir, FOLLOWSPOT_BASE_PATH: basePath } = settings;
  const sessions = new Sessions(sql, secret);
  const http = await openHttp(ports, sessions);
  const { app } = http;
  const leaving = new Leaving(app.server);
  const live = openLiveSide(ports, http, sessions);
  const { stage, onQueue } = live;
  const workers = findWorkers(sql, live.presence);
  const trend = new QueueTrend();
  const shelf = new FilmShelf(dataDir, new URL("../cli/song.ts", import.meta.url));
  const films: FilmPorts = {
    shelf,
    rig: () => readRig(sql, fixtures),
    ffmpeg: () => findFfmpeg(settings),
    lackOfStage: () => lackOfStage(settings.FOLLOWSPOT_CHROMIUM),
    ...instead?.films,
  };
  const community = settings.FOLLOWSPOT_COMMUNITY_NAME;
  const publicEvents = new PublicEvents({ sql, secret, community, ...instead?.publicEvents });
  const lastBackup = () => readLastBackup(dataDir);
  const freeOfData = () => freeBytes(dataDir);
  // Preflight reports faults of the stage in lines of their own.
  const ofServer = {
    database,
    broker: ports.brokerState,
    freeBytes: freeOfData,
    faults: () => faultsOf("store", ports.storeFaults()),
  };
  const reasons = async () => (await readHealth(ofServer)).reasons;

  await registerRpc(app, {
    ...{ sql, secret },
    authenticate: sessions.ofHeaders.bind(sessions),
    noteFailure: database.noteFailure,
    onCall: (method, code, seconds) => metrics.countCall(method, code, seconds),
    routes: serviceRoutes(ports, {
      ...{ sessions, live, workers, films, publicEvents },
      preflight: {
        ...{ freeBytes: freeOfData, lastBackup, reasons },
        areLinksLocal: (host) => areLinksLocal(settings, host),
      },
    }),
  });
  registerMedia(app, { sql, authenticate: sessions.ofHeaders.bind(sessions) });
  registerPublicCovers(app, { sql });
  registerMusicHttp(http, { sql, files, onImported: ports.onImported });
  registerWorkersHttp(http, {
    ...{ sql, files, onSettled: ports.onSettled },
    stems: settings.FOLLOWSPOT_STEMS === "on",
    linkSites: settings.FOLLOWSPOT_LINK_SITES,
  });
  registerVenuesHttp(http, {
    ...{ sql, files, secret, onQueue },
    office: community,
    stage: live.stageNow,
  });
  registerFilmHttp(http, { shelf });
  registerFixturesHttp(http, { sql });
  registerNightHttp(http, { sql });
  registerRecordingHttp(http, { dataDir });
  registerQueues(http, { ...{ sql, broker, trend, lastBackup }, presence: live.presence });
  const nightRig = async () => (await readStageRig(sql, fixtures)).rig;
  registerStagePages(app, { ...{ sql, secret, rig: nightRig }, pages: live.pages });
  registerPlayerSongs(app, { sql, secret, files });
  registerApiFiles(app, basePath);
  if (ports.https?.authority) registerTrustPage(app, ports.https.authority, basePath);
  await registerConsole(app, {
    publicSite: settings.FOLLOWSPOT_PUBLIC_SITE,
    soundFrom: linkOrigin(settings.FOLLOWSPOT_BLOBS),
    basePath,
    linkAddressFor: (host) => linkAddressFor(settings, host),
    sessionOf: pageSession(sql, sessions, live.newsSince),
    community,
    publicEvent: async (eventId) => {
      const event = await publicEvents.open(eventId);
      return event && toJson(PublicEventSchema, event);
    },
    ...(instead?.consoleDist !== undefined && { dist: instead.consoleDist }),
  });
  registerApiHealth(http, ports, {
    ...{ live, workers, lastBackup },
    isLeaving: () => leaving.hasBegun,
    freeBytes: freeOfData,
  });

  return {
    ...{ http, sessions, live, stage, trend },
    /** Reports in /health that this server takes no more calls. */
    leave: () => leaving.begin(),
    /** Refuses new connections, answers open calls for at most `answerMs`, and closes everything. */
    async close(answerMs: number): Promise<void> {
      const { playersClosed } = await live.close();
      const closed = app.close();
      await leaving.answerAll(answerMs);
      await closed;
      await playersClosed;
      await shelf.close();
    },
  };
}

/** Creates the HTTP server, with https if it is set. */
async function openHttp({ settings, database, https, acme }: ApiPorts, sessions: Sessions): Promise<HttpServer> {
  const http = await createHttpServer({
    noteFailure: database.noteFailure,
    authenticate: sessions.ofHeaders.bind(sessions),
    trustProxy: settings.FOLLOWSPOT_TRUST_PROXY,
    basePath: settings.FOLLOWSPOT_BASE_PATH,
    allowedOrigins: settings.FOLLOWSPOT_ALLOWED_ORIGINS,
    httpsOnlyHost: httpsOnlyHost(settings),
  });
  if (https) {
    const isTrust = (url: string) => https.authority !== undefined && isTrustPath(url);
    redirectToHttps(http.app, ({ url }) => isTrust(url) || url.startsWith(CHALLENGE_PATH));
    acceptTls(http.app.server, https.tls);
  }
  acme?.registerChallenges(http.app);
  return http;
}
