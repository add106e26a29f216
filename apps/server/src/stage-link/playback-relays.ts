import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { Code, ConnectError } from "@connectrpc/connect";
import { CLOSE, MAX_PLAYBACK_BYTES } from "@followspot/contract";
import { WebSocketServer } from "ws";
import { isSameOrigin } from "../auth/sessions.ts";
import type { Caller, Role } from "../platform/caller.ts";
import { PlaybackRelay, type StageAddress } from "./playback-relay.ts";

/** Who may have the lamps; an Admin may do everything. */
export const STAGE_ROLES: readonly Role[] = ["Admin", "Director"];
/** Two of these after its last sign of life a console has lost the stage. */
const PING_MS = 5000;
const CLOSE_MS = 1000;
const STAGE_PATH = /^\/lights\/(playback\/[^/?]{1,200}|desk|sound)$/;
/** Lines that carry sound beside text. */
const SOUND_PATH = "/lights/sound";

export interface PlaybackRelaysPorts {
  /** The caller of an upgrade request. @throws unauthenticated or permission_denied */
  readonly admit: (request: Pick<IncomingMessage, "headers">) => Promise<Caller>;
  /** The caller as they are now; undefined once their session has ended. */
  readonly callerNow: (caller: Caller) => Promise<Caller | undefined>;
  /** Where the stage takes this caller's socket. */
  readonly stageFor: (caller: Caller, path: string) => StageAddress;
  /** Shorter in tests. */
  readonly pingMs?: number;
}

/** All sockets to the stage, of players, desks and microphones: who they belong to, and whether they may still have the stage. */
export class PlaybackRelays {
  readonly #ports: PlaybackRelaysPorts;
  readonly #relays = new Set<PlaybackRelay>();
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

  /** Checks who asks, then joins the console's socket with one to the stage. Never throws. */
  async handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on("error", () => socket.destroy());
    const path = (request.url ?? "").split("?", 1)[0] ?? "";
    if (!STAGE_PATH.test(path)) return refuse(socket, "404 Not Found");
    if (request.headers.origin !== undefined && !isSameOrigin(request.headers)) return refuse(socket, "403 Forbidden");
    try {
      const caller = await this.#ports.admit(request);
      if (this.#isClosed) return refuse(socket, "503 Service Unavailable");
      this.#server.handleUpgrade(request, socket, head, (accepted) => {
        const onEnd = (relay: PlaybackRelay) => this.#relays.delete(relay);
        const stage = { ...this.#ports.stageFor(caller, path), takesBytes: path === SOUND_PATH };
        this.#relays.add(new PlaybackRelay(accepted, stage, caller, onEnd));
      });
    } catch (error) {
      refuse(socket, statusOf(error));
    }
  }

  /** Without a session all of the person's sockets. */
  endSessions({ userId, sessionId }: { readonly userId: string; readonly sessionId?: string | undefined }): void {
    for (const relay of [...this.#relays]) {
      if (relay.caller.userId !== userId) continue;
      if (sessionId === undefined || relay.caller.sessionId === sessionId) relay.end(CLOSE.unauthenticated);
    }
  }

  /** Ends all sockets, so that the HTTP server can close. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    const relays = [...this.#relays];
    for (const relay of relays) relay.end(CLOSE.stageAway);
    await Promise.all(relays.map((relay) => relay.gone(CLOSE_MS)));
  }

  #beat(): void {
    for (const relay of [...this.#relays]) {
      relay.ping();
      void this.#check(relay);
    }
  }

  /** The end of a session is told at once; a message that was lost, or a role taken away, is noticed here. */
  async #check(relay: PlaybackRelay): Promise<void> {
    try {
      const caller = await this.#ports.callerNow(relay.caller);
      if (!caller) relay.end(CLOSE.unauthenticated);
      else if (!caller.roles.some((role) => STAGE_ROLES.includes(role))) relay.end(CLOSE.forbidden);
    } catch {
      // The database is away; the next beat asks again.
    }
  }
}

function statusOf(error: unknown): string {
  const code = error instanceof ConnectError ? error.code : undefined;
  if (code === Code.Unauthenticated) return "401 Unauthorized";
  return code === Code.PermissionDenied ? "403 Forbidden" : "503 Service Unavailable";
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
