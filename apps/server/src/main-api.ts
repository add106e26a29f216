import { randomUUID } from "node:crypto";
import Fastify, { type FastifyRequest } from "fastify";
import { ConnectError } from "@connectrpc/connect";
import type { Envelope } from "@followspot/contract";
import { GENERIC_FIXTURES } from "@followspot/lighting";
import { accountingRoutes } from "./accounting/accounting.routes.ts";
import { authRoutes } from "./auth/auth.routes.ts";
import { authenticate } from "./auth/authenticate.ts";
import { findCaller } from "./auth/sessions.store.ts";
import { chatRoutes } from "./chat/chat.routes.ts";
import { registerConsole } from "./console/console.http.ts";
import { directorRoutes } from "./director/director.routes.ts";
import { eventRoutes } from "./event/event.routes.ts";
import type { ReadSongFile } from "./lights/plan-events.ts";
import { listOutputs, rigForStage } from "./lights/lights.store.ts";
import { lightsRoutes } from "./lights/lights.routes.ts";
import { readCorrected } from "./music/correct-song.ts";
import { registerMusicHttp } from "./music/music.http.ts";
import { musicRoutes } from "./music/music.routes.ts";
import { SongFiles } from "./music/song-files.ts";
import { SongLine } from "./music/song-line.ts";
import type { Role } from "./platform/caller.ts";
import { migrate, openDatabase } from "./platform/database.ts";
import { denied, unauthenticated } from "./platform/errors.ts";
import { registerMedia } from "./platform/images.ts";
import { connectBroker, ensureStreams, leaveBroker, type Broker } from "./platform/nats.ts";
import { OutboxRelay } from "./platform/outbox-relay.ts";
import { registerRpc, replyError, replyNotFound, toRefusal } from "./platform/rpc.ts";
import { required, settingsOrExit } from "./platform/settings.ts";
import { announcePresence, Presence } from "./queues/presence.ts";
import { registerQueues } from "./queues/queues.http.ts";
import { EventFeed } from "./realtime/event-feed.ts";
import { createEventsSocket } from "./realtime/events-socket.ts";
import { rigRevisionOf } from "./stage-link/rig-revision.ts";
import { registerStageLink } from "./stage-link/stage-link.http.ts";
import { talkRoutes } from "./talk/talk.routes.ts";
import { userRoutes } from "./user/user.routes.ts";

const settings = settingsOrExit();
const warn = (message: string) => process.stderr.write(`main-api: ${message}\n`);
const logFailure = (where: string, error: unknown) => warn(`${where}: ${(error as Error).stack ?? String(error)}`);
const secret = new TextEncoder().encode(required(settings, "FOLLOWSPOT_SECRET"));
const sql = openDatabase(required(settings, "DATABASE_URL"), 20);
await migrate(sql);

const files = new SongFiles(settings.FOLLOWSPOT_DATA_DIR);
await files.removeOrphans(async (ids) => {
  const rows = await sql<{ id: string }[]>`select id from songs where id = any(${[...ids]})`;
  return new Set(rows.map(({ id }) => id));
});
const presence = new Presence();
const whoCalls = (headers: FastifyRequest["headers"]) => authenticate(sql, secret, headers);

/** For plain HTTP routes: the caller, or a refusal. An Admin may do everything. */
async function admit(request: Pick<FastifyRequest, "headers">, ...roles: Role[]) {
  const caller = await whoCalls(request.headers);
  if (!caller) throw unauthenticated();
  if (!caller.roles.some((role) => role === "Admin" || roles.includes(role))) throw denied();
  return caller;
}

// The broker may come later: until then the API answers, songs are accepted and wait in the database.
let broker: Broker | undefined;
const feed = new EventFeed(warn);
const events = createEventsSocket({
  authenticate: whoCalls,
  sql,
  secret,
  replay: (topic, after) => feed.replay(topic, after),
});
const closers: (() => Promise<unknown> | unknown)[] = [];

const app = Fastify({ bodyLimit: 1024 * 1024, routerOptions: { maxParamLength: 200 } });
// Uploads are read as a stream by their route.
app.addContentTypeParser("application/octet-stream", (_request, _payload, done) => done(null));
app.addHook("onSend", async (_request, reply) => {
  reply.header("x-content-type-options", "nosniff").header("referrer-policy", "no-referrer");
});
app.setErrorHandler((error, request, reply) => {
  const { statusCode } = error as { statusCode?: number };
  // Fastify's own refusals (length, malformed URL) are the caller's fault and say so in their message.
  if (statusCode && statusCode < 500 && !(error instanceof ConnectError)) {
    return reply.code(statusCode).send({ code: "invalid_argument", message: (error as Error).message });
  }
  return replyError(reply, toRefusal(request.routeOptions.url ?? "?", error, logFailure));
});
app.setNotFoundHandler(replyNotFound);

const readSongFile: ReadSongFile = (id, name) =>
  name === "hybrid.json" ? readCorrected(sql, files, id) : files.readJson(id, name);
await registerRpc(app, {
  authenticate: whoCalls,
  logFailure,
  routes: [
    authRoutes({ sql, secret }),
    userRoutes({ sql }),
    eventRoutes({ sql }),
    talkRoutes({ sql }),
    musicRoutes({ sql, files }),
    lightsRoutes({ sql, definitions: GENERIC_FIXTURES, readSongFile }),
    accountingRoutes,
    chatRoutes,
    directorRoutes,
  ],
});
registerMedia(app, { sql, authenticate: whoCalls });
registerMusicHttp(app, { sql, files, admit });
registerQueues(app, { broker: () => broker, presence, admit });
const readRig = async () => {
  const [rig, outputs] = await Promise.all([rigForStage(sql, GENERIC_FIXTURES), listOutputs(sql)]);
  return { revision: rigRevisionOf(rig, outputs), rig, outputs };
};
const stageLink = registerStageLink(app, {
  admit,
  settings,
  callerNow: ({ userId, sessionId }) => findCaller(sql, userId, sessionId),
  findPlan: (id) => files.readJson(id, "lighting.json"),
  rig: readRig,
  rigRevision: async () => (await readRig()).revision,
});
await registerConsole(app, settings.FOLLOWSPOT_PUBLIC_SITE);
app.get("/health", async (_request, reply) => {
  const database = await sql`select 1`.then(
    () => true,
    () => false,
  );
  const brokerUp = broker !== undefined && !broker.connection.isClosed();
  return reply
    .code(database ? 200 : 503)
    .send({ status: database && brokerUp ? "ok" : "degraded", database, broker: brokerUp });
});

app.server.on("upgrade", (request, socket, head) => {
  socket.on("error", () => socket.destroy());
  const path = (request.url ?? "").split("?", 1)[0] ?? "";
  if (path === "/ws/events") events.handleUpgrade(request, socket, head);
  else if (path.startsWith("/lights/playback/")) void stageLink.handleUpgrade(request, socket, head);
  else socket.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n");
});
await app.listen({ port: settings.PORT, host: settings.HOST });
void joinBroker();

async function joinBroker(): Promise<void> {
  const found = await connectBroker(required(settings, "NATS_URL"), "main-api");
  await ensureStreams(found);
  const line = new SongLine(sql, found, files, warn);
  const relay = new OutboxRelay(sql, found, warn);
  presence.listen(found.connection);
  closers.push(announcePresence(found.connection, { id: randomUUID(), kind: "api" }));
  feed.start(found, publish);
  line.start();
  relay.start();
  closers.push(
    () => line.close(),
    () => relay.close(),
    () => feed.close(),
    () => leaveBroker(found),
  );
  broker = found;
}

function publish(envelope: Envelope): void {
  if (envelope.type === "session.ended") {
    const { user_id: userId, session_id: sessionId } = envelope.payload as { user_id: string; session_id?: string };
    stageLink.endSessions({ userId, sessionId });
  }
  events.publish(envelope);
}

/** Shorter than the supervisor's patience: what has not ended by then will not. */
const STOP_MS = 10_000;
let isStopping = false;
async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => process.exit(1), STOP_MS).unref();
  events.close();
  await stageLink.close();
  app.server.closeAllConnections();
  await app.close();
  for (const close of closers) await close();
  await sql.end({ timeout: 5 });
  process.exit(0);
}
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void stop());
// The supervisor is gone: nobody would stop this process otherwise.
process.on("disconnect", () => void stop());
