import { randomUUID } from "node:crypto";
import { CLOSE, playbackCommandSchema, type LightingPlan, type PlaybackMessage } from "@followspot/contract";
import type { RawData, WebSocket } from "ws";
import { monotonicMs } from "../outputs/frame-ring.ts";
import type { Playback } from "./playback.ts";

const STATE_EVERY_MS = 1000;
/** A reader this far behind is cut off rather than buffered for. */
const MAX_BUFFERED_BYTES = 262_144;
/** The person may not have the lights any more. */
const SENT_AWAY: readonly number[] = [CLOSE.unauthenticated, CLOSE.forbidden];

export interface PlaybackHost {
  readonly playback: Playback;
  readonly outputCount: () => number;
  readonly isBlack: () => boolean;
  /** A song's plan, and whatever else it needs brought up to date; undefined when the song has none. */
  readonly fetchPlan: (songId: string) => Promise<LightingPlan | undefined>;
  /** Draw this plan from now on. */
  readonly bind: (plan: LightingPlan) => void;
  /** Draw again from now on. */
  readonly refresh: () => void;
}

/** All consoles on `/lights/playback/{id}`: hands commands to the one {@link Playback} and tells everybody its state. */
export class PlaybackSockets {
  readonly #host: PlaybackHost;
  readonly #sockets = new Map<string, WebSocket>();
  readonly #timer: NodeJS.Timeout;

  constructor(host: PlaybackHost) {
    this.#host = host;
    this.#timer = setInterval(() => this.broadcast(), STATE_EVERY_MS);
  }

  add(socket: WebSocket, songId: string): void {
    const id = randomUUID();
    this.#sockets.set(id, socket);
    socket.on("message", (data) => this.#receive(id, songId, data));
    socket.on("close", (code) => this.#remove(id, SENT_AWAY.includes(code)));
    socket.on("error", () => socket.terminate());
    this.#send(id, this.#stateOf(id));
  }

  broadcast(): void {
    for (const id of this.#sockets.keys()) this.#send(id, this.#stateOf(id));
  }

  close(): void {
    clearInterval(this.#timer);
    for (const socket of this.#sockets.values()) socket.close(1001);
  }

  #receive(id: string, songId: string, data: RawData): void {
    const { playback } = this.#host;
    const command = parseCommand(data);
    if (!command)
      return this.#send(id, { type: "error", code: "bad_message", message: "This is not a playback command." });
    const { reply, request, changed } = playback.handle(id, songId, command, monotonicMs());
    if (changed) this.#host.refresh();
    if (reply) this.#send(id, reply);
    if (request.kind === "load") void this.#load(id, request.songId, request.ticket);
    else if (changed && command.type !== "sync") this.broadcast();
  }

  /** Fetched first, bound only if nothing else was asked for meanwhile: a slow answer never reaches a later show. */
  async #load(id: string, songId: string, ticket: number): Promise<void> {
    const { playback, fetchPlan, bind, refresh } = this.#host;
    try {
      const plan = await fetchPlan(songId);
      if (!playback.awaits(ticket)) return;
      if (plan) {
        bind(plan);
        playback.prepared(ticket, monotonicMs());
      } else this.#refuse(id, ticket, "This song has no lighting plan yet.");
    } catch (error) {
      console.error(`stage: plan of ${songId} could not be loaded: ${String(error)}`);
      if (!playback.awaits(ticket)) return;
      this.#refuse(id, ticket, "The plan of this song could not be loaded. Press play again in a few seconds.");
    }
    refresh();
    this.broadcast();
  }

  #refuse(id: string, ticket: number, message: string): void {
    this.#host.playback.failed(ticket);
    this.#send(id, { type: "error", code: "no_plan", message });
  }

  #remove(id: string, isSentAway: boolean): void {
    this.#sockets.delete(id);
    if (!this.#host.playback.disconnect(id, monotonicMs(), isSentAway)) return;
    this.#host.refresh();
    this.broadcast();
  }

  #stateOf(id: string): PlaybackMessage {
    return this.#host.playback.stateFor(id, this.#host.outputCount(), this.#host.isBlack(), monotonicMs());
  }

  #send(id: string, message: PlaybackMessage): void {
    const socket = this.#sockets.get(id);
    if (socket?.readyState !== socket?.OPEN) return;
    if (socket && socket.bufferedAmount > MAX_BUFFERED_BYTES) return socket.close(CLOSE.tooSlow);
    socket?.send(JSON.stringify(message));
  }
}

function parseCommand(data: RawData) {
  try {
    return playbackCommandSchema.safeParse(JSON.parse(String(data))).data;
  } catch {
    return undefined; // not JSON: the caller answers bad_message
  }
}
