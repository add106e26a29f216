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
import type { Caller, Role } from "../../platform/caller.ts";
import { conflict, denied, invalid, notFound, unavailable } from "../../platform/errors.ts";
import type { Settings } from "../../platform/settings.ts";
import type { SpanSink } from "../../platform/process/traces.ts";
import { PressWatch } from "./press-watch.ts";
import { LAMP_ROLES, PlaybackRelays, STAGE_ROLES } from "./playback-relays.ts";

const ANSWER_MS = 2000;
/** Path for presses. */
const DESK_PATH = "/lights/desk";
/** Retry delay sent to clients, seconds: a crashed stage has been restarted by then. */
const AGAIN_SECONDS = 5;
/** Length limit of names sent to the stage, characters. */
const MAX_NAME = 80;
/** Owner sent to the stage for the socket of a page with a link, which belongs to no user. */
const PAGE_USER = "page";

export interface StageLinkPorts {
  /** @throws unauthenticated or permission_denied */
  readonly admit: (request: Pick<FastifyRequest, "headers">, ...roles: Role[]) => Promise<Caller>;
  /** Returns the caller's current state; undefined once the session has ended. */
  readonly callerNow: (caller: Caller) => Promise<Caller | undefined>;
  readonly settings: Pick<Settings, "FOLLOWSPOT_STAGE_PORT" | "FOLLOWSPOT_STAGE_SECRET">;
  /** Returns a song's stored plan; undefined if it has none. */
  readonly findPlan: (songId: string) => Promise<unknown>;
  readonly rig: () => Promise<StageRig>;
  /** Called twice a second. */
  readonly rigRevision: () => Promise<number>;
  /** Returns the state of the show queue that concerns the lights. */
  readonly queue: () => Promise<StageQueue>;
  /** Called when a console took over the lights while the queue played this song. */
  readonly onQueueTaken: (songId: string) => Promise<void>;
  /** Whether a key opens the page of a stage screen that shows the lights. */
  readonly showsLamps: (screenId: string, key: string | undefined) => Promise<boolean>;
  /** Other origins whose pages may open sockets, as `https://host`; none by default. */
  readonly origins?: readonly string[];
  /** Sink for traces of presses; not traced if omitted. */
  readonly spans?: SpanSink | undefined;
  /** Sends a request to main-stage; over HTTP if omitted. */
  readonly ask?: ((path: string, body?: object) => Promise<unknown>) | undefined;
  /** Returns why the stage sends nothing; its desk is then closed. It always sends if omitted. */
  readonly withheldBecause?: () => string | undefined;
  /** Interval between pings of a console, ms; shorter in tests. */
  readonly pingMs?: number;
  /** Time for a socket to send its hello, ms; shorter in tests. */
  readonly helloMs?: number;
}

export interface StageLink {
  /**
   * Handles `/lights/playback/{song}`, `/lights/desk`, `/lights/sound` and `/lights/lamps`; rejects other requests
   * itself.
   */
  readonly handleUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>;
  /** Closes the stage sockets of an ended session; without a session ID all sockets of the user. */
  readonly endSessions: (ended: { readonly userId: string; readonly sessionId?: string | undefined }) => void;
  /** Makes the stage read the show queue at once; otherwise it polls twice a second. */
  readonly ringStage: () => void;
  /**
   * Sends the sound position of the queue's song to the stage. @returns light minus sound, ms; undefined if no lights
   * follow
   */
  readonly tellHeard: (heard: HeardPosition) => Promise<number | undefined>;
  /** Sends a request to main-stage, as POST with a body. @throws unavailable while it does not respond */
  readonly askStage: (path: string, body?: object) => Promise<unknown>;
  /**
   * Returns the ID of the song that the lights follow; undefined while none plays, or if the stage does not respond.
   */
  readonly songPlaying: () => Promise<string | undefined>;
  /** Closes all playback sockets. */
  readonly close: () => Promise<void>;
}

/** Registers the routes that main-stage and consoles use, and the relay of their sockets to the stage. */
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
    const withheld = ports.withheldBecause?.();
    if (withheld) throw conflict(withheld);
    return askStage("/blackout", { on }, headersOf(callers.get(request)));
  });

  /** Returns the headers that authenticate a request to the stage and identify its user. */
  function headersOf(caller?: Caller): Record<string, string> {
    if (!caller) return { [STAGE_HEADERS.secret]: secret };
    const name = encodeURIComponent(caller.name.slice(0, MAX_NAME).toWellFormed());
    return { [STAGE_HEADERS.secret]: secret, [STAGE_HEADERS.user]: caller.userId, [STAGE_HEADERS.name]: name };
  }

  async function askStage(path: string, body?: object, headers = headersOf()): Promise<unknown> {
    if (ports.ask) return ports.ask(path, body);
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
      return undefined; // it restarts by itself; the next position follows within a second
    }
  }

  async function songPlaying(): Promise<string | undefined> {
    try {
      const { mode, song_id } = (await askStage("/health")) as { mode?: StageMode; song_id?: string };
      return mode === "playing" && song_id ? song_id : undefined;
    } catch {
      return undefined; // it restarts by itself
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
    withheldBecause: () => ports.withheldBecause?.(),
    origins: ports.origins ?? [],
    ...(ports.helloMs !== undefined && { helloMs: ports.helloMs }),
    ...(ports.pingMs !== undefined && { pingMs: ports.pingMs }),
  });
  return {
    handleUpgrade: (request, socket, head) => relays.handleUpgrade(request, socket, head),
    endSessions: (ended) => relays.endSessions(ended),
    ringStage: () => void askStage("/queue", {}).catch(() => undefined), // it polls anyway
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
