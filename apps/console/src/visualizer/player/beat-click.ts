import type { Seconds } from "@followspot/contract";
import type { SongPlayer } from "./song-player.ts";
import { heardNow } from "../../lib/heard-now.ts";
import { lowerBound } from "../timeline/timeline-layout.ts";

/** How often clicks are laid out, and how far ahead: a busy page is late, the audio clock is not. */
const TICK_MS = 40;
const AHEAD_SECONDS = 0.25;
/** Timers of a hidden page run once a second. */
const AHEAD_HIDDEN_SECONDS = 1.5;
/** A jump beyond this is a seek, not jitter. */
const JUMP_SECONDS = 0.06;
const SAMPLES = 9;
const CLICK_SECONDS = 0.035;
const PITCH_HZ = { beat: 1100, downbeat: 1760 } as const;

export interface Click {
  readonly time: Seconds;
  /** The first beat of a bar. */
  readonly isAccent: boolean;
}

/** The clicks in [from, to). */
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
 * Song time 0 on the clock of the sound card: the median of the last few measurements, since the media
 * element reports its time in steps.
 */
export class SongClock {
  readonly #zeros: number[] = [];

  /** @returns whether the song jumped and what was laid out is void */
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

/** A metronome that clicks on the beats of a song being played. Sounds between {@link start} and {@link stop}. */
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
  /** Clicks before this song time are laid out already. */
  #laidUntil: Seconds = Number.NEGATIVE_INFINITY;
  readonly #waiting = new Set<OscillatorNode>();

  constructor(player: SongPlayer) {
    this.#player = player;
  }

  /** Another grid sounds from the next tick on. */
  setGrid(beats: readonly Seconds[], downbeats: readonly Seconds[]): void {
    this.#beats = beats;
    this.#downbeats = downbeats;
    this.#silence();
  }

  /** 0..1 */
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
    // A page that was not touched yet may not sound; the next press of a button starts it.
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
    voice.connect(envelope).connect(this.#gain!); // made with the context
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
