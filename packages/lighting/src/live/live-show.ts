import type { HeardSound } from "@followspot/contract";
import { clamp, modulo } from "../maths.ts";
import type { LiveLevel, LivePlan, LiveSection } from "./live-plan.ts";
import type { LiveLight } from "./live-states.ts";

/** Silence before the show fades to the idle look, and length of that fade, ms. */
const SILENCE_MS = 2000;
const IDLE_FADE_MS = 2000;
/**
 * Time without incoming sound before the show fades to the idle look, ms. A lost connection is usually back soon, so
 * the show continues at its last tempo.
 */
const LOST_MS = 4000;
/** Age from which the last report no longer gives the current loudness, ms. */
const STALE_MS = 250;
/** Tempo of a show before any beat was detected. */
const NO_BEAT_BPM = 100;
/** Confidence of the pulse below which lights ignore the beats and follow the loudness. */
const SURE_PULSE = 0.3;
/** Energy from which a passage has each level, and how far it must exceed it. */
const FROM_ENERGY = [0, 0.22, 0.45, 0.68, 0.9] as const;
const HYSTERESIS = 0.04;
/** Rise or fall within half a second that changes the section at once. */
const SURGE = 0.6;
const PHRASE_BARS = 4;
const FADE_BEATS = 2;
/** Beats at the top level before it falls back, and beats until it may return. */
const TOP_BEATS = 64;
const REST_BEATS = 32;
/** Duration and size of the light's reaction to a stroke. */
const ACCENT_MS = 150;
const ACCENT = 0.25;

/** A playing section of the plan, and the counted beat at which it began. */
interface Place {
  readonly section: LiveSection;
  readonly since: number;
}

/**
 * State of the show for live sound: which section of its plan plays, and how far. Time is an argument; each report of
 * the sound comes with its time.
 */
export class LiveShow {
  #plan: LivePlan;
  #place: Place;
  #left: { readonly place: Place; readonly at: number } | undefined;
  #heard: HeardSound | undefined;
  #heardMs = Number.NEGATIVE_INFINITY;
  #soundedMs = Number.NEGATIVE_INFINITY;
  #accent = { ms: Number.NEGATIVE_INFINITY, size: 0 };
  #beat = { at: 0, ms: 0, perMs: NO_BEAT_BPM / 60_000 };
  #toppedAt = Number.NEGATIVE_INFINITY;

  constructor(plan: LivePlan) {
    this.#plan = plan;
    this.#place = { section: this.#sectionOf(1, 0), since: 0 };
  }

  get plan(): LivePlan {
    return this.#plan;
  }

  /** Time of the last stroke that the light reacted to, ms. */
  get struckMs(): number {
    return this.#accent.ms;
  }

  /** Processes a report of the sound; ignored without a finite time. Returns whether another section begins. */
  hear(heard: HeardSound, ms: number): boolean {
    if (!Number.isFinite(ms)) return false;
    this.#heard = heard;
    this.#heardMs = ms;
    if (!heard.isSilent) this.#soundedMs = ms;
    if (heard.onset > this.#accentAt(ms)) this.#accent = { ms, size: heard.onset };
    this.#countBeats(ms);
    return this.#choose(ms);
  }

  /** Continues at the same section in another plan. */
  rePlan(plan: LivePlan): void {
    const at = this.#plan.sections.indexOf(this.#place.section);
    this.#plan = plan;
    this.#place = { section: plan.sections[at] ?? plan.sections[0]!, since: this.#place.since };
    this.#left = undefined;
  }

  /** Share of the idle look at a time: 0 while the show plays, 1 once the idle look is complete. */
  idleAt(ms: number): number {
    if (!this.#heard) return 1;
    const silent = (Math.min(ms, this.#heardMs) - this.#soundedMs - SILENCE_MS) / IDLE_FADE_MS;
    const lost = (ms - this.#heardMs - LOST_MS) / IDLE_FADE_MS;
    return clamp(Math.max(silent, lost));
  }

  at(ms: number): LiveLight {
    const beat = this.#beatAt(ms);
    const heard = this.#heard;
    const fading = this.#left ? 1 - (beat - this.#left.at) / FADE_BEATS : 0;
    return {
      position: this.#positionOf(this.#place, beat),
      from:
        this.#left && fading > 0
          ? { position: this.#positionOf(this.#left.place, beat), share: clamp(fading) }
          : undefined,
      ride: this.#rideAt(ms),
      bands: {
        bass: heard?.bass ?? 0,
        mid: heard?.mid ?? 0,
        high: heard?.high ?? 0,
        energy: heard?.level ?? 0,
      },
    };
  }

  #countBeats(ms: number): void {
    const pulse = this.#heard?.pulse;
    if (!pulse) return;
    const leap = Math.round(pulse.beat - this.#beatAt(ms));
    if (leap !== 0) this.#recount(leap);
    this.#beat = { at: pulse.beat, ms, perMs: pulse.bpm / 60_000 };
  }

  /**
   * Shifts the beat count, for example when the first beat is detected or another microphone takes over. The age of the
   * current section stays the same.
   */
  #recount(leap: number): void {
    this.#place = { section: this.#place.section, since: this.#place.since + leap };
    if (this.#left) {
      const { place, at } = this.#left;
      this.#left = { place: { section: place.section, since: place.since + leap }, at: at + leap };
    }
    this.#toppedAt += leap;
  }

  #beatAt(ms: number): number {
    return this.#beat.at + (ms - this.#beat.ms) * this.#beat.perMs;
  }

  #positionOf({ section, since }: Place, beat: number): number {
    return ((section.start + modulo(beat - since, section.beats)) * 60) / this.#plan.bpm;
  }

  /**
   * Returns the light for the current loudness: a wide range if no beat is certain, otherwise a small one under the
   * movement of the plan.
   */
  #rideAt(ms: number): number {
    const heard = this.#heard;
    if (!heard || ms - this.#heardMs > STALE_MS) return 0.8;
    const floor = 0.15 + 0.35 * clamp(heard.pulse?.confidence ?? 0);
    return clamp(floor + (1 - ACCENT - floor) * heard.level + ACCENT * this.#accentAt(ms));
  }

  #accentAt(ms: number): number {
    return this.#accent.size * clamp(1 - (ms - this.#accent.ms) / ACCENT_MS);
  }

  #choose(ms: number): boolean {
    const heard = this.#heard!;
    if (heard.isSilent) return false;
    const beat = this.#beatAt(ms);
    const { level } = this.#place.section;
    const wanted = this.#wantedLevel(heard, beat);
    const isSure = (heard.pulse?.confidence ?? 0) >= SURE_PULSE;
    const age = beat - this.#place.since;
    // A drop, or its end, changes the section at once, counted from the nearest beat.
    if (isSure && heard.surge > SURGE && level < 3 && age > 1) {
      return this.#begin(this.#sectionOf(Math.max(3, wanted) as LiveLevel, beat), Math.round(beat), 0);
    }
    if (heard.surge < -SURGE && level > 1 && age > 1) {
      return this.#begin(this.#sectionOf(1, beat), Math.round(beat), beat);
    }
    const { beatsPerBar } = this.#plan;
    const into = this.#intoBar(beat);
    const start = Math.round(beat - into);
    // Only complete bars count: a section from before the bars were detected did not begin on a downbeat.
    const bars = Math.floor((start - this.#place.since) / beatsPerBar);
    if (into >= 0.5 || bars < 1) return false;
    const isPhrase = bars % PHRASE_BARS === 0;
    const isOver = start - this.#place.since >= this.#place.section.beats;
    if (wanted === level ? isOver : isPhrase || Math.abs(wanted - level) > 1) {
      return this.#begin(this.#sectionOf(wanted, beat), start, beat);
    }
    return false;
  }

  /** Returns the beats since the start of the bar. */
  #intoBar(beat: number): number {
    const pulse = this.#heard?.pulse;
    const length = pulse?.beatsPerBar ?? this.#plan.beatsPerBar;
    return modulo(beat - (pulse?.downbeat ?? 0), length);
  }

  #wantedLevel({ energy, pulse }: HeardSound, beat: number): LiveLevel {
    if ((pulse?.confidence ?? 0) < SURE_PULSE) return energy < FROM_ENERGY[1] ? 0 : 1;
    const { level } = this.#place.section;
    const found = FROM_ENERGY.findLastIndex((from, i) => energy >= from + (i > level ? HYSTERESIS : -HYSTERESIS));
    if (found < 4) return Math.max(0, found) as LiveLevel;
    const topped = beat - this.#toppedAt;
    return topped >= TOP_BEATS && topped < TOP_BEATS + REST_BEATS ? 3 : 4;
  }

  /** Returns a section of a level, if possible another one than the current. */
  #sectionOf(level: LiveLevel, beat: number): LiveSection {
    const all = this.#plan.sections.filter((section) => section.level === level);
    if (level === 4 && beat - this.#toppedAt >= TOP_BEATS + REST_BEATS) this.#toppedAt = beat;
    return all.find((section) => section !== this.#place?.section) ?? all[0]!;
  }

  /** @param fadeFrom beat at which a crossfade begins; 0 for a cut */
  #begin(section: LiveSection, since: number, fadeFrom: number): boolean {
    this.#left = fadeFrom > 0 ? { place: this.#place, at: fadeFrom } : undefined;
    this.#place = { section, since };
    return true;
  }
}
