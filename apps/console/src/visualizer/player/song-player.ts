import type { Seconds } from "@followspot/contract";
import type { ChaseOrder } from "@followspot/lighting";
import type { Loop } from "./loop.ts";
import { PlaybackClock } from "./playback-clock.ts";
import { StageLink, type StageState } from "./stage-link.ts";
import { serverPath } from "../../lib/base-path.ts";
import { socketUrl } from "../../lib/socket-url.ts";

/** Slower than the song, for work. */
export const SLOW_SPEEDS = [0.5, 0.25] as const;

/** What buttons and texts show; changes rarely. Song time itself goes to {@link SongPlayer.onFrame}. */
export interface PlayerState {
  readonly isPlaying: boolean;
  readonly speed: number;
  readonly stage: StageState;
  /** The song cannot be heard; the clock runs without it. */
  readonly isSilent: boolean;
  /** Played again and again; undefined plays on. */
  readonly loop: Loop | undefined;
  /** Another player's clock says where the song is: nothing sounds, and no button moves it. */
  readonly isLed: boolean;
}

/** Another player's clock. */
export interface Lead {
  /** @param ms of `performance.now()` */
  positionAt(ms: number): Seconds;
  /** Song seconds in a second. */
  readonly rate: number;
}

export interface SongSource {
  /** What sounds, in place of the song's own. */
  readonly audio?: string;
  /** See {@link StageLink}. */
  readonly keepsShow?: boolean;
}

/** `sought` is true on the first frame after the time was set by hand. */
export type FrameListener = (time: Seconds, sought: boolean) => void;

/**
 * One song being played: the sound, the clock that draws, and the stage that follows.
 * Open between {@link attach} and {@link detach}.
 */
export class SongPlayer {
  readonly #audio: HTMLAudioElement;
  readonly #source: string;
  readonly #clock = new PlaybackClock();
  readonly #stage: StageLink;
  readonly #frameListeners = new Set<FrameListener>();
  readonly #stateListeners = new Set<() => void>();
  #state: PlayerState = {
    isPlaying: false,
    speed: 1,
    stage: { kind: "offline" },
    isSilent: false,
    loop: undefined,
    isLed: false,
  };
  #lead: Lead | undefined;
  #scope: AbortController | undefined;
  #frame = 0;
  #wasSought = false;
  #duration: Seconds = 0;

  constructor(songId: string, { audio, keepsShow = false }: SongSource = {}) {
    this.#audio = document.createElement("audio");
    this.#audio.preload = "auto";
    this.#source = audio ?? serverPath(`/proxy/songs/${encodeURIComponent(songId)}/audio.mp3`);
    this.#stage = new StageLink({
      url: socketUrl(`/lights/playback/${encodeURIComponent(songId)}`),
      keepsShow,
      position: () => this.time(),
      rate: () => this.#lead?.rate ?? this.#state.speed,
      onChange: (stage) => this.#change({ stage }),
    });
  }

  attach(root: HTMLElement): void {
    this.#scope = new AbortController();
    const { signal } = this.#scope;
    const audio = this.#audio;
    audio.src = this.#source;
    root.append(audio);
    audio.addEventListener("error", () => this.#change({ isSilent: true }), { signal });
    audio.addEventListener("loadedmetadata", () => this.#change({ isSilent: false }), { signal });
    audio.addEventListener("waiting", () => this.#clock.hold(performance.now()), { signal });
    audio.addEventListener("playing", () => this.#soundStarts(), { signal });
    audio.addEventListener("ended", () => this.pause(), { signal });
    // Also when something else stops the sound: a headset, another tab, the system.
    audio.addEventListener("pause", () => audio.paused && !audio.ended && this.pause(), { signal });
    // A page that is left lets go of the stage before the next one asks for it.
    addEventListener("pagehide", () => this.#stage.close(), { signal });
    addEventListener("pageshow", ({ persisted }) => persisted && this.#stage.open(), { signal });
    this.#stage.open();
    this.redraw();
  }

  detach(): void {
    this.#scope?.abort();
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#audio.pause();
    this.#audio.remove();
    this.#audio.removeAttribute("src");
    this.#audio.load(); // lets go of the connection
    this.#clock.hold(performance.now());
    this.#stage.close();
    this.#state = { ...this.#state, isPlaying: false, stage: { kind: "offline" } };
  }

  setDuration(duration: Seconds): void {
    this.#duration = duration;
  }

  time(): Seconds {
    const now = performance.now();
    return Math.min(this.#duration, Math.max(0, this.#lead?.positionAt(now) ?? this.#clock.timeAt(now)));
  }

  /** Where the sound itself is, without the calm of {@link time}; undefined while nothing moves or sounds. */
  soundTime(): Seconds | undefined {
    if (this.#lead || !this.#state.isPlaying || !this.#clock.isRunning) return undefined;
    return this.#state.isSilent ? this.time() : this.#audio.currentTime;
  }

  /** From now on the lead says where the song is, or without one this player again, from where it is. */
  follow(lead: Lead | undefined): void {
    if (lead === this.#lead) return;
    const place = this.time();
    this.#lead = undefined;
    this.#stop();
    this.#clock.seek(place, performance.now());
    if (!lead && !this.#state.isSilent) this.#audio.currentTime = place;
    if (lead && this.#state.speed !== 1) this.setSpeed(1);
    this.#lead = lead;
    this.#change({ isLed: lead !== undefined, loop: undefined });
    this.redraw();
  }

  /** What the leader wants. */
  obey({ kind, position }: ChaseOrder): void {
    if (!this.#lead) return;
    if (kind === "play") {
      this.#change({ isPlaying: true });
      this.#stage.play();
    } else if (kind === "pause") this.#stop();
    else if (kind === "sync") this.#stage.sync();
    else {
      this.#stage.seek(position);
      this.#wasSought = true;
    }
    this.redraw();
  }

  play(): void {
    if (this.#state.isPlaying || this.#lead) return;
    if (this.time() >= this.#duration) this.seek(0);
    this.#change({ isPlaying: true });
    if (this.#state.isSilent) this.#resume();
    else {
      this.#audio.currentTime = this.time();
      this.#audio.play().catch(() => this.#playSilently());
    }
    this.#stage.play();
    this.redraw();
  }

  pause(): void {
    if (!this.#lead) this.#stop();
  }

  #stop(): void {
    if (!this.#state.isPlaying) return;
    this.#clock.hold(performance.now());
    this.#change({ isPlaying: false });
    this.#audio.pause();
    this.#stage.pause();
    this.redraw();
  }

  toggle(): void {
    if (this.#state.isPlaying) this.pause();
    else this.play();
  }

  seek(time: Seconds): void {
    if (this.#lead) return;
    const t = Math.min(this.#duration, Math.max(0, time));
    this.#clock.seek(t, performance.now());
    if (!this.#state.isSilent) this.#audio.currentTime = t;
    this.#stage.seek(t);
    this.#wasSought = true;
    const { loop } = this.#state;
    if (loop && (t < loop.from || t > loop.to)) this.setLoop(undefined);
    this.redraw();
  }

  /** From outside it the song goes to its start; it ends by itself when a person seeks out of it. */
  setLoop(loop: Loop | undefined): void {
    if (this.#lead) return;
    this.#change({ loop });
    const time = this.time();
    if (loop && (time < loop.from || time > loop.to)) this.seek(loop.from);
    this.redraw();
  }

  /** Sound, picture and stage go at this speed. */
  setSpeed(speed: number): void {
    this.#audio.playbackRate = speed;
    this.#clock.setRate(speed, performance.now());
    this.#change({ speed });
    this.#stage.sync();
  }

  takeOver(): void {
    this.#stage.takeOver();
  }

  readonly state = (): PlayerState => this.#state;

  readonly onState = (listener: () => void): (() => void) => {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  };

  /** Called each animation frame while playing, and once after anything that moves the picture. */
  readonly onFrame = (listener: FrameListener): (() => void) => {
    this.#frameListeners.add(listener);
    this.redraw();
    return () => this.#frameListeners.delete(listener);
  };

  readonly redraw = (): void => {
    if (this.#frame === 0 && this.#scope && !this.#scope.signal.aborted)
      this.#frame = requestAnimationFrame(this.#draw);
  };

  readonly #draw = (): void => {
    this.#frame = 0;
    const now = performance.now();
    if (this.#clock.isRunning && !this.#state.isSilent) this.#clock.observe(this.#audio.currentTime, now);
    const time = this.time();
    const sought = this.#wasSought;
    this.#wasSought = false;
    for (const listener of this.#frameListeners) listener(time, sought);
    if (!this.#state.isPlaying) return;
    if (this.#lead) return this.redraw();
    const { loop } = this.#state;
    if (loop && time >= loop.to) return this.seek(loop.from);
    if (time >= this.#duration && this.#duration > 0) return this.pause();
    this.redraw();
  };

  /** Some ten ms after it was asked to, or after a stall: the stage has moved on meanwhile. */
  #soundStarts(): void {
    this.#resume();
    if (this.#state.isPlaying) this.#stage.play();
  }

  #resume(): void {
    if (this.#state.isPlaying) this.#clock.run(performance.now());
    this.redraw();
  }

  #playSilently(): void {
    // A pause that overtakes the start rejects too; that is not a fault of the sound.
    if (!this.#state.isPlaying) return;
    if (!this.#audio.error) return this.pause();
    this.#change({ isSilent: true });
    this.#resume();
  }

  #change(change: Partial<PlayerState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#stateListeners) listener();
  }
}
