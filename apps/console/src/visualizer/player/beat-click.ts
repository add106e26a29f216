import type { Seconds } from "@followspot/contract";
import type { SongPlayer } from "./song-player.ts";
import { heardNow } from "../../lib/heard-now.ts";
import { lowerBound } from "../timeline/timeline-layout.ts";

/** Interval at which clicks are scheduled, ms, and how far ahead. A busy page runs late; the audio clock does not. */
const TICK_MS = 40;
const AHEAD_SECONDS = 0.25;
/** Scheduling window of a hidden page, whose timers run once per second. */
const AHEAD_HIDDEN_SECONDS = 1.5;
/** A larger change of the song position is a seek, not jitter. */
const JUMP_SECONDS = 0.06;
const SAMPLES = 9;
const CLICK_SECONDS = 0.035;
const PITCH_HZ = { beat: 1100, downbeat: 1760 } as const;

export interface Click {
  readonly time: Seconds;
  /** Whether the beat is the first of its bar. */
  readonly isAccent: boolean;
}

/** Returns the clicks in [from, to). */
export function clicksBetween(
  beats: readonly Seconds[],
  downbeats: readonly Seconds[],
  from: Seconds,
  to: Seconds,
): Click[] {
  const clicks: Click[] = [];
  for (let i = lowerBound(beats, from, identity); i < beats.length && beats[i]! < to; i++) {
    const time = beats[i]!;
    const bar = downbeats[lowerBound(downbeats, time - 0.005, identity)];
    clicks.push({ time, isAccent: bar !== undefined && Math.abs(bar - time) < 0.005 });
  }
  return clicks;
}

const identity = (value: number): number => value;

/**
 * Estimates song time 0 on the clock of the sound card. Uses the median of the last few measurements, because the media
 * element reports its time in steps.
 */
export class SongClock {
  readonly #zeros: number[] = [];

  /** @returns whether the song was seeked, which invalidates scheduled clicks */
  measure(heardAt: number, songTime: Seconds, rate: number): boolean {
    const zero = heardAt - songTime / rate;
    const jumped = this.#zeros.length > 0 && Math.abs(zero - this.zero()) > JUMP_SECONDS;
    if (jumped) this.reset();
    this.#zeros.push(zero);
    if (this.#zeros.length > SAMPLES) this.#zeros.shift();
    return jumped;
  }

  zero(): number {
    const sorted = this.#zeros.toSorted((a, b) => a - b);
    return sorted[sorted.length >> 1] ?? Number.NaN;
  }

  reset(): void {
    this.#zeros.length = 0;
  }
}

/** Metronome that clicks on the beats of the playing song, between {@link start} and {@link stop}. */
export class BeatClick {
  readonly #player: SongPlayer;
  readonly #songClock = new SongClock();
  #beats: readonly Seconds[] = [];
  #downbeats: readonly Seconds[] = [];
  #volume = 0.5;
  #context: AudioContext | undefined;
  #gain: GainNode | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #rate = 1;
  /** Clicks before this song time are already scheduled. */
  #laidUntil: Seconds = Number.NEGATIVE_INFINITY;
  readonly #waiting = new Set<OscillatorNode>();

  constructor(player: SongPlayer) {
    this.#player = player;
  }

  /** Replaces the beat grid from the next tick on. */
  setGrid(beats: readonly Seconds[], downbeats: readonly Seconds[]): void {
    this.#beats = beats;
    this.#downbeats = downbeats;
    this.#silence();
  }

  /** Sets the volume, 0..1. */
  setVolume(volume: number): void {
    this.#volume = volume;
    if (this.#gain) this.#gain.gain.value = volume ** 2;
  }

  start(): void {
    if (this.#timer) return;
    this.#context = new AudioContext({ latencyHint: "interactive" });
    this.#gain = this.#context.createGain();
    this.#gain.connect(this.#context.destination);
    this.setVolume(this.#volume);
    // A page may not play sound before the first click on it; the next button press resumes the context.
    void this.#context.resume().catch(() => undefined);
    this.#timer = setInterval(() => this.#layOut(), TICK_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#silence();
    void this.#context?.close();
    this.#context = undefined;
    this.#gain = undefined;
  }

  #layOut(): void {
    const context = this.#context;
    const songTime = this.#player.soundTime();
    if (!context || songTime === undefined) return this.#silence();
    if (context.state === "suspended") void context.resume().catch(() => undefined);
    const { speed } = this.#player.state();
    if (speed !== this.#rate) this.#silence();
    this.#rate = speed;
    if (this.#songClock.measure(heardNow(context), songTime, speed)) this.#forgetLaid();
    const ahead = (document.hidden ? AHEAD_HIDDEN_SECONDS : AHEAD_SECONDS) * speed;
    const from = Math.max(this.#laidUntil, songTime);
    const to = songTime + ahead;
    if (to <= from) return;
    const zero = this.#songClock.zero();
    for (const click of clicksBetween(this.#beats, this.#downbeats, from, to)) {
      const at = zero + click.time / speed;
      if (at >= context.currentTime) this.#click(context, at, click.isAccent);
    }
    this.#laidUntil = to;
  }

  #click(context: AudioContext, at: number, isAccent: boolean): void {
    const voice = context.createOscillator();
    const envelope = context.createGain();
    voice.type = "triangle";
    voice.frequency.value = isAccent ? PITCH_HZ.downbeat : PITCH_HZ.beat;
    envelope.gain.setValueAtTime(isAccent ? 1 : 0.6, at);
    envelope.gain.exponentialRampToValueAtTime(0.001, at + CLICK_SECONDS);
    voice.connect(envelope).connect(this.#gain!); // created with the context
    voice.start(at);
    voice.stop(at + CLICK_SECONDS);
    this.#waiting.add(voice);
    voice.addEventListener("ended", () => this.#waiting.delete(voice));
  }

  #silence(): void {
    this.#songClock.reset();
    this.#forgetLaid();
  }

  #forgetLaid(): void {
    this.#laidUntil = Number.NEGATIVE_INFINITY;
    for (const voice of this.#waiting) voice.disconnect();
    this.#waiting.clear();
  }
}
