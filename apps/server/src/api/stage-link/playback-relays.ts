import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { Code, ConnectError } from "@connectrpc/connect";
import { CLOSE, MAX_PLAYBACK_BYTES, stageKeyOf } from "@followspot/contract";
import { WebSocketServer, type WebSocket } from "ws";
import { isSameOrigin, mayOpenSocket } from "../../community/auth/sessions.ts";
import type { Caller, Role } from "../../platform/caller.ts";
import { unavailable } from "../../platform/errors.ts";
import { refuseUpgrade } from "../../platform/http/refuse-upgrade.ts";
import { UnknownSockets } from "../../platform/http/unknown-sockets.ts";
import { UnknownSocket } from "./hello.ts";
import { PlaybackRelay, type StageAddress, type Visitor } from "./playback-relay.ts";

/** Roles that may control the stage; an Admin may do everything. */
export const STAGE_ROLES: readonly Role[] = ["Admin", "Director"];
/** Roles that may see the sent slots: those that may see the lights. */
export const LAMP_ROLES: readonly Role[] = [...STAGE_ROLES, "AI"];
/** Ping interval, ms; a console that misses two pings is disconnected from the stage. */
const PING_MS = 5000;
const CLOSE_MS = 1000;
const STAGE_PATH = /^\/lights\/(playback\/[^/?]{1,200}|desk|sound|lamps)$/;
const LAMPS_PATH = "/lights/lamps";
/** Path for the page of a stage screen, which sends the key of its link. */
const PAGE_PATH = /^\/lights\/lamps\/([A-Za-z0-9_-]{1,100})$/;
/** Limit of screen pages: a link is for a few projectors. */
const MAX_PAGES = 500;
/** Limit of unauthenticated sockets. */
const MOST_UNKNOWN = 200;
/** Path of connections that carry sound beside text. */
const SOUND_PATH = "/lights/sound";

export interface PlaybackRelaysPorts {
  /** Returns the caller of an upgrade request. @throws unauthenticated or permission_denied */
  readonly admit: (request: Pick<IncomingMessage, "headers">, roles: readonly Role[]) => Promise<Caller>;
  /** Whether a key opens the page of a screen that shows the lights. */
  readonly showsLamps: (screenId: string, key: string | undefined) => Promise<boolean>;
  /** Returns the caller's current state; undefined once the session has ended. */
  readonly callerNow: (caller: Caller) => Promise<Caller | undefined>;
  /** Returns the stage's address for the socket of this caller, or of a page. */
  readonly stageFor: (caller: Caller | undefined, path: string) => StageAddress;
  /** Returns why the stage sends nothing. Then only its preview is open, because presses would have no effect. */
  readonly withheldBecause: () => string | undefined;
  /** Other origins whose pages may connect, as `https://host`. */
  readonly origins: readonly string[];
  /** Shorter in tests. */
  readonly pingMs?: number;
  readonly helloMs?: number;
}

/** Manages all sockets to the stage (players, desks, microphones and previews): their identity and their permission. */
export class PlaybackRelays {
  readonly #ports: PlaybackRelaysPorts;
  readonly #relays = new Set<PlaybackRelay>();
  readonly #unknown = new Set<UnknownSocket>();
  readonly #limited = new UnknownSockets(MOST_UNKNOWN);
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_PLAYBACK_BYTES,
    perMessageDeflate: false,
    clientTracking: false,
  });
  readonly #timer: NodeJS.Timeout;
  #isClosed = false;

  constructor(ports: PlaybackRelaysPorts) {
    this.#ports = ports;
    this.#timer = setInterval(() => this.#beat(), ports.pingMs ?? PING_MS).unref();
  }

  /** Checks the permission, then connects the console's socket with one to the stage. Never throws. */
  async handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on("error", () => socket.destroy());
    const path = (request.url ?? "").split("?", 1)[0] ?? "";
    const screenId = PAGE_PATH.exec(path)?.[1];
    if (!STAGE_PATH.test(path) && screenId === undefined) return refuseUpgrade(socket, "404 Not Found");
    if (!mayOpenSocket(request.headers, this.#ports.origins)) return refuseUpgrade(socket, "403 Forbidden");
    try {
      const visitor =
        screenId === undefined
          ? saysWhoItIs(request) && (await this.#admit(request, path))
          : await this.#admitPage(screenId, stageKeyOf(request.headers["sec-websocket-protocol"]));
      if (visitor === undefined) return refuseUpgrade(socket, "401 Unauthorized");
      const isFull = visitor && !visitor.caller && this.#pages >= MAX_PAGES;
      if (this.#isClosed || isFull) return refuseUpgrade(socket, "503 Service Unavailable");
      this.#server.handleUpgrade(request, socket, head, (accepted) => {
        if (visitor) this.#join(accepted, visitor, screenId === undefined ? path : LAMPS_PATH);
        else this.#ask(accepted, path);
      });
    } catch (error) {
      refuseUpgrade(socket, statusOf(error));
    }
  }

  /** Closes the sockets of a session; without a session ID all sockets of the user. */
  endSessions({ userId, sessionId }: { readonly userId: string; readonly sessionId?: string | undefined }): void {
    for (const relay of [...this.#relays]) {
      const { caller } = relay.visitor;
      if (caller?.userId !== userId) continue;
      if (sessionId === undefined || caller.sessionId === sessionId) relay.end(CLOSE.unauthenticated);
    }
  }

  /** Closes all sockets, so that the HTTP server can close. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const unknown of this.#unknown) unknown.turnAway(CLOSE.stageAway, "The server stops");
    const relays = [...this.#relays];
    for (const relay of relays) relay.end(CLOSE.stageAway);
    await Promise.all(relays.map((relay) => relay.closed(CLOSE_MS)));
  }

  #beat(): void {
    for (const relay of [...this.#relays]) {
      relay.ping();
      void this.#check(relay);
    }
  }

  #join(socket: WebSocket, visitor: Visitor, path: string): void {
    const stage = { ...this.#ports.stageFor(visitor.caller, path), takesBytes: path === SOUND_PATH };
    this.#relays.add(new PlaybackRelay(socket, stage, visitor, (relay) => this.#relays.delete(relay)));
  }

  /** Waits for the hello that authenticates a socket. */
  #ask(socket: WebSocket, path: string): void {
    this.#limited.add(socket);
    const unknown = new UnknownSocket(socket, (token) => void this.#greet(unknown, token, path), this.#ports.helloMs);
    this.#unknown.add(unknown);
    socket.on("close", () => this.#unknown.delete(unknown));
  }

  async #greet(unknown: UnknownSocket, token: string, path: string): Promise<void> {
    try {
      const visitor = await this.#admit({ headers: { authorization: `Bearer ${token}` } }, path);
      this.#unknown.delete(unknown);
      this.#limited.release(unknown.socket);
      if (this.#isClosed || unknown.socket.readyState !== unknown.socket.OPEN) return;
      this.#join(unknown.socket, visitor, path);
      unknown.handOver();
    } catch (error) {
      unknown.turnAway(...closeOf(error));
    }
  }

  /** @throws unauthenticated or permission_denied */
  async #admit(request: Pick<IncomingMessage, "headers">, path: string): Promise<Visitor> {
    const isPreview = path === LAMPS_PATH;
    const roles = isPreview ? LAMP_ROLES : STAGE_ROLES;
    const caller = await this.#ports.admit(request, roles);
    const withheld = () => (isPreview ? undefined : this.#ports.withheldBecause());
    const why = withheld();
    if (why) throw unavailable(why);
    const sentAway = async () => {
      if (withheld()) return CLOSE.stageAway;
      const now = await this.#ports.callerNow(caller);
      if (!now) return CLOSE.unauthenticated;
      return now.roles.some((role) => roles.includes(role)) ? undefined : CLOSE.forbidden;
    };
    return { caller, sentAway };
  }

  async #admitPage(screenId: string, key: string | undefined): Promise<Visitor | undefined> {
    const mayStay = () => this.#ports.showsLamps(screenId, key);
    if (!(await mayStay())) return undefined;
    return { caller: undefined, sentAway: async () => ((await mayStay()) ? undefined : CLOSE.unauthenticated) };
  }

  get #pages(): number {
    return [...this.#relays].filter(({ visitor }) => visitor.caller === undefined).length;
  }

  /** Checks the permission again, in case the event about a lost session was lost or a role was removed. */
  async #check(relay: PlaybackRelay): Promise<void> {
    try {
      const code = await relay.visitor.sentAway();
      if (code !== undefined) relay.end(code);
    } catch {
      // The database is unavailable; the next heartbeat checks again.
    }
  }
}

/** Whether the headers of a request contain credentials: a token, or the cookie of a same-origin page. */
const saysWhoItIs = ({ headers }: IncomingMessage): boolean =>
  headers.authorization !== undefined || (headers.cookie !== undefined && isSameOrigin(headers));

/** Returns the close code and reason for an error. */
function closeOf(error: unknown): [number, string] {
  const code = error instanceof ConnectError ? error.code : undefined;
  if (code === Code.Unauthenticated) return [CLOSE.unauthenticated, "The token is not good, or not any more"];
  if (code === Code.PermissionDenied) return [CLOSE.forbidden, "You may not do this"];
  return [CLOSE.stageAway, "Come back in a moment"];
}

function statusOf(error: unknown): string {
  const code = error instanceof ConnectError ? error.code : undefined;
  if (code === Code.Unauthenticated) return "401 Unauthorized";
  return code === Code.PermissionDenied ? "403 Forbidden" : "503 Service Unavailable";
}
