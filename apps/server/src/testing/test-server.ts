import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import type { FixtureDefinition } from "@followspot/contract";
import { MusicService } from "@followspot/contract/music";
import { GENERIC_FIXTURES } from "@followspot/lighting";
import { pino } from "pino";
import { accountingRoutes } from "../accounting/accounting.routes.ts";
import { auditRoutes } from "../audit/audit.routes.ts";
import { authRoutes, type AuthPorts } from "../auth/auth.routes.ts";
import { forgetSignIn } from "../auth/sign-in-tries.store.ts";
import { issueToken, Sessions } from "../auth/sessions.ts";
import { chatRoutes } from "../chat/chat.routes.ts";
import { forgetChats } from "../chat/membership.ts";
import { directorRoutes } from "../director/director.routes.ts";
import { eventRoutes } from "../event/event.routes.ts";
import { leavePlaces } from "../event/move-up.ts";
import { KEPT_OF_PEOPLE } from "../kept-of-people.ts";
import { openFixtureLibrary } from "../lights/fixture-library.ts";
import { FilmShelf } from "../film/film-shelf.ts";
import { registerFilmHttp } from "../film/film.http.ts";
import { registerFixturesHttp } from "../lights/fixtures.http.ts";
import { readRig } from "../lights/stage-rig.ts";
import { lightsRoutes } from "../lights/lights.routes.ts";
import type { ReadSongFile } from "../lights/plan-events.ts";
import { registerMusicHttp } from "../music/music.http.ts";
import type { FilmPorts } from "../music/film.routes.ts";
import { musicRoutes } from "../music/music.routes.ts";
import { SongSounds } from "../music/song-sounds.ts";
import type { BlobStore } from "../blobs/blob-store.ts";
import { SongFiles } from "../music/song-files.ts";
import type { VideoPorts } from "../music/video.routes.ts";
import { firstStepsRoutes } from "../first-steps/first-steps.routes.ts";
import { guestRoutes } from "../guest/guest.routes.ts";
import { dropSoundFault } from "../night/faults.store.ts";
import { registerNightHttp } from "../night/night.http.ts";
import { nightRoutes } from "../night/night.routes.ts";
import type { PreflightPorts } from "../night/preflight-facts.ts";
import { recordingRoutes } from "../recording/recording.routes.ts";
import { registerRecordingHttp } from "../recording/recording.http.ts";
import { registerPlayerSongs } from "../sound/player-songs.http.ts";
import { Players, type PlayersPorts } from "../sound/players.ts";
import type { StageNow } from "../venues/first-now.ts";
import { soundRoutes } from "../sound/sound.routes.ts";
import { queuesRoutes } from "../queues/queues.routes.ts";
import { copyTalks } from "../talk/copy-talks.ts";
import { talkRoutes } from "../talk/talk.routes.ts";
import { withdrawVotes } from "../talk/withdraw-votes.ts";
import type { HomeCountry } from "../user/phone-numbers.ts";
import { userRoutes } from "../user/user.routes.ts";
import { venueRoutes } from "../venues/venues.routes.ts";
import { registerVenuesHttp } from "../venues/venues.http.ts";
import { registerWorkersHttp } from "../workers/workers.http.ts";
import { insertUser } from "../user/users.store.ts";
import type { TellNow } from "../realtime/passing-envelopes.ts";
import type { Role } from "../platform/caller.ts";
import type { Sql } from "../platform/database.ts";
import type { Broker } from "../platform/nats.ts";
import { DatabaseWatch } from "../platform/database-watch.ts";
import { registerMedia } from "../platform/images.ts";
import { createHttpServer, type HttpServer } from "../platform/http-server.ts";
import { registerRpc } from "../platform/rpc.ts";
import { createTestDatabase, type TestDatabase } from "../platform/testing/test-database.ts";
import { refuseUnnamed } from "./methods.ts";
import { quietStage } from "./quiet-stage.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- JSON as it came over the wire; a test looks at what it expects
export type Wire = any;

/** Response to a call: HTTP status, Connect error code and JSON body. */
export interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly body: Wire;
  readonly headers: Headers;
}

export type TestServer = Awaited<ReturnType<typeof startTestServer>>;

export interface TestServerOptions {
  /** Database to use; a new one by default. */
  readonly database?: TestDatabase;
  /** Secret that signs tokens, codes and links; unique by default. */
  readonly secret?: Uint8Array;
  /** Fixture definitions; the built-in ones by default. */
  readonly definitions?: readonly FixtureDefinition[];
  /** Replaces reading files of songs. */
  readonly readSongFile?: ReadSongFile;
  /** Replaces main-stage, which otherwise reports nothing. */
  readonly askStage?: (path: string, body?: object) => Promise<unknown>;
  /** Folder of the songs' files; without it there are no songs. */
  readonly dataDir?: string;
  /** Storage of the songs' files; that folder by default. */
  readonly blobs?: BlobStore;
  /** Hosts whose links are accepted beside the video site's. */
  readonly linkSites?: readonly string[];
  /** Called for each imported song. */
  readonly onImported?: (songId: string) => void;
  /** Searches of the video site. */
  readonly videos?: VideoPorts;
  /** Called for each change of a stage screen or its link. */
  readonly onScreenChange?: (screenId: string) => void;
  /** Message broker; without it, queue methods report that there is none. */
  readonly broker?: Broker;
  /** Number of database connections. */
  readonly connections?: number;
  /** Publishes transient envelopes. */
  readonly tellNow?: TellNow;
  /** Proxies whose X-Forwarded-For is trusted. */
  readonly trustProxy?: readonly string[];
  /** Path below which a proxy serves the API. */
  readonly basePath?: string;
  /** Other origins whose pages may call. */
  readonly allowedOrigins?: readonly string[];
  /** Replaces main-stage, where fixtures follow the sound. */
  readonly onHeard?: PlayersPorts["onHeard"];
  /** State of main-stage for a standby; unavailable by default. */
  readonly stageNow?: () => Promise<StageNow>;
  /** Key of this machine's sound output. */
  readonly outputKey?: string;
  /** Film rendering of this machine; a flat stage without ffmpeg by default. */
  readonly film?: Partial<FilmPorts>;
  /** Facts for preflight; a server without workers, backups and mail by default. */
  readonly preflight?: Partial<PreflightPorts>;
  /** Country of phone numbers without a country code. */
  readonly country?: HomeCountry;
  /** Delivery of sign-in codes; collected in `codes` by default. */
  readonly delivery?: (place: { readonly sql: Sql; readonly secret: Uint8Array }) => AuthPorts["delivery"];
}

/** Parts from which additional routes are built. */
export interface TestPlace {
  readonly sql: Sql;
  readonly secret: Uint8Array;
  readonly watch: DatabaseWatch;
}

/**
 * Starts the API's routes on a real port with its own database, without broker, stage and console.
 *
 * @param registerMore registers additional routes
 */
export async function startTestServer(
  options: TestServerOptions = {},
  registerMore: (http: HttpServer, place: TestPlace) => void | Promise<void> = () => {},
) {
  const database = options.database ?? (await createTestDatabase(options.connections));
  const { sql } = database;
  const secret = options.secret ?? randomBytes(32);
  const codes: { target: string; code: string }[] = [];
  const failures: unknown[] = [];
  const sessions = new Sessions(sql, secret);
  const authenticate = sessions.ofHeaders.bind(sessions);
  const log = pino({ level: "error" }, { write: (line: string) => void failures.push(JSON.parse(line)) });
  const delivery = options.delivery?.({ sql, secret }) ?? {
    deliver: async (target: string, code: string) => void codes.push({ target, code }),
    whereTo: () => "a code is on its way",
  };
  const { country } = options;
  const askStage = options.askStage ?? quietStage(options.dataDir);
  const fixtures = await openFixtureLibrary(sql, options.definitions ?? GENERIC_FIXTURES);
  const files = options.dataDir === undefined ? undefined : new SongFiles(options.dataDir, options.blobs);
  const films =
    options.dataDir === undefined
      ? undefined
      : new FilmShelf(options.dataDir, new URL("../cli/song.ts", import.meta.url));
  const watch = new DatabaseWatch(sql, log);
  const { noteFailure } = watch;
  const players = new Players({
    sql,
    sounds: files ? new SongSounds(files) : { of: async () => undefined },
    secret,
    outputKey: options.outputKey,
    onHeard: options.onHeard ?? (async () => undefined),
    onPlayedOn: dropSoundFault,
    onQueue: () => players.refresh(),
    warn: (message) => void failures.push(message),
  });
  const http = await createHttpServer({
    noteFailure,
    authenticate,
    trustProxy: options.trustProxy ?? [],
    basePath: options.basePath ?? "",
    allowedOrigins: options.allowedOrigins ?? [],
  });
  const { app: fastify } = http;
  await registerRpc(fastify, {
    sql,
    authenticate,
    noteFailure,
    routes: [
      authRoutes({
        sql,
        sessions,
        newsSince: () => "",
        secret,
        delivery,
        country,
        basePath: options.basePath ?? "",
        warn: (message) => void failures.push(message),
      }),
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
      guestRoutes({ sql, newsSince: () => "", secret }),
      accountingRoutes({ sql }),
      auditRoutes({ sql }),
      chatRoutes({ sql, tellNow: options.tellNow ?? (() => {}) }),
      directorRoutes({
        sql,
        secret,
        onQueue: () => players.refresh(),
        ...(options.onScreenChange && { onChange: options.onScreenChange }),
      }),
      recordingRoutes({ sql, askStage }),
      soundRoutes({ sql, secret, players }),
      queuesRoutes({ sql, broker: () => options.broker, presence: { list: () => [] } }),
      venueRoutes({ sql }),
      firstStepsRoutes({ sql }),
      nightRoutes({
        sql,
        files: files ?? new SongFiles(tmpdir()),
        fixtures,
        channels: () => ({}),
        country,
        askStage: (path) => askStage(path),
        freeBytes: async () => 5e9,
        lastBackup: async () => ({ taken: null, failed: null }),
        workers: () => [],
        reasons: async () => [],
        ...options.preflight,
      }),
      lightsRoutes({
        sql,
        fixtures,
        readSongFile: options.readSongFile ?? (async () => undefined),
        askStage,
      }),
      files && films
        ? musicRoutes({
            sql,
            files,
            sounds: new SongSounds(files),
            onQueue: () => players.refresh(),
            films: {
              shelf: films,
              rig: () => readRig(sql, fixtures),
              ffmpeg: async () => undefined,
              lackOfStage: async () => "there is no Chromium",
              ...options.film,
            },
            ...(options.linkSites && { linkSites: options.linkSites }),
            ...(options.videos && { videos: options.videos }),
            onImported: options.onImported,
          })
        : (router) => router.service(MusicService, {}),
    ],
  });
  registerMedia(fastify, { sql, authenticate });
  registerFixturesHttp(http, { sql });
  registerNightHttp(http, { sql });
  if (options.dataDir !== undefined) registerRecordingHttp(http, { dataDir: options.dataDir });
  if (films) registerFilmHttp(http, { shelf: films });
  if (files) registerMusicHttp(http, { sql, files, onImported: options.onImported });
  if (files) registerWorkersHttp(http, { sql, files, stems: true, linkSites: options.linkSites ?? [] });
  if (files) {
    const stage = options.stageNow ?? (async () => ({ up_ms: 0, blackout: false }));
    registerVenuesHttp(http, { sql, files, secret, office: "Open Stage", stage, onQueue: () => players.refresh() });
  }
  if (files) registerPlayerSongs(fastify, { sql, secret, files });
  await registerMore(http, { sql, secret, watch });
  await fastify.listen({ port: 0, host: "127.0.0.1" });
  const base = `http://127.0.0.1:${(fastify.server.address() as AddressInfo).port}`;

  async function call(
    path: string,
    body: unknown,
    token?: string,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(`${base}/followspot.${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }), ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const json = text === "" ? undefined : JSON.parse(text);
    if (!response.ok) refuseUnnamed(path, json?.code);
    return {
      status: response.status,
      code: response.ok ? undefined : json?.code,
      body: json,
      headers: response.headers,
    };
  }

  /** Calls a method and returns the body. @throws Error if the call is rejected */
  async function ask(path: string, body: object, token: string): Promise<Wire> {
    const answer = await call(path, body, token);
    if (answer.code) throw new Error(`${path}: ${answer.body.message}`);
    return answer.body;
  }

  async function person(name: string, roles: readonly Role[] = [], email = "") {
    const user = await insertUser(sql, { name, roles, email });
    return { id: user.id, token: await issueToken(sql, secret, user.id, "test") };
  }

  return {
    ...database,
    broker: options.broker,
    http,
    sessions,
    base,
    secret,
    watch,
    codes,
    failures,
    call,
    ask,
    person,
    players,
    close: async () => {
      await players.close();
      await films?.close();
      await fastify.close();
      await database.close();
    },
  };
}
