import {
  PLAYER_BEAT_MS,
  PLAYER_PATHS,
  PLAYER_SILENCE_MS,
  type PlayerCommand,
  type PlayerMessage,
} from "@followspot/contract";
import { Connection, openWebSocket } from "@followspot/contract/connection";
import { SoundEngine } from "@followspot/playing";
import { DECODED_RATE } from "../../songs/audio/decoded-sound.ts";
import { DecodedSongs, type DecodedSong } from "./decoded-songs.ts";
import { OutputCard } from "./output-card.ts";
import type { SoundSink } from "./sound-sink.ts";
import type { SongFiles } from "../../songs/catalog/song-files.ts";

/** Interval between writes, ms: short enough for blocks of 10 ms and a pipe that holds 160 ms. */
const PUMP_MS = 5;
const LOOK_MS = 100;
/** Interval at which an inactive output requests to become active, ms: it takes over if no player is active. */
const ASK_MS = 3000;
const AGAIN_MS = 2000;

export interface OutputPlayerPorts {
  /** URL of the API. */
  readonly api: string;
  readonly key: string;
  readonly name: string;
  readonly files: Pick<SongFiles, "localCopy">;
  readonly ffmpeg: string | undefined;
  readonly delayMs: number;
  /** Whether a user has set the sound delay. */
  readonly isDelaySet: boolean;
  /**
   * Opens the sink. @param onEnd called with the reason if it ends by itself @throws Error that names what is missing
   */
  readonly openSink: (rate: number, onEnd: (why: string) => void) => Promise<SoundSink>;
  readonly warn: (message: string) => void;
}

/** A player on the machine Followspot runs on, without a browser and without a user who presses a button. */
export class OutputPlayer {
  readonly #ports: OutputPlayerPorts;
  readonly #card: OutputCard;
  readonly #engine: SoundEngine<DecodedSong>;
  readonly #connection: Connection;
  readonly #timers: readonly NodeJS.Timeout[];
  #sink: SoundSink | undefined;
  #problem = "";
  #again: NodeJS.Timeout | undefined;
  #isHeard = false;
  #isLive = false;
  #lostMs = Number.POSITIVE_INFINITY;
  #isClosed = false;

  constructor(ports: OutputPlayerPorts) {
    this.#ports = ports;
    const { files, ffmpeg } = ports;
    this.#card = new OutputCard(DECODED_RATE, ports.delayMs);
    this.#engine = new SoundEngine({
      card: this.#card,
      shelf: new DecodedSongs({ files, ffmpeg, onChange: () => this.#engine.look() }),
      nowMs: () => performance.now(),
      onLaidOut: (turn, song_id) => this.#say({ type: "laid_out", turn, song_id }),
      onChange: () => undefined,
    });
    this.#connection = new Connection({
      connect: (events) => openWebSocket(`${ports.api.replace("http", "ws")}${PLAYER_PATHS.socket}`, events),
      silenceMs: PLAYER_SILENCE_MS,
      onOpen: () => this.#greet(),
      onHeard: (text) => this.#hear(JSON.parse(text) as PlayerMessage), // from our own server
      onLost: () => {
        if (this.#isLive) this.#lostMs = performance.now();
        this.#isLive = false;
      },
    });
    this.#timers = [
      setInterval(() => this.#card.pump(), PUMP_MS),
      setInterval(() => this.#engine.look(), LOOK_MS),
      setInterval(() => this.#beat(), PLAYER_BEAT_MS),
      setInterval(() => !this.#isHeard && this.#isLive && this.#greet(), ASK_MS),
    ];
    void this.#openSink();
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers) clearInterval(timer);
    clearTimeout(this.#again);
    this.#connection.close();
    this.#engine.close();
    this.#sink?.close();
  }

  /**
   * Opens the sink. Never rejects. A sink that is not available, such as a sound server at system start, is retried.
   */
  async #openSink(): Promise<void> {
    try {
      const sink = await this.#ports.openSink(DECODED_RATE, (why) => this.#loseSink(why));
      if (this.#isClosed) return sink.close();
      this.#sink = sink;
      this.#problem = "";
      this.#card.connect(sink);
      this.#beat();
    } catch (error) {
      this.#loseSink((error as Error).message);
    }
  }

  #loseSink(why: string): void {
    if (this.#isClosed) return;
    this.#card.connect(undefined);
    this.#sink?.close();
    this.#sink = undefined;
    const problem = `${why.replace(/\.$/, "")}. It is tried again.`;
    if (problem !== this.#problem) this.#ports.warn(`sound output: ${problem}`);
    this.#problem = problem;
    this.#engine.look();
    clearTimeout(this.#again);
    this.#again = setTimeout(() => void this.#openSink(), AGAIN_MS);
  }

  #greet(): void {
    const heard = this.#engine.heard();
    const hasPlayedOn = heard && this.#engine.wentOnMs > this.#lostMs;
    this.#say({
      type: "hello",
      key: this.#ports.key,
      page: "sound-output.1",
      name: this.#ports.name,
      ...(hasPlayedOn && { playing: { song_id: heard.song_id, position: heard.position } }),
    });
    this.#beat();
  }

  #beat(): void {
    const heard = this.#engine.heard();
    this.#say({
      type: "beat",
      sent_at: performance.now(),
      is_allowed: true,
      loaded_ahead: this.#engine.loadedAhead,
      problem: (this.#problem || this.#engine.problem).slice(0, 300),
      is_delay_set: this.#ports.isDelaySet,
      levels_db: [...this.#card.loudest.take()],
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
        return; // concerns pages: the key of this output stays valid
      case "state":
        this.#isLive = true;
        this.#isHeard = message.is_heard;
        this.#engine.clock.said(message.server_ms, now);
        this.#engine.follow(message.queue, message.settings, message.is_heard);
        return;
      default:
        return message satisfies never;
    }
  }

  #say(command: PlayerCommand): void {
    this.#connection.send(JSON.stringify(command));
  }
}
