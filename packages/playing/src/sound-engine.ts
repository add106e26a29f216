import type { PlayerHeard, PlayerQueue, PlayerSettings, PlayerSong } from "@followspot/contract";
import { gainOfVolume } from "./levels.ts";
import { nextStep } from "./next-step.ts";
import { SteadyClock } from "./steady-clock.ts";

/** The next song is laid out so long before it begins. Seconds. */
const LAY_OUT = 3;
/** The card needs so long to begin. Seconds. */
const SOON = 0.03;
/** How fast sound goes where a person ends it: skip and stop, pause. Seconds. */
const FADE_AWAY = 0.25;
/** A start that was laid out and is this far from where it should be is laid out again. Seconds. */
const MOVED_IN_CARD = 0.02;
/** What the server says of a turn before this one is old news for so long. */
const OLD_NEWS_MS = 3000;

/** How a song is started. Seconds of the card's clock. */
export interface SongStart {
  readonly at: number;
  /** Song second then. */
  readonly from: number;
  /** dB by which it is softer than its gain says. */
  readonly levelDb: number;
  readonly fadeSeconds?: number;
}

/** A song that sounds on a card, or is laid out to. */
export interface PlayedSong {
  /** When song second 0 leaves the card. */
  readonly zeroAt: number;
  /** Falls to silence from `at` on, in place of what was to happen after that. */
  end(at: number, fadeSeconds?: number): void;
  /** Takes back what `end` laid out. */
  goOn(): void;
}

/** Where sound goes, with a clock of its own: a browser's context, or the mixer of a machine without one. */
export interface Card<Loaded> {
  /** What is laid out for a later moment than this is in time. Seconds. */
  now(): number;
  /** The moment of its clock that reaches ears now. */
  atEars(): number;
  /** False while its clock stands. */
  isRunning(): boolean;
  play(song: PlayerSong, loaded: Loaded, start: SongStart): PlayedSong;
  /** What all of it is multiplied by. */
  setGain(gain: number): void;
}

/** Songs that are fetched ahead and ready to sound. */
export interface Shelf<Loaded> {
  /** @param songs the one that plays first; others are forgotten */
  want(songs: readonly PlayerSong[]): void;
  /** undefined until it can sound */
  ready(song: PlayerSong): Loaded | undefined;
  readonly ahead: number;
  readonly problem: string;
  close(): void;
}

export interface EnginePorts<Loaded> {
  readonly card: Card<Loaded>;
  readonly shelf: Shelf<Loaded>;
  /** A clock of this machine that only runs forward, ms: the one that the server's answers are timed with. */
  readonly nowMs: () => number;
  /** A song was laid out to follow the turn. */
  readonly onLaidOut: (turn: number, songId: string) => void;
  readonly onChange: () => void;
}

interface Sound {
  readonly song: PlayerSong;
  readonly played: PlayedSong;
  readonly turn: number;
  /** Where the queue had the song when it was started, ms of the server's clock. */
  startsAt: number;
  /** It goes within so many seconds when a person ends it. */
  readonly fadeAway: number;
}

/** Plays the queue: what is to sound at which moment of the server's clock sounds then, and what sounds is told. */
export class SoundEngine<Loaded extends { readonly seconds: number }> {
  readonly clock = new SteadyClock();
  readonly #ports: EnginePorts<Loaded>;
  #queue: PlayerQueue | undefined;
  #isHeard = false;
  #sound: Sound | undefined;
  #next: Sound | undefined;
  #seenBeginOf: number | undefined;
  /** When it went on to the next song by itself. */
  #wentOnMs = Number.NEGATIVE_INFINITY;

  constructor(ports: EnginePorts<Loaded>) {
    this.#ports = ports;
  }

  get queue(): PlayerQueue | undefined {
    return this.#queue;
  }

  /** When it last went on to a song by itself, by the clock of this machine. */
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
    this.#isHeard = isHeard;
    const mine = this.#queue;
    const isOld = mine !== undefined && queue.turn < mine.turn && this.#ports.nowMs() - this.#wentOnMs < OLD_NEWS_MS;
    if (isOld) return this.look();
    const isBegun = mine !== undefined && queue.turn > mine.turn;
    if (isBegun && this.#placeOf(queue) < 1) this.#seenBeginOf = queue.turn;
    this.#take(queue);
    this.look();
  }

  /** What is heard now, by the server's clock; undefined in silence. */
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

  /** Asked ten times a second, and when a song is ready. */
  look(): void {
    if (this.#ports.card.isRunning()) {
      this.#goOn();
      this.#align();
      this.#layOut();
    } else this.#silence(0); // its clock stands: what was laid out on it would come late
    this.#ports.onChange();
  }

  /** The song that was laid out begins, or the server says that it is next: it is the one that plays. */
  #goOn(): void {
    const queue = this.#queue;
    if (!this.#next || !queue) return;
    const { song: begun, played, turn } = this.#next;
    const isTold = queue.turn === turn && queue.song?.id === begun.id;
    const isAhead = played.zeroAt > this.#ports.card.now();
    if (!isTold && isAhead) return;
    // A person went on before the end: the song that sounds does not play to it.
    if (isAhead) this.#sound?.played.end(this.#ports.card.now(), this.#fadeAway(queue));
    this.#sound = this.#next;
    this.#next = undefined;
    const [song, ...next] = queue.next;
    if (isTold || queue.turn >= turn || song?.id !== begun.id) return;
    // By itself: the server may be away.
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
      // What ends by itself fades by itself.
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
    // What leaves the card then is heard as much later than now.
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

  /** The next song was laid out too early, or is another. */
  #takeBack(): void {
    if (!this.#next) return;
    this.#next.played.end(0);
    this.#next = undefined;
    this.#sound?.played.goOn();
  }

  /** Seconds in which what sounds goes: its own, where a person ends it; within the song and to another player it is quick. */
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

  /** Song second that is heard now. */
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
