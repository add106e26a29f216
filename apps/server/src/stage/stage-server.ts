import { timingSafeEqual, createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { MAX_MESSAGE_BYTES, PlaybackSockets } from "./playback-socket.ts";
import { Playback } from "./playback.ts";
import { fetchPlan, fetchRig, SECRET_HEADER } from "./stage-api.ts";
import type { StageConfig } from "./stage-config.ts";
import { sourceIdentity } from "./source-identity.ts";
import { Stage } from "./stage.ts";

const PLAYBACK_PATH = /^\/lights\/playback\/([^/?]{1,200})$/;
const REFETCH_MS = 5000;
const MAX_BODY_BYTES = 1024;

export interface StageServer {
  readonly port: number;
  /** Dark, terminated, silent; nothing is left open. */
  close(): Promise<void>;
}

/** The stage process without its process: sockets in, DMX out. Listens on loopback only. */
export async function startStage(config: StageConfig): Promise<StageServer> {
  const playback = new Playback();
  const stage = new Stage(sourceIdentity(config.dataDir), [], (ms) => playback.sceneAt(ms));
  let outputCount = 0;
  const sockets = new PlaybackSockets({
    playback,
    outputCount: () => outputCount,
    refresh: () => stage.refresh(),
    load: async (songId) => {
      const plan = await fetchPlan(config, songId);
      if (!plan) return false;
      const { rig, outputs } = await fetchRig(config);
      await stage.load(plan, rig, outputs);
      outputCount = stage.outputs.length;
      return true;
    },
  });

  const refetch = setInterval(() => {
    if (playback.mode !== "idle") return;
    // main-api may be restarting; the next round tries again.
    fetchRig(config).then(
      ({ outputs }) => (outputCount = outputs.filter((output) => output.enabled).length),
      () => undefined,
    );
  }, REFETCH_MS);

  const wss = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  const server = createServer((request, response) => void answer(request, response));
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const songId = PLAYBACK_PATH.exec(request.url ?? "")?.[1];
    if (!isTrusted(request, config.secret) || !request.headers["x-followspot-user"]) return refuseUpgrade(socket, 401);
    const id = songId === undefined ? undefined : decoded(songId);
    if (id === undefined) return refuseUpgrade(socket, 404);
    wss.handleUpgrade(request, socket, head, (client) => sockets.add(client, id));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isTrusted(request, config.secret))
      return sendJson(response, 401, { error: "the stage secret is missing or wrong" });
    if (request.method === "GET" && request.url === "/health") {
      return sendJson(response, 200, {
        mode: playback.mode,
        song_id: playback.songId,
        blackout: playback.blackout,
        ...stage.health(),
      });
    }
    if (request.method === "POST" && request.url === "/blackout") {
      const on = await readOn(request);
      if (on === undefined) return sendJson(response, 400, { error: 'body must be {"on": true} or {"on": false}' });
      playback.setBlackout(on);
      stage.refresh();
      sockets.broadcast();
      return sendJson(response, 200, { blackout: on });
    }
    return sendJson(response, 404, { error: "no such route" });
  }

  const port = await listen(server, config.port);
  return {
    port,
    close: async () => {
      clearInterval(refetch);
      await stage.close(); // dark first, everything else after
      sockets.close();
      wss.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

function isTrusted(request: IncomingMessage, secret: string): boolean {
  const given = request.headers[SECRET_HEADER];
  return typeof given === "string" && timingSafeEqual(digest(given), digest(secret));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined; // a broken escape is no song id
  }
}

function refuseUpgrade(socket: Duplex, status: 401 | 404): void {
  socket.end(
    `HTTP/1.1 ${status} ${status === 401 ? "Unauthorized" : "Not Found"}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  );
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function readOn(request: IncomingMessage): Promise<boolean | undefined> {
  let text = "";
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > MAX_BODY_BYTES) return undefined;
  }
  try {
    const on = (JSON.parse(text) as { on?: unknown } | null)?.on; // any JSON may come; only a boolean counts
    return typeof on === "boolean" ? on : undefined;
  } catch {
    return undefined; // not JSON
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : port);
    });
  });
}
