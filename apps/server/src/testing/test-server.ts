import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FixtureDefinition, HeardPosition } from "@followspot/contract";
import { GENERIC_FIXTURES } from "@followspot/lighting";
import { pino } from "pino";
import type { ApiPorts } from "../api/api-ports.ts";
import { createApi } from "../api/create-api.ts";
import type { AuthPorts } from "../community/auth/auth.routes.ts";
import { issueToken } from "../community/auth/sessions.ts";
import type { BlobStore } from "../platform/blobs/blob-store.ts";
import { openFixtureLibrary } from "../lights/fixture-library.ts";
import { SongFiles } from "../songs/catalog/song-files.ts";
import type { Role } from "../platform/caller.ts";
import type { Sql } from "../platform/database/database.ts";
import { DatabaseWatch } from "../platform/database/database-watch.ts";
import type { HttpServer } from "../platform/http/http-server.ts";
import { Metrics } from "../platform/process/metrics.ts";
import { parseSettings, type Settings } from "../platform/settings.ts";
import { createTestDatabase, type TestDatabase } from "../platform/testing/test-database.ts";
import { insertUser } from "../community/users/users.store.ts";
import type { StageNow } from "../machines/venues/first-now.ts";
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

export interface TestServerOptions extends NonNullable<ApiPorts["instead"]> {
  /** Settings of the API, beside those of an empty environment. */
  readonly settings?: Partial<Settings>;
  /** Database to use; a new one by default. */
  readonly database?: TestDatabase;
  /** Number of database connections. */
  readonly connections?: number;
  /** Secret that signs tokens, codes and links; unique by default. */
  readonly secret?: Uint8Array;
  /** Fixture definitions; the built-in ones by default. */
  readonly definitions?: readonly FixtureDefinition[];
  /** Data folder; a new one by default. */
  readonly dataDir?: string;
  /** Storage of the songs' files; the data folder by default. */
  readonly blobs?: BlobStore;
  /** Message broker; none by default. */
  readonly broker?: ApiPorts["broker"];
  readonly onImported?: ApiPorts["onImported"];
  readonly onScreenChange?: ApiPorts["onScreenChange"];
  /** Replaces main-stage, where fixtures follow the sound. @returns light minus sound, ms */
  readonly onHeard?: (heard: HeardPosition) => Promise<number | undefined>;
  /** State of main-stage for a standby; a stage that just started by default. */
  readonly stageNow?: () => Promise<StageNow>;
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
 * Starts the whole API on a real port with its own database, without the processes beside it. By default there are no
 * broker and workers, and the stage sends nothing.
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
  const ownFolder = options.dataDir === undefined ? await mkdtemp(join(tmpdir(), "followspot-api-")) : undefined;
  const dataDir = options.dataDir ?? ownFolder!;
  const codes: { target: string; code: string }[] = [];
  const failures: unknown[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void failures.push(JSON.parse(line)) });
  const watch = new DatabaseWatch(sql, log);
  const stage = options.askStage ?? quietStage(dataDir);
  const api = await createApi({
    ...{ sql, secret, database: watch },
    settings: {
      ...parseSettings({ FOLLOWSPOT_DATA_DIR: dataDir, FOLLOWSPOT_COMMUNITY_NAME: "Open Stage" }),
      ...options.settings,
    },
    files: new SongFiles(dataDir, options.blobs),
    fixtures: await openFixtureLibrary(sql, options.definitions ?? GENERIC_FIXTURES),
    delivery: options.delivery?.({ sql, secret }) ?? {
      deliver: async (target: string, code: string) => void codes.push({ target, code }),
      whereTo: () => "a code is on its way",
    },
    channels: {},
    metrics: new Metrics(),
    broker: options.broker ?? (() => undefined),
    brokerState: () => ({ isUp: true, isStoring: true }),
    storeFaults: () => [],
    warnings: () => [],
    onImported: options.onImported ?? (() => {}),
    onSettled: () => {},
    onDemoNight: () => {},
    ...(options.onScreenChange && { onScreenChange: options.onScreenChange }),
    warn: (message) => void failures.push(message),
    instead: {
      askStage: async (path, body) => {
        if (path === "/health" && options.stageNow) return options.stageNow();
        if (path === "/queue/heard" && options.onHeard)
          return { light_minus_sound_ms: (await options.onHeard(body as HeardPosition)) ?? null };
        return stage(path, body);
      },
      canSend: options.canSend ?? true,
      ...(options.maxViews !== undefined && { maxViews: options.maxViews }),
      // A test sees its own changes at once.
      publicEvents: { cachedMs: 0 },
      films: { ffmpeg: async () => undefined, lackOfStage: async () => "there is no Chromium", ...options.films },
      ...(options.readSongFile && { readSongFile: options.readSongFile }),
      ...(options.videos && { videos: options.videos }),
      ...(options.preflight && { preflight: options.preflight }),
      ...(options.consoleDist !== undefined && { consoleDist: options.consoleDist }),
    },
  });
  const { http, sessions, live } = api;
  await registerMore(http, { sql, secret, watch });
  await http.app.listen({ port: 0, host: "127.0.0.1" });
  const base = `http://127.0.0.1:${(http.app.server.address() as AddressInfo).port}`;

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
    ...{
      broker: options.broker?.(),
      http,
      sessions,
      trend: api.trend,
      live,
      players: live.players,
      base,
      secret,
      watch,
      codes,
      failures,
    },
    ...{ call, ask, person },
    close: async () => {
      await api.close(0);
      await database.close();
      if (ownFolder) await rm(ownFolder, { recursive: true, force: true });
    },
  };
}
