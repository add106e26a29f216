import {
  CLOSE,
  PLAYER_BEAT_MS,
  PLAYER_PATHS,
  PLAYER_SILENCE_MS,
  type PlayerCommand,
  type PlayerMessage,
  type PlayerQueue,
} from "@followspot/contract";
import { LoudestLevels, SoundEngine } from "@followspot/playing";
import { Connection, openWebSocket } from "@followspot/contract/connection";
import { socketUrl } from "../lib/socket-url.ts";
import { createStore } from "../lib/store.ts";
import type { Machine } from "./machine.ts";
import { SongShelf } from "./song-shelf.ts";
import type { LoadedSong } from "./sounding-song.ts";
import { WebCard } from "./web-card.ts";

const LOOK_MS = 100;

/** `away`: disconnected; continues with the songs it has loaded. `ended`: the link has expired. */
export type PlayerConnectionState = "connecting" | "live" | "away" | "ended";

/** State that the page shows. */
export interface PlayerView {
  readonly connection: PlayerConnectionState;
  readonly isHeard: boolean;
  /** Name of the active player. */
  readonly heardName: string;
  readonly queue: PlayerQueue | undefined;
  readonly volume: number;
  readonly isMuted: boolean;
  /** Whether the browser allows audio. */
  readonly isAllowed: boolean;
  readonly loadedAhead: number;
  readonly problem: string;
}

export interface PaPlayerPorts {
  readonly key: string;
  /** ID of this page: its machine, a full stop, and which page of it. */
  readonly page: string;
  readonly name: string;
  readonly machine: () => Pick<Machine, "delayMs" | "isDelaySet">;
}

/** PA player: the connection to the server, and the audio engine. Independent of React. */
export class PaPlayer {
  readonly context = new AudioContext({ latencyHint: "balanced" });
  readonly view = createStore<PlayerView>({
    connection: "connecting",
    isHeard: false,
    heardName: "",
    queue: undefined,
    volume: 1,
    isMuted: false,
    isAllowed: false,
    loadedAhead: 0,
    problem: "",
  });
  readonly #ports: PaPlayerPorts;
  readonly #card: WebCard;
  readonly #engine: SoundEngine<LoadedSong>;
  readonly #connection: Connection;
  readonly #loudest = new LoudestLevels();
  readonly #timers: readonly ReturnType<typeof setInterval>[];
  #name: string;
  #lostMs = Number.POSITIVE_INFINITY;

  constructor(ports: PaPlayerPorts) {
    this.#ports = ports;
    this.#name = ports.name;
    this.#card = new WebCard(this.context, () => ports.machine().delayMs);
    this.#engine = new SoundEngine({
      card: this.#card,
      shelf: new SongShelf({ context: this.context, key: ports.key, onChange: () => this.#engine.look() }),
      nowMs: () => performance.now(),
      onLaidOut: (turn, song_id) => this.#say({ type: "laid_out", turn, song_id }),
      onChange: () => this.#show({}),
    });
    this.context.addEventListener("statechange", () => this.#show({}));
    this.#connection = new Connection({
      connect: (events) => openWebSocket(socketUrl(PLAYER_PATHS.socket), events),
      silenceMs: PLAYER_SILENCE_MS,
      isFinal: (code) => code === CLOSE.unauthenticated,
      onOpen: () => this.#greet(),
      onHeard: (text) => this.#hear(JSON.parse(text) as PlayerMessage), // sent by our own server
      onLost: (_code, isOver) => this.#lose(isOver),
    });
    this.#timers = [setInterval(() => this.#look(), LOOK_MS), setInterval(() => this.#beat(), PLAYER_BEAT_MS)];
    // Succeeds only if the browser allows audio without a click.
    void this.context.resume().catch(() => undefined);
  }

  /** Enables audio; must be called from a user's click. */
  async allow(): Promise<void> {
    await this.context.resume().catch(() => undefined);
    this.#show({});
    this.#beat();
  }

  /** Makes this player the active one. */
  takeOver(): void {
    this.#greet(true);
  }

  rename(name: string): void {
    this.#name = name;
    this.#greet();
  }

  /** Returns the song and position that are audible now; undefined in silence. */
  heard(): { readonly songId: string; readonly position: number } | undefined {
    const heard = this.#engine.heard();
    return heard && { songId: heard.song_id, position: heard.position };
  }

  levels(): readonly number[] {
    return this.#card.levels();
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#connection.close();
    this.#engine.close();
    this.#card.close();
    void this.context.close().catch(() => undefined); // it is already closed
  }

  #greet(takesOver = false): void {
    const { key, page } = this.#ports;
    const heard = this.#engine.heard();
    const hasPlayedOn = heard && this.#engine.wentOnMs > this.#lostMs;
    this.#say({
      type: "hello",
      key,
      page,
      name: this.#name,
      ...(takesOver && { take_over: true }),
      ...(hasPlayedOn && { playing: { song_id: heard.song_id, position: heard.position } }),
    });
    this.#beat();
  }

  #look(): void {
    this.#engine.look();
    this.#loudest.hear(this.#card.levels());
  }

  #beat(): void {
    const heard = this.#engine.heard();
    this.#say({
      type: "beat",
      sent_at: performance.now(),
      is_allowed: this.context.state === "running",
      loaded_ahead: this.#engine.loadedAhead,
      problem: this.#engine.problem.slice(0, 300),
      is_delay_set: this.#ports.machine().isDelaySet,
      levels_db: [...this.#loudest.take()],
      ...(heard && { heard }),
    });
  }

  #hear(message: PlayerMessage): void {
    const now = performance.now();
    switch (message.type) {
      case "beat":
        this.#engine.clock.answered(message.sent_at, message.server_ms, now);
        return;
      case "withdrawn":
        this.#connection.close();
        this.#engine.close();
        return this.#show({ connection: "ended" });
      case "state": {
        this.#engine.clock.said(message.server_ms, now);
        const { is_heard, heard_name, queue, settings } = message;
        this.#engine.follow(queue, settings, is_heard);
        return this.#show({
          connection: "live",
          isHeard: is_heard,
          heardName: heard_name,
          volume: settings.volume,
          isMuted: settings.is_muted,
        });
      }
      default:
        return message satisfies never;
    }
  }

  #lose(isOver: boolean): void {
    if (this.view.get().connection === "live") this.#lostMs = performance.now();
    this.#show({ connection: isOver ? "ended" : this.view.get().connection === "connecting" ? "connecting" : "away" });
    if (isOver) this.#engine.close();
  }

  #say(command: PlayerCommand): void {
    this.#connection.send(JSON.stringify(command));
  }

  #show(change: Partial<PlayerView>): void {
    const before = this.view.get();
    const next: PlayerView = {
      ...before,
      queue: this.#engine.queue,
      isAllowed: this.context.state === "running",
      loadedAhead: this.#engine.loadedAhead,
      problem: this.#engine.problem,
      ...change,
    };
    const isSame = (Object.keys(next) as (keyof PlayerView)[]).every((each) => next[each] === before[each]);
    if (!isSame) this.view.set(next);
  }
}
