import { timingSafeEqual } from "node:crypto";
import { request as httpRequest, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { CLOSE } from "@followspot/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { isSameOrigin } from "../auth/sessions.ts";
import type { StageRig } from "../lights/stage-rig.ts";
import type { SongFiles } from "../music/song-files.ts";
import type { Caller, Role } from "../platform/caller.ts";
import { denied, notFound, unavailable } from "../platform/errors.ts";
import type { Settings } from "../platform/settings.ts";

export interface StageLinkPorts {
  readonly rig: () => Promise<StageRig>;
  readonly files: SongFiles;
  readonly admit: (request: FastifyRequest, ...roles: Role[]) => Promise<Caller>;
  readonly settings: Settings;
}

const SECRET_HEADER = "x-followspot-stage-secret";
const USER_HEADER = "x-followspot-user";

/** What main-stage reads from the API, and the way of playback sockets from a console to it. */
export function registerStageLink(app: FastifyInstance, { rig, files, admit, settings }: StageLinkPorts) {
  const secret = Buffer.from(settings.FOLLOWSPOT_STAGE_SECRET ?? "");
  const stagePort = settings.FOLLOWSPOT_STAGE_PORT;

  const requireStage = (request: FastifyRequest) => {
    const given = Buffer.from(String(request.headers[SECRET_HEADER] ?? ""));
    if (secret.length === 0 || given.length !== secret.length || !timingSafeEqual(given, secret)) throw denied();
  };
  app.get("/internal/stage/rig", async (request) => {
    requireStage(request);
    return rig();
  });
  app.get<{ Params: { id: string } }>("/internal/stage/plans/:id", async (request) => {
    requireStage(request);
    const plan = await files.readJson(request.params.id, "lighting.json");
    if (!plan) throw notFound("Plan of song", request.params.id);
    return plan;
  });
  app.get("/api/lights/rig", async (request) => {
    await admit(request, "Admin", "Director", "AI");
    return (await rig()).rig;
  });
  app.get("/api/stage/health", async (request) => {
    await admit(request, "Admin", "Director");
    return askStage("/health", "GET");
  });
  app.post<{ Body: { on?: unknown } }>("/api/stage/blackout", async (request) => {
    await admit(request, "Admin", "Director");
    return askStage("/blackout", "POST", { on: request.body?.on === true });
  });

  async function askStage(path: string, method: string, body?: object): Promise<unknown> {
    try {
      const answer = await fetch(`http://127.0.0.1:${stagePort}${path}`, {
        method,
        headers: { [SECRET_HEADER]: secret.toString(), "content-type": "application/json" },
        body: body ? JSON.stringify(body) : null,
        signal: AbortSignal.timeout(2000),
      });
      return await answer.json();
    } catch (error) {
      throw unavailable("The stage does not answer. It is started again by itself within seconds.", error);
    }
  }

  /** Checks who asks, then joins the console's socket with the stage's. */
  async function handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on("error", () => socket.destroy());
    const refuse = (status: string) => socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
    if (request.headers.origin !== undefined && !isSameOrigin(request.headers)) return void refuse("403 Forbidden");
    let caller: Caller;
    try {
      caller = await admit({ headers: request.headers } as FastifyRequest, "Admin", "Director");
    } catch {
      return void refuse(`401 Unauthorized\r\nX-Close-Code: ${CLOSE.unauthenticated}`);
    }
    const toStage = httpRequest({
      host: "127.0.0.1",
      port: stagePort,
      path: request.url,
      headers: {
        ...request.headers,
        authorization: "",
        cookie: "",
        [SECRET_HEADER]: secret.toString(),
        [USER_HEADER]: caller.userId,
      },
    });
    toStage.on("upgrade", (answer, stageSocket, stageHead) => {
      const lines = answer.rawHeaders.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join("");
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines}\r\n`);
      if (stageHead.length > 0) socket.write(stageHead);
      if (head.length > 0) stageSocket.write(head);
      stageSocket.on("error", () => socket.destroy()).on("close", () => socket.destroy());
      socket.on("close", () => stageSocket.destroy());
      stageSocket.pipe(socket).pipe(stageSocket);
    });
    toStage.on("response", (answer) => refuse(`${answer.statusCode ?? 502} ${answer.statusMessage ?? ""}`));
    toStage.on("error", () => refuse("503 Service Unavailable"));
    toStage.end();
  }

  return { handleUpgrade };
}
