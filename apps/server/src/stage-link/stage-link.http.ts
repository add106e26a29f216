import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import {
  STAGE_HEADERS,
  type HeardPosition,
  type StageMode,
  type StageQueue,
  type StageRig,
} from "@followspot/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Caller, Role } from "../platform/caller.ts";
import { denied, invalid, notFound, unavailable } from "../platform/errors.ts";
import type { Settings } from "../platform/settings.ts";
import type { SpanSink } from "../platform/traces.ts";
import { PressWatch } from "./press-watch.ts";
import { LAMP_ROLES, PlaybackRelays, STAGE_ROLES } from "./playback-relays.ts";

const ANSWER_MS = 2000;
/** Where presses come. */
const DESK_PATH = "/lights/desk";
/** By then a stage that ended has been started again. */
const AGAIN_SECONDS = 5;
/** Characters of a name the stage is told. */
const MAX_NAME = 80;
/** The owner the stage is told for the socket of a page with a link, which belongs to no person. */
const PAGE_USER = "page";

export interface StageLinkPorts {
  /** @throws unauthenticated or permission_denied */
  readonly admit: (request: Pick<FastifyRequest, "headers">, ...roles: Role[]) => Promise<Caller>;
  /** The caller as they are now; undefined once their session has ended. */
  readonly callerNow: (caller: Caller) => Promise<Caller | undefined>;
  readonly settings: Pick<Settings, "FOLLOWSPOT_STAGE_PORT" | "FOLLOWSPOT_STAGE_SECRET">;
  /** A song's plan as it is stored; undefined when it has none. */
  readonly findPlan: (songId: string) => Promise<unknown>;
  readonly rig: () => Promise<StageRig>;
  /** Asked twice a second. */
  readonly rigRevision: () => Promise<number>;
  /** What the show queue wants on the lamps. */
  readonly queue: () => Promise<StageQueue>;
  /** A console took the lamps from the queue while it played this song. */
  readonly onQueueTaken: (songId: string) => Promise<void>;
  /** Whether a key opens the page of a stage screen that shows the lamps. */
  readonly showsLamps: (screenId: string, key: string | undefined) => Promise<boolean>;
  /** Pages of other origins that may open sockets, as `https://host`; none unless said. */
  readonly origins?: readonly string[];
  /** Where traces of presses go; nowhere when left out. */
  readonly spans?: SpanSink | undefined;
  /** Between two signs of life asked of a console, ms; shorter in tests. */
  readonly pingMs?: number;
  /** How long a socket may wait before it says hello, ms; shorter in tests. */
  readonly helloMs?: number;
}

export interface StageLink {
  /** For `/lights/playback/{song}`, `/lights/desk`, `/lights/sound` and `/lights/lamps`; refuses by itself. */
  readonly handleUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>;
  /** Takes the stage away from a session that ended; without one from all of the person's. */
  readonly endSessions: (ended: { readonly userId: string; readonly sessionId?: string | undefined }) => void;
  /** Lets the stage look at the show queue at once; it looks by itself twice a second. */
  readonly ringStage: () => void;
  /** Tells the stage where the sound of the queue's song is. @returns lamps minus sound, ms; undefined where no lamps follow */
  readonly tellHeard: (heard: HeardPosition) => Promise<number | undefined>;
  /** What main-stage answers; a body asks it to do something. @throws unavailable while it does not answer */
  readonly askStage: (path: string, body?: object) => Promise<unknown>;
  /** Id of the song the lamps follow now; undefined while none plays, and when the stage does not answer. */
  readonly songPlaying: () => Promise<string | undefined>;
  /** Ends all playback sockets. */
  readonly close: () => Promise<void>;
}

/** What main-stage reads from the API, what consoles ask of it, and the way of their playback sockets to it. */
export function registerStageLink(app: FastifyInstance, ports: StageLinkPorts): StageLink {
  const { admit, settings } = ports;
  const secret = settings.FOLLOWSPOT_STAGE_SECRET ?? "";
  const stage = `127.0.0.1:${settings.FOLLOWSPOT_STAGE_PORT ?? 0}`;

  const fromStage = { onRequest: async (request: FastifyRequest) => requireStage(request, secret) };
  const callers = new WeakMap<FastifyRequest, Caller>();
  const fromConsole = (...roles: Role[]) => ({
    onRequest: async (request: FastifyRequest) => void callers.set(request, await admit(request, ...roles)),
  });

  app.get("/internal/stage/rig", fromStage, () => ports.rig());
  app.get("/internal/stage/revision", fromStage, async () => ({ revision: await ports.rigRevision() }));
  app.get("/internal/stage/queue", fromStage, () => ports.queue());
  app.post<{ Params: { id: string } }>("/internal/stage/queue/taken/:id", fromStage, async ({ params }) => {
    await ports.onQueueTaken(params.id);
    return {};
  });
  app.get<{ Params: { id: string } }>("/internal/stage/plans/:id", fromStage, async ({ params }) => {
    const plan = await ports.findPlan(params.id);
    if (!plan) throw notFound("Plan of song", params.id);
    return plan;
  });
  app.get("/api/lights/rig", fromConsole(...LAMP_ROLES), async () => (await ports.rig()).rig);
  app.get("/api/stage/health", fromConsole(...STAGE_ROLES), () => askStage("/health"));
  type Blackout = { Body: { on?: unknown } | null };
  app.post<Blackout>("/api/stage/blackout", fromConsole(...STAGE_ROLES), (request) => {
    const on = request.body?.on;
    if (typeof on !== "boolean") throw invalid('The body must be {"on": true} or {"on": false}');
    return askStage("/blackout", { on }, headersOf(callers.get(request)));
  });

  /** How the stage knows a request is ours, and whose it is. */
  function headersOf(caller?: Caller): Record<string, string> {
    if (!caller) return { [STAGE_HEADERS.secret]: secret };
    const name = encodeURIComponent(caller.name.slice(0, MAX_NAME).toWellFormed());
    return { [STAGE_HEADERS.secret]: secret, [STAGE_HEADERS.user]: caller.userId, [STAGE_HEADERS.name]: name };
  }

  async function askStage(path: string, body?: object, headers = headersOf()): Promise<unknown> {
    try {
      const answer = await fetch(`http://${stage}${path}`, {
        method: body ? "POST" : "GET",
        headers: { ...headers, "content-type": "application/json" },
        body: body ? JSON.stringify(body) : null,
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      if (!answer.ok) throw new Error(`the stage answered ${answer.status}`);
      return await answer.json();
    } catch (error) {
      throw unavailable(
        "The stage does not answer. It is started again by itself within seconds.",
        error,
        AGAIN_SECONDS,
      );
    }
  }

  async function tellHeard(heard: HeardPosition): Promise<number | undefined> {
    try {
      const { light_minus_sound_ms } = (await askStage("/queue/heard", heard)) as {
        light_minus_sound_ms: number | null;
      };
      return light_minus_sound_ms ?? undefined;
    } catch {
      return undefined; // it is started again by itself, and told again within a second
    }
  }

  async function songPlaying(): Promise<string | undefined> {
    try {
      const { mode, song_id } = (await askStage("/health")) as { mode?: StageMode; song_id?: string };
      return mode === "playing" && song_id ? song_id : undefined;
    } catch {
      return undefined; // it is started again by itself
    }
  }

  const relays = new PlaybackRelays({
    admit: (request, roles) => admit(request, ...roles),
    callerNow: ports.callerNow,
    showsLamps: ports.showsLamps,
    stageFor: (caller, path) => ({
      url: `ws://${stage}${path}`,
      headers: { [STAGE_HEADERS.user]: PAGE_USER, ...headersOf(caller) },
      watch: ports.spans && caller && path === DESK_PATH ? new PressWatch(ports.spans, caller.userId) : undefined,
    }),
    origins: ports.origins ?? [],
    ...(ports.helloMs !== undefined && { helloMs: ports.helloMs }),
    ...(ports.pingMs !== undefined && { pingMs: ports.pingMs }),
  });
  return {
    handleUpgrade: (request, socket, head) => relays.handleUpgrade(request, socket, head),
    endSessions: (ended) => relays.endSessions(ended),
    ringStage: () => void askStage("/queue", {}).catch(() => undefined), // it looks by itself
    tellHeard,
    askStage,
    songPlaying,
    close: () => relays.close(),
  };
}

function requireStage(request: FastifyRequest, secret: string): void {
  const given = Buffer.from(String(request.headers[STAGE_HEADERS.secret] ?? ""));
  const expected = Buffer.from(secret);
  if (expected.length === 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) throw denied();
}
