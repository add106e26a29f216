import { createHash, timingSafeEqual } from "node:crypto";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Duplex } from "node:stream";
import { heardPositionSchema, MAX_PLAYBACK_BYTES, STAGE_HEADERS, type HeardPosition } from "@followspot/contract";
import { WebSocketServer, type WebSocket } from "ws";
import { z } from "zod";
import { refuseUpgrade } from "../platform/http/refuse-upgrade.ts";
import { answerAboutRecordings } from "./recording/recording-orders.ts";
import type { RecordingShelf } from "./recording/recordings.ts";

const PLAYBACK_PATH = /^\/lights\/playback\/([^/?]{1,200})$/;
const LIGHT_PATH = /^\/lights\/(\d{1,10})$/;
const DESK_PATH = "/lights/desk";
const SOUND_PATH = "/lights/sound";
const LAMPS_PATH = "/lights/lamps";
const MAX_BODY_BYTES = 1024;

export interface StageHttpPorts {
  readonly secret: string;
  readonly health: () => Promise<object>;
  /** Returns the current state of one light. */
  readonly light: (id: number) => object;
  /** Lights the fixtures of one output for a moment; undefined if the order is invalid. */
  readonly testOutput: (order: unknown) => object | undefined;
  /** Searches for nodes on the network. */
  readonly search: () => object;
  /**
   * Sets blackout. The request's headers identify the caller. Resolves once the change would survive a crash of the
   * stage.
   */
  readonly setBlackout: (on: boolean, headers: IncomingHttpHeaders) => Promise<void>;
  /** Called when the show queue has changed. */
  readonly onQueue: () => Promise<void>;
  /**
   * Receives the sound position of the queue's song. @returns light minus sound, ms, before the light is corrected;
   * undefined for another song
   */
  readonly onHeard: (heard: HeardPosition) => number | undefined;
  readonly recordings: RecordingShelf;
  readonly warn: (message: string) => void;
  /** Accepts a console that main-api has authorized, for one song. */
  readonly onSocket: (socket: WebSocket, songId: string, headers: IncomingHttpHeaders) => void;
  /** Accepts an authorized connection to the desk. */
  readonly onDesk: (socket: WebSocket, headers: IncomingHttpHeaders) => void;
  /** Accepts an authorized connection with a microphone, or one that watches who has one. */
  readonly onSound: (socket: WebSocket, headers: IncomingHttpHeaders) => void;
  /** Accepts a client that watches the sent slots. */
  readonly onLamps: (socket: WebSocket) => void;
}

/** Creates the stage's API for main-api. It listens on loopback only and requires the secret. */
export function createStageHttp(ports: StageHttpPorts): Server {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_PLAYBACK_BYTES });
  const server = createServer((request, response) => {
    answer(ports, request, response).catch((error: Error) => {
      const isGone = response.destroyed || !request.complete; // the caller disconnected in the middle
      if (isGone || response.headersSent) return response.destroy();
      ports.warn(`${request.method} ${request.url} failed: ${error.message}`);
      sendJson(response, 500, { error: "the stage could not answer" });
    });
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    if (!isTrusted(request, ports.secret) || !request.headers[STAGE_HEADERS.user])
      return refuseUpgrade(socket, "401 Unauthorized");
    if (request.url === DESK_PATH)
      return sockets.handleUpgrade(request, socket, head, (client) => ports.onDesk(client, request.headers));
    if (request.url === SOUND_PATH)
      return sockets.handleUpgrade(request, socket, head, (client) => ports.onSound(client, request.headers));
    if (request.url === LAMPS_PATH)
      return sockets.handleUpgrade(request, socket, head, (client) => ports.onLamps(client));
    const songId = decoded(PLAYBACK_PATH.exec(request.url ?? "")?.[1]);
    if (songId === undefined) return refuseUpgrade(socket, "404 Not Found");
    sockets.handleUpgrade(request, socket, head, (client) => ports.onSocket(client, songId, request.headers));
  });
  server.on("close", () => sockets.close());
  return server;
}

async function answer(ports: StageHttpPorts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!isTrusted(request, ports.secret)) {
    return sendJson(response, 401, { error: "the stage secret is missing or wrong" });
  }
  if (request.method === "GET" && request.url === "/health") return sendJson(response, 200, await ports.health());
  const lightId = LIGHT_PATH.exec(request.url ?? "")?.[1];
  if (request.method === "GET" && lightId !== undefined) return sendJson(response, 200, ports.light(Number(lightId)));
  if (request.method === "POST" && request.url === "/search") return sendJson(response, 200, ports.search());
  if (request.method === "POST" && request.url === "/outputs/test") {
    const told = ports.testOutput(await readBody(request));
    return told ? sendJson(response, 200, told) : sendJson(response, 400, { error: "this is no output to test" });
  }
  if (request.method === "POST" && request.url === "/queue") {
    await ports.onQueue();
    return sendJson(response, 200, {});
  }
  if (request.method === "POST" && request.url === "/queue/heard") {
    const body = heardPositionSchema.safeParse(await readBody(request));
    if (!body.success) return sendJson(response, 400, { error: "this is no position in a song" });
    return sendJson(response, 200, { light_minus_sound_ms: ports.onHeard(body.data) ?? null });
  }
  if (request.method === "POST" && request.url === "/blackout") {
    const body = z.object({ on: z.boolean() }).safeParse(await readBody(request));
    if (!body.success) return sendJson(response, 400, { error: 'body must be {"on": true} or {"on": false}' });
    await ports.setBlackout(body.data.on, request.headers);
    return sendJson(response, 200, { blackout: body.data.on });
  }
  if (request.url === "/recordings") {
    const order = request.method === "POST" ? ((await readBody(request)) ?? {}) : undefined;
    const told = await answerAboutRecordings(ports.recordings, order);
    return told
      ? sendJson(response, 200, told)
      : sendJson(response, 400, { error: "this is no order about recordings" });
  }
  return sendJson(response, 404, { error: "no such route" });
}

function isTrusted(request: IncomingMessage, secret: string): boolean {
  const given = request.headers[STAGE_HEADERS.secret];
  return typeof given === "string" && timingSafeEqual(digest(given), digest(secret));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function decoded(part: string | undefined): string | undefined {
  try {
    return part === undefined ? undefined : decodeURIComponent(part);
  } catch {
    return undefined; // a broken escape is not a song ID
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** Reads the JSON of a request; undefined if it is invalid or longer than 1 KiB. */
async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > MAX_BODY_BYTES) return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // rejected by the schema
  }
}
