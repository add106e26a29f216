import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { playbackCommandSchema, type LightingPlan, type PlaybackMessage } from "@followspot/contract";
import type { RawData, WebSocket } from "ws";
import type { Log } from "../../platform/process/log.ts";
import type { Holder, Lamps } from "../lamps/lamps.ts";
import { monotonicMs } from "../outputs/frame-ring.ts";
import { headerOf, nameOf } from "../sockets/caller.ts";
import { SocketRoom } from "../sockets/socket-room.ts";
import type { Playback } from "./playback.ts";
import type { SongShow } from "./song-show.ts";

const STATE_EVERY_MS = 1000;

export interface PlaybackHost {
  readonly lamps: Lamps;
  readonly playback: Playback;
  readonly log: Log;
  readonly outputCount: () => number;
  readonly isBlack: () => boolean;
  /** Fetches a song's plan and updates everything else it needs; undefined if the song has none. */
  readonly fetchPlan: (songId: string) => Promise<LightingPlan | undefined>;
  /** Renders again from now on. */
  readonly refresh: () => void;
}

/**
 * Serves all consoles on `/lights/playback/{id}`: passes commands to the single {@link Playback} and broadcasts its
 * state.
 */
export class PlaybackSockets {
  readonly #host: PlaybackHost;
  readonly #room = new SocketRoom<Holder, PlaybackMessage>({
    stateFor: (holder) => this.#stateOf(holder),
    mostBufferedBytes: 262_144,
    slowReader: "is cut off",
  });
  readonly #timer: NodeJS.Timeout;

  constructor(host: PlaybackHost) {
    this.#host = host;
    this.#timer = setInterval(() => this.broadcast(), STATE_EVERY_MS);
  }

  /** @param headers headers of the request, in which main-api identifies the user */
  add(socket: WebSocket, songId: string, headers: IncomingHttpHeaders): void {
    const connection = randomUUID();
    const holder = { person: headerOf(headers, "user"), page: connection, connection, name: nameOf(headers) };
    this.#room.add(socket, holder, {
      onMessage: (data) => this.#receive(socket, holder, songId, data),
      onLeave: (isSentAway) => this.#lose(holder, isSentAway),
    });
  }

  broadcast(): void {
    this.#room.tellAll();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#room.close();
  }

  #receive(socket: WebSocket, holder: Holder, songId: string, data: RawData): void {
    const { playback, refresh } = this.#host;
    const command = parseCommand(data);
    if (!command)
      return void this.#room.send(socket, {
        type: "error",
        code: "bad_message",
        message: "This is not a playback command.",
      });
    const { reply, load, changed } = playback.handle(holder, songId, command, monotonicMs());
    if (changed) refresh();
    if (reply) this.#room.send(socket, reply);
    if (load) void this.#load(socket, load);
    if (load || (changed && command.type !== "sync")) this.broadcast();
  }

  /** Fetches the plan first; the fixtures change owner when it has arrived. */
  async #load(socket: WebSocket, show: SongShow): Promise<void> {
    const { playback, fetchPlan, refresh, log } = this.#host;
    try {
      const plan = await fetchPlan(show.id);
      if (plan) playback.loaded(show, plan);
      else this.#refuse(socket, show, "This song has no lighting plan yet.");
    } catch (error) {
      log.warn({ song: show.id }, `the plan could not be loaded: ${String(error)}`);
      this.#refuse(socket, show, "The plan of this song could not be loaded. Press play again in a few seconds.");
    }
    refresh();
    this.broadcast();
  }

  #refuse(socket: WebSocket, show: SongShow, message: string): void {
    if (this.#host.playback.failed(show)) this.#room.send(socket, { type: "error", code: "no_plan", message });
  }

  #lose({ connection }: Holder, isSentAway: boolean): void {
    if (!this.#host.lamps.connectionLost(connection, monotonicMs(), isSentAway)) return;
    this.#host.refresh();
    this.broadcast();
  }

  #stateOf(holder: Holder): PlaybackMessage {
    const { playback, outputCount, isBlack } = this.#host;
    return playback.stateFor(holder, outputCount(), isBlack(), monotonicMs());
  }
}

function parseCommand(data: RawData) {
  try {
    return playbackCommandSchema.safeParse(JSON.parse(String(data))).data;
  } catch {
    return undefined; // not JSON: the caller answers bad_message
  }
}
