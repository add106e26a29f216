import type { PlayerHeard, PlayerQueue, PlayerSettings } from "@followspot/contract";
import { heardNow } from "../lib/heard-now.ts";
import { SoundingSong } from "./sounding-song.ts";
import { nextStep } from "./next-step.ts";
import { SongShelf } from "./song-shelf.ts";
import { SteadyClock } from "./steady-clock.ts";

const LOOK_MS = 100;
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

export interface EnginePorts {
  readonly context: AudioContext;
  readonly key: string;
  /** Ms from the sound card to the ears, which nobody can measure from here: added to what the card says of itself. */
  readonly delayMs: () => number;
  /** A song was laid out to follow the turn. */
  readonly onLaidOut: (turn: number, songId: string) => void;
  readonly onChange: () => void;
}

interface Sound {
  readonly played: SoundingSong;
  readonly turn: number;
  /** Where the queue had the song when it was started, ms of the server's clock. */
  startsAt: number;
  /** It goes within so many seconds when a person ends it. */
  readonly fadeAway: number;
}

/** Plays the queue: what is to sound at which moment of the server's clock sounds then, and what sounds is told. */
export class SoundEngine {
  readonly clock = new SteadyClock();
  readonly #ports: EnginePorts;
  readonly #shelf: SongShelf;
  readonly #master: GainNode;
  readonly #meters: readonly AnalyserNode[];
  readonly #samples = new Float32Array(1024);
  readonly #timer: ReturnType<typeof setInterval>;
  #queue: PlayerQueue | undefined;
  #isHeard = false;
  #sound: Sound | undefined;
  #next: Sound | undefined;
  #seenBeginOf: number | undefined;
  /** When it went on to the next song by itself. */
  #wentOnMs = Number.NEGATIVE_INFINITY;

  constructor(ports: EnginePorts) {
    const { context, key } = ports;
    this.#ports = ports;
    this.#shelf = new SongShelf({ context, key, onChange: () => this.#look() });
    this.#master = context.createGain();
    this.#master.connect(context.destination);
    const sides = context.createChannelSplitter(2);
    this.#master.connect(sides);
    this.#meters = [0, 1].map((side) => {
      const meter = context.createAnalyser();
      meter.fftSize = 1024;
      sides.connect(meter, side);
      return meter;
    });
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  get queue(): PlayerQueue | undefined {
    return this.#queue;
  }

  /** When it last went on to a song by itself, by `performance.now()`. */
  get wentOnMs(): number {
    return this.#wentOnMs;
  }

  get loadedAhead(): number {
    return this.#shelf.ahead;
  }

  get problem(): string {
    return this.#shelf.problem;
  }

  follow(queue: PlayerQueue, { volume, is_muted }: PlayerSettings, isHeard: boolean): void {
    this.#master.gain.setTargetAtTime(is_muted ? 0 : volume ** 2, this.#ports.context.currentTime, 0.02);
    this.#isHeard = isHeard;
    const mine = this.#queue;
    const isOld = mine !== undefined && queue.turn < mine.turn && performance.now() - this.#wentOnMs < OLD_NEWS_MS;
    if (isOld) return this.#look();
    const isBegun = mine !== undefined && queue.turn > mine.turn;
    if (isBegun && this.#positionOf(queue) < 1) this.#seenBeginOf = queue.turn;
    this.#take(queue);
    this.#look();
  }

  /** What is heard now, by the server's clock; undefined in silence. */
  heard(): PlayerHeard | undefined {
    if (!this.#canSound || !this.#queue) return undefined;
    const { revision } = this.#queue;
    const at = this.#serverMs();
    const position = this.#sound?.played.positionAt(this.#atEars());
    if (!this.#sound || at === undefined || position === undefined || position < 0) return undefined;
    if (position > this.#sound.played.song.seconds) return undefined;
    return { song_id: this.#sound.played.song.id, position, at, revision };
  }

  /** Root mean square of both sides now, dB below full scale. */
  levels(): readonly number[] {
    return this.#meters.map((meter) => {
      meter.getFloatTimeDomainData(this.#samples);
      const power = this.#samples.reduce((sum, sample) => sum + sample * sample, 0) / this.#samples.length;
      return 10 * Math.log10(power + 1e-10);
    });
  }

  close(): void {
    clearInterval(this.#timer);
    this.#shelf.close();
    this.#silence(0);
    this.#master.disconnect();
  }

  #take(queue: PlayerQueue): void {
    this.#queue = queue;
    this.#shelf.want([...(queue.song ? [queue.song] : []), ...queue.next].filter(isFirst));
  }

  /** The browser has allowed it, and the card takes it. */
  get #canSound(): boolean {
    return this.#ports.context.state === "running";
  }

  #look(): void {
    if (this.#canSound) {
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
    const { played, turn } = this.#next;
    const isTold = queue.turn === turn && queue.song?.id === played.song.id;
    if (!isTold && played.zeroAt > this.#ports.context.currentTime) return;
    this.#sound = this.#next;
    this.#next = undefined;
    const [song, ...next] = queue.next;
    if (isTold || queue.turn >= turn || song?.id !== played.song.id) return;
    // By itself: the server may be away.
    this.#wentOnMs = performance.now();
    this.#take({ ...queue, song, next, turn, starts_at: this.#sound.startsAt });
  }

  #align(): void {
    const queue = this.#queue;
    const serverMs = this.#serverMs();
    if (!queue || serverMs === undefined) return;
    const sound = this.#sound;
    const position = sound?.played.positionAt(this.#atEars()) ?? 0;
    const sounding = sound && { songId: sound.played.song.id, turn: sound.turn, startsAt: sound.startsAt, position };
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
    const loaded = this.#shelf.ready(step.song);
    if (!loaded) {
      if (sound && (sound.turn !== queue.turn || sound.played.song.id !== step.song.id))
        this.#silence(this.#fadeAway(queue));
      return;
    }
    this.#silence(this.#fadeAway(queue));
    const ears = this.#atEars();
    const at = Math.max(this.#ports.context.currentTime + SOON, ears - step.at);
    // What leaves the card then is heard as much later than now.
    const from = step.at > 0 ? step.at + at - ears : 0;
    if (from >= loaded.buffer.duration) return;
    const played = new SoundingSong(this.#ports.context, this.#master, loaded, {
      at,
      from,
      levelDb: queue.level_db,
    });
    const fadeAway = queue.fade_away_seconds;
    this.#sound = { played, turn: queue.turn, startsAt: queue.starts_at, fadeAway };
  }

  #layOut(): void {
    const queue = this.#queue;
    const sound = this.#sound;
    if (!queue || !sound || !this.#isHeard || queue.mode !== "playing" || sound.turn !== queue.turn)
      return this.#takeBack();
    const [song] = queue.next;
    const { played } = sound;
    const from = played.zeroAt + played.song.seconds + queue.gap_seconds;
    if (this.#next) {
      if (this.#next.played.song.id !== song?.id || Math.abs(this.#next.played.zeroAt - from) > MOVED_IN_CARD)
        this.#takeBack();
      return;
    }
    const { context } = this.#ports;
    const left = from - context.currentTime;
    const loaded = song && this.#shelf.ready(song);
    if (!loaded || left > LAY_OUT || left < SOON) return;
    const fadeSeconds = Math.max(0, -queue.gap_seconds);
    if (fadeSeconds > 0) played.end(from, fadeSeconds);
    const next = new SoundingSong(context, this.#master, loaded, {
      at: from,
      from: 0,
      levelDb: queue.level_db,
      fadeSeconds,
    });
    const startsAt = queue.starts_at + (played.song.seconds + queue.gap_seconds) * 1000;
    this.#next = { played: next, turn: sound.turn + 1, startsAt, fadeAway: queue.fade_away_seconds };
    this.#ports.onLaidOut(sound.turn, loaded.song.id);
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

  /** The moment of the context's clock that is heard now. */
  #atEars(): number {
    return heardNow(this.#ports.context) - this.#ports.delayMs() / 1000;
  }

  #serverMs(): number | undefined {
    const ahead = this.clock.aheadMs;
    return ahead === undefined ? undefined : performance.now() + ahead;
  }

  #positionOf({ starts_at }: PlayerQueue): number {
    const now = this.#serverMs();
    return now === undefined ? Number.POSITIVE_INFINITY : (now - starts_at) / 1000;
  }
}

const isFirst = <T extends { readonly id: string }>(song: T, i: number, all: readonly T[]): boolean =>
  all.findIndex(({ id }) => id === song.id) === i;
