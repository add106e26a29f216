import type { Seconds } from "@followspot/contract";
import type { ChaseOrder } from "@followspot/lighting";
import type { Loop } from "./loop.ts";
import { PlaybackClock } from "./playback-clock.ts";
import { StageLink, type StageState } from "./stage-link.ts";
import { serverPath } from "../../lib/base-path.ts";
import { socketUrl } from "../../lib/socket-url.ts";

/** Playback rates for working on a show. */
export const SLOW_SPEEDS = [0.5, 0.25] as const;

/** State that buttons and texts show; changes rarely. Song time itself is passed to {@link SongPlayer.onFrame}. */
export interface PlayerState {
  readonly isPlaying: boolean;
  readonly speed: number;
  readonly stage: StageState;
  /** Whether the audio is unavailable; the clock then runs without it. */
  readonly isSilent: boolean;
  /** Part of the song that repeats; undefined without a loop. */
  readonly loop: Loop | undefined;
  /** Whether an external clock provides the position. The page then plays no sound, and its buttons cannot seek. */
  readonly isLed: boolean;
}

/** Clock of an external player. */
export interface Lead {
  /**
   * Returns the song position at a time of `performance.now()`.
   * @param ms time, ms
   */
  positionAt(ms: number): Seconds;
  /** Playback rate, song seconds per second. */
  readonly rate: number;
}

export interface SongSource {
  /** URL of audio to play instead of the song's own. */
  readonly audio?: string;
  /** See {@link StageLink}. */
  readonly keepsShow?: boolean;
}

/** Receives the song time per frame. `sought` is true on the first frame after a seek. */
export type FrameListener = (time: Seconds, sought: boolean) => void;

/**
 * Plays one song: the audio, the clock for drawing, and the stage that follows.
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
    // Also if something else pauses the audio: a headset, another tab, the operating system.
    audio.addEventListener("pause", () => audio.paused && !audio.ended && this.pause(), { signal });
    // A page that is closed releases the stage before the next page requests it.
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
    this.#audio.load(); // closes the connection
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

  /** Returns the position of the audio itself, not smoothed as in {@link time}; undefined while nothing plays. */
  soundTime(): Seconds | undefined {
    if (this.#lead || !this.#state.isPlaying || !this.#clock.isRunning) return undefined;
    return this.#state.isSilent ? this.time() : this.#audio.currentTime;
  }

  /** Follows an external clock from now on. Without one, this player resumes control at the current position. */
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

  /** Executes an order of the leader. */
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

  /** Sets the loop and seeks to its start if the position is outside. A seek out of the loop ends the loop. */
  setLoop(loop: Loop | undefined): void {
    if (this.#lead) return;
    this.#change({ loop });
    const time = this.time();
    if (loop && (time < loop.from || time > loop.to)) this.seek(loop.from);
    this.redraw();
  }

  /** Sets the playback rate of audio, picture and stage. */
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

  /** Calls the listener on each animation frame while playing, and once after each change of the picture. */
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

  /**
   * Handles the actual start of the audio, some ten ms after play() or after a stall. The stage has advanced by then.
   */
  #soundStarts(): void {
    this.#resume();
    if (this.#state.isPlaying) this.#stage.play();
  }

  #resume(): void {
    if (this.#state.isPlaying) this.#clock.run(performance.now());
    this.redraw();
  }

  #playSilently(): void {
    // A pause before the start also rejects play(); that is no audio error.
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
