import { randomUUID } from "node:crypto";
import { playbackCommandSchema, type PlaybackMessage } from "@followspot/contract";
import type { RawData, WebSocket } from "ws";
import { monotonicMs } from "./frame-ring.ts";
import type { Playback } from "./playback.ts";

/** Largest message a console sends is well under this. */
export const MAX_MESSAGE_BYTES = 16_384;
const STATE_EVERY_MS = 1000;
/** A reader this far behind is cut off rather than buffered for. */
const MAX_BUFFERED_BYTES = 262_144;
const TOO_SLOW = 1013;

export interface PlaybackHost {
  readonly playback: Playback;
  readonly outputCount: () => number;
  /** Fetch plan and rig and bind them; undefined when the song has no plan. */
  readonly load: (songId: string) => Promise<boolean>;
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
    socket.on("close", () => this.#remove(id));
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
    if (request.kind === "load") void this.#load(id, request.songId);
    else if (changed && command.type !== "sync") this.broadcast();
  }

  async #load(id: string, songId: string): Promise<void> {
    const { playback, load, refresh } = this.#host;
    // A failed fetch is an answer to this console, not an end of the stage.
    const isLoaded = await load(songId).catch((error: unknown) => {
      console.error(`stage: plan of ${songId} could not be loaded: ${String(error)}`);
      return false;
    });
    if (isLoaded) playback.prepared(id, songId, monotonicMs());
    else {
      playback.failed(id, songId);
      this.#send(id, { type: "error", code: "no_plan", message: "This song has no lighting plan yet." });
    }
    refresh();
    this.broadcast();
  }

  #remove(id: string): void {
    this.#sockets.delete(id);
    if (!this.#host.playback.disconnect(id, monotonicMs())) return;
    this.#host.refresh();
    this.broadcast();
  }

  #stateOf(id: string): PlaybackMessage {
    return this.#host.playback.stateFor(id, this.#host.outputCount(), monotonicMs());
  }

  #send(id: string, message: PlaybackMessage): void {
    const socket = this.#sockets.get(id);
    if (socket?.readyState !== socket?.OPEN) return;
    if (socket && socket.bufferedAmount > MAX_BUFFERED_BYTES) return socket.close(TOO_SLOW);
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
