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
  /** What is done with one light now. */
  readonly light: (id: number) => object;
  /** Lights the lamps of one output for a moment; undefined for what is no order. */
  readonly testOutput: (order: unknown) => object | undefined;
  /** Looks for nodes on the network. */
  readonly search: () => object;
  /** With the headers of the request: who asks. Resolves once it outlives the stage. */
  readonly setBlackout: (on: boolean, headers: IncomingHttpHeaders) => Promise<void>;
  /** The show queue is another one. */
  readonly onQueue: () => Promise<void>;
  /** Where the sound of the queue's song is. @returns lamps minus sound, ms, before the lamps follow; undefined for another song */
  readonly onHeard: (heard: HeardPosition) => number | undefined;
  readonly recordings: RecordingShelf;
  /** A console that main-api has let in, about one song. */
  readonly onSocket: (socket: WebSocket, songId: string, headers: IncomingHttpHeaders) => void;
  /** The same at the desk. */
  readonly onDesk: (socket: WebSocket, headers: IncomingHttpHeaders) => void;
  /** The same with a microphone, or to see who has one. */
  readonly onSound: (socket: WebSocket, headers: IncomingHttpHeaders) => void;
  /** A client that sees what lamps are sent. */
  readonly onLamps: (socket: WebSocket) => void;
}

/** What main-api may ask of the stage. Loopback only, and only with the secret. */
export function createStageHttp(ports: StageHttpPorts): Server {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_PLAYBACK_BYTES });
  const server = createServer((request, response) => {
    answer(ports, request, response).catch(() => response.destroy()); // the asker went away in the middle
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    if (!isTrusted(request, ports.secret) || !request.headers[STAGE_HEADERS.user]) return refuseUpgrade(socket, 401);
    if (request.url === DESK_PATH)
      return sockets.handleUpgrade(request, socket, head, (client) => ports.onDesk(client, request.headers));
    if (request.url === SOUND_PATH)
      return sockets.handleUpgrade(request, socket, head, (client) => ports.onSound(client, request.headers));
    if (request.url === LAMPS_PATH)
      return sockets.handleUpgrade(request, socket, head, (client) => ports.onLamps(client));
    const songId = decoded(PLAYBACK_PATH.exec(request.url ?? "")?.[1]);
    if (songId === undefined) return refuseUpgrade(socket, 404);
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
    return undefined; // a broken escape is no song id
  }
}

function refuseUpgrade(socket: Duplex, status: 401 | 404): void {
  const reason = status === 401 ? "Unauthorized" : "Not Found";
  socket.end(`HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** The JSON of a request; undefined when it is invalid or too long. */
async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > MAX_BODY_BYTES) return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the schema refuses it
  }
}
