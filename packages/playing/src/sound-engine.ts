import type { PlayerHeard, PlayerQueue, PlayerSettings, PlayerSong } from "@followspot/contract";
import { gainOfVolume } from "./levels.ts";
import { nextStep } from "./next-step.ts";
import { SteadyClock } from "./steady-clock.ts";

/** How long before its start the next song is scheduled, seconds. */
const LAY_OUT = 3;
/** Latency of the sound card for a new start, seconds. */
const SOON = 0.03;
/** Fade-out when a user skips, stops or pauses, seconds. */
const FADE_AWAY = 0.25;
/** Deviation at which a scheduled start is rescheduled, seconds. */
const MOVED_IN_CARD = 0.02;
/** Fade of the whole output when a talk begins or ends, seconds. */
const DUCK_SECONDS = 1.5;
/** Time after advancing to the next song during which states of an earlier turn are ignored, ms. */
const OLD_NEWS_MS = 3000;

/** Start of a song. Times are seconds of the card's clock. */
export interface SongStart {
  readonly at: number;
  /** Song second at that time. */
  readonly from: number;
  /** Additional level, dB; negative values are softer. */
  readonly levelDb: number;
  readonly fadeSeconds?: number;
}

/** A song that plays on a card or is scheduled. */
export interface PlayedSong {
  /** Time at which song second 0 leaves the card. */
  readonly zeroAt: number;
  /** Fades to silence from `at` on, instead of anything scheduled after that. */
  end(at: number, fadeSeconds?: number): void;
  /** Cancels `end`. */
  goOn(): void;
}

/** An audio output with its own clock: a browser's context, or the mixer of a machine without one. */
export interface Card<Loaded> {
  /** Earliest time at which a scheduled start is in time, seconds. */
  now(): number;
  /** Time of its clock that is audible now, seconds. */
  atEars(): number;
  /** False while its clock is stopped. */
  isRunning(): boolean;
  play(song: PlayerSong, loaded: Loaded, start: SongStart): PlayedSong;
  /** Sets the gain factor of the whole output. */
  setGain(gain: number): void;
  /** Fades the whole output to another gain factor above 0, in addition to the gain. */
  duck(gain: number, fadeSeconds: number): void;
}

/** Songs that are loaded ahead. */
export interface Shelf<Loaded> {
  /** @param songs the current song first; all others are unloaded */
  want(songs: readonly PlayerSong[]): void;
  /** Returns the loaded song; undefined until it is ready. */
  ready(song: PlayerSong): Loaded | undefined;
  readonly ahead: number;
  readonly problem: string;
  close(): void;
}

export interface EnginePorts<Loaded> {
  readonly card: Card<Loaded>;
  readonly shelf: Shelf<Loaded>;
  /** Monotonic clock of this machine, ms. The server's answers are timed with it. */
  readonly nowMs: () => number;
  /** Called when a song has been scheduled to follow the turn. */
  readonly onLaidOut: (turn: number, songId: string) => void;
  readonly onChange: () => void;
}

interface Sound {
  readonly song: PlayerSong;
  readonly played: PlayedSong;
  readonly turn: number;
  /** Start of the song according to the queue when it was started, on the server's clock, ms. */
  startsAt: number;
  /** Fade-out when a user ends the song, seconds. */
  readonly fadeAway: number;
}

/** Plays the queue in sync with the server's clock, and reports what plays. */
export class SoundEngine<Loaded extends { readonly seconds: number }> {
  readonly clock = new SteadyClock();
  readonly #ports: EnginePorts<Loaded>;
  #queue: PlayerQueue | undefined;
  #isHeard = false;
  #sound: Sound | undefined;
  #next: Sound | undefined;
  #seenBeginOf: number | undefined;
  /** Reduction that the card was set to, dB; undefined before the first state of the queue. */
  #duckDb: number | undefined;
  /** Time at which it advanced to the next song without the server. */
  #wentOnMs = Number.NEGATIVE_INFINITY;

  constructor(ports: EnginePorts<Loaded>) {
    this.#ports = ports;
  }

  get queue(): PlayerQueue | undefined {
    return this.#queue;
  }

  /** Time at which it last advanced to a song without the server, on this machine's clock, ms. */
  get wentOnMs(): number {
    return this.#wentOnMs;
  }

  get loadedAhead(): number {
    return this.#ports.shelf.ahead;
  }

  get problem(): string {
    return this.#ports.shelf.problem;
  }

  follow(queue: PlayerQueue, { volume, is_muted }: PlayerSettings, isHeard: boolean): void {
    this.#ports.card.setGain(gainOfVolume(volume, is_muted));
    this.#duck(queue.duck_db);
    this.#isHeard = isHeard;
    const mine = this.#queue;
    const isOld = mine !== undefined && queue.turn < mine.turn && this.#ports.nowMs() - this.#wentOnMs < OLD_NEWS_MS;
    if (isOld) return this.look();
    const isBegun = mine !== undefined && queue.turn > mine.turn;
    if (isBegun && this.#placeOf(queue) < 1) this.#seenBeginOf = queue.turn;
    this.#take(queue);
    this.look();
  }

  /** Fades to the level during a talk. A player that was opened during the talk starts at that level. */
  #duck(db: number): void {
    if (db === this.#duckDb) return;
    this.#ports.card.duck(10 ** (db / 20), this.#duckDb === undefined ? 0 : DUCK_SECONDS);
    this.#duckDb = db;
  }

  /** Returns what is playing now, on the server's clock; undefined in silence. */
  heard(): PlayerHeard | undefined {
    if (!this.#ports.card.isRunning() || !this.#queue) return undefined;
    const { revision } = this.#queue;
    const at = this.#serverMs();
    const position = this.#positionOf(this.#sound);
    if (!this.#sound || at === undefined || position === undefined || position < 0) return undefined;
    if (position > this.#sound.song.seconds) return undefined;
    return { song_id: this.#sound.song.id, position, at, revision };
  }

  close(): void {
    this.#ports.shelf.close();
    this.#silence(0);
  }

  #take(queue: PlayerQueue): void {
    this.#queue = queue;
    this.#ports.shelf.want([...(queue.song ? [queue.song] : []), ...queue.next].filter(isFirst));
  }

  /** Called ten times per second, and when a song is ready. */
  look(): void {
    if (this.#ports.card.isRunning()) {
      this.#goOn();
      this.#align();
      this.#layOut();
    } else this.#silence(0); // its clock is stopped, so scheduled songs would be late
    this.#ports.onChange();
  }

  /** Makes the scheduled song the current one, when it starts or when the server reports that it is next. */
  #goOn(): void {
    const queue = this.#queue;
    if (!this.#next || !queue) return;
    const { song: begun, played, turn } = this.#next;
    const isTold = queue.turn === turn && queue.song?.id === begun.id;
    const isAhead = played.zeroAt > this.#ports.card.now();
    if (!isTold && isAhead) return;
    // A user has skipped, so the current song is not played to its end.
    if (isAhead) this.#sound?.played.end(this.#ports.card.now(), this.#fadeAway(queue));
    this.#sound = this.#next;
    this.#next = undefined;
    const [song, ...next] = queue.next;
    if (isTold || queue.turn >= turn || song?.id !== begun.id) return;
    // Without the server, which may be unavailable.
    this.#wentOnMs = this.#ports.nowMs();
    this.#take({ ...queue, song, next, turn, starts_at: this.#sound.startsAt });
  }

  #align(): void {
    const queue = this.#queue;
    const serverMs = this.#serverMs();
    if (!queue || serverMs === undefined) return;
    const sound = this.#sound;
    const position = this.#positionOf(sound) ?? 0;
    const sounding = sound && { songId: sound.song.id, turn: sound.turn, startsAt: sound.startsAt, position };
    const step = nextStep({ queue, isHeard: this.#isHeard, serverMs, sounding, seenBeginOf: this.#seenBeginOf });
    if (step.kind === "silence") {
      // A song that ends on its own fades on its own.
      const isOver = sound !== undefined && queue.mode === "playing" && this.#isHeard;
      if (!isOver) this.#silence(queue.mode === "paused" ? FADE_AWAY / 5 : this.#fadeAway(queue));
      return;
    }
    if (step.kind === "keep") {
      if (sound) sound.startsAt = queue.starts_at;
      return;
    }
    const loaded = this.#ports.shelf.ready(step.song);
    if (!loaded) {
      if (sound && (sound.turn !== queue.turn || sound.song.id !== step.song.id)) this.#silence(this.#fadeAway(queue));
      return;
    }
    this.#silence(this.#fadeAway(queue));
    const ears = this.#ports.card.atEars();
    const at = Math.max(this.#ports.card.now() + SOON, ears - step.at);
    // Audio that leaves the card at that time is audible later by the same delay.
    const from = step.at > 0 ? step.at + at - ears : 0;
    if (from >= loaded.seconds) return;
    const { song } = step;
    const played = this.#ports.card.play(song, loaded, { at, from, levelDb: queue.level_db });
    const fadeAway = queue.fade_away_seconds;
    this.#sound = { song, played, turn: queue.turn, startsAt: queue.starts_at, fadeAway };
  }

  #layOut(): void {
    const queue = this.#queue;
    const sound = this.#sound;
    if (!queue || !sound || !this.#isHeard || queue.mode !== "playing" || sound.turn !== queue.turn)
      return this.#takeBack();
    const [song] = queue.next;
    const { played } = sound;
    const from = played.zeroAt + sound.song.seconds + queue.gap_seconds;
    if (this.#next) {
      if (this.#next.song.id !== song?.id || Math.abs(this.#next.played.zeroAt - from) > MOVED_IN_CARD)
        this.#takeBack();
      return;
    }
    const { card } = this.#ports;
    const left = from - card.now();
    const loaded = song && this.#ports.shelf.ready(song);
    if (!loaded || left > LAY_OUT || left < SOON) return;
    const fadeSeconds = Math.max(0, -queue.gap_seconds);
    if (fadeSeconds > 0) played.end(from, fadeSeconds);
    const next = card.play(song, loaded, { at: from, from: 0, levelDb: queue.level_db, fadeSeconds });
    const startsAt = queue.starts_at + (sound.song.seconds + queue.gap_seconds) * 1000;
    this.#next = { song, played: next, turn: sound.turn + 1, startsAt, fadeAway: queue.fade_away_seconds };
    this.#ports.onLaidOut(sound.turn, song.id);
  }

  /** Cancels the scheduled song, because it was too early or is no longer next. */
  #takeBack(): void {
    if (!this.#next) return;
    this.#next.played.end(0);
    this.#next = undefined;
    this.#sound?.played.goOn();
  }

  /**
   * Returns the fade-out of the current song: its own if a user ends it; short for seeks and when another player takes
   * over.
   */
  #fadeAway(queue: PlayerQueue): number {
    const sound = this.#sound;
    const isEnded = sound !== undefined && (queue.mode === "stopped" || queue.turn !== sound.turn);
    return isEnded ? Math.max(FADE_AWAY, sound.fadeAway) : FADE_AWAY;
  }

  #silence(fadeSeconds: number): void {
    this.#next?.played.end(0);
    this.#next = undefined;
    this.#sound?.played.end(0, fadeSeconds);
    this.#sound = undefined;
  }

  /** Returns the playback position, song seconds. */
  #positionOf(sound: Sound | undefined): number | undefined {
    return sound && this.#ports.card.atEars() - sound.played.zeroAt;
  }

  #serverMs(): number | undefined {
    const ahead = this.clock.aheadMs;
    return ahead === undefined ? undefined : this.#ports.nowMs() + ahead;
  }

  #placeOf({ starts_at }: PlayerQueue): number {
    const now = this.#serverMs();
    return now === undefined ? Number.POSITIVE_INFINITY : (now - starts_at) / 1000;
  }
}

const isFirst = <T extends { readonly id: string }>(song: T, i: number, all: readonly T[]): boolean =>
  all.findIndex(({ id }) => id === song.id) === i;
