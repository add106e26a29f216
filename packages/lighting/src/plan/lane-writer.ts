import type { Cue, GroupType } from "@followspot/contract";
import type { BeatClock } from "../beat-clock.ts";
import type { PlannedSection } from "./song-form.ts";

export type PlannedRole = Exclude<GroupType, "mixed">;

export interface CueSpec {
  readonly intent: string;
  readonly palette: readonly string[];
  readonly params: Record<string, number | string | boolean>;
  readonly reason: string;
}

/** Collects cues per role. Times are given as beats or seconds and returned as seconds, rounded to 0.1 ms. */
export class LaneWriter {
  readonly #lanes: Map<PlannedRole, Cue[]>;
  readonly #clock: BeatClock;

  constructor(roles: readonly PlannedRole[], clock: BeatClock) {
    this.#lanes = new Map(roles.map((role) => [role, []]));
    this.#clock = clock;
  }

  has(role: PlannedRole): boolean {
    return this.#lanes.has(role);
  }

  /**
   * Adds a cue between two beats. At the edges of the section, its own start and end are used. A cue that begins before
   * its section, to arrive on the downbeat, cuts off the cue there.
   */
  addBeats(role: PlannedRole, section: PlannedSection, from: number, to: number, spec: CueSpec): void {
    const start = from === section.startBeat ? section.start : this.#clock.timeAt(from);
    const end = to >= section.endBeat ? section.end : this.#clock.timeAt(to);
    this.add(role, section, start, end, spec);
  }

  add(role: PlannedRole, section: PlannedSection, start: number, end: number, spec: CueSpec): void {
    const lane = this.#lanes.get(role);
    if (!lane || end - start < 0.05) return;
    const time = rounded(Math.max(0, start));
    lane.push({
      time,
      duration: rounded(end - time),
      intent: spec.intent,
      palette: [...spec.palette],
      params: spec.params,
      section: section.label,
      energy: section.energy,
      reason: spec.reason,
    });
  }

  /** Darkens all roles between two times. Cues end at `from`, and begin or continue at `to`. */
  darken(from: number, to: number): void {
    for (const role of this.#lanes.keys()) this.thin(role, from, to);
  }

  /** Removes the cues of one role between two times. */
  thin(role: PlannedRole, from: number, to: number): void {
    this.#between(role, from, to, () => []);
  }

  /** Reduces the light between two times to a share. */
  dim(from: number, to: number, share: number): void {
    for (const role of this.#lanes.keys()) this.#between(role, from, to, (cue) => [dimmed(cue, share)]);
  }

  /** Cuts the cues of a role at two times and replaces those in between. */
  #between(role: PlannedRole, from: number, to: number, instead: (cue: Cue) => readonly Cue[]): void {
    const cues = this.#lanes.get(role);
    if (!cues) return;
    const inside = (cue: Cue): readonly Cue[] => {
      const end = cue.time + cue.duration;
      if (end <= from || cue.time >= to - 1e-3) return [cue];
      const before = from - cue.time < 0.05 ? [] : [{ ...cue, duration: rounded(from - cue.time) }];
      const after = end - to < 0.05 ? [] : [this.#part(cue, to, end)];
      const middle = this.#part(cue, Math.max(from, cue.time), Math.min(to, end));
      return [...before, ...(middle.duration < 0.05 ? [] : instead(middle)), ...after];
    };
    this.#lanes.set(role, cues.flatMap(inside));
  }

  /** Returns a later part of a cue, which keeps counting its beats from the start of the whole cue. */
  #part(cue: Cue, from: number, to: number): Cue {
    const elapsed = Math.round(this.#clock.beatAt(from)) - Math.round(this.#clock.beatAt(cue.time));
    const since_beats = Number(cue.params["since_beats"] ?? 0) + elapsed;
    const params = since_beats > 0 ? { ...cue.params, since_beats } : cue.params;
    return { ...cue, time: rounded(from), duration: rounded(to - from), params };
  }

  /**
   * Returns the cues per role, sorted and without overlaps. A cue that the next one covers from its start is dropped.
   */
  lanes(): Record<string, Cue[]> {
    const out: Record<string, Cue[]> = {};
    for (const [role, cues] of this.#lanes) {
      const sorted = cues.toSorted((a, b) => a.time - b.time);
      const cut = sorted.map((cue, i) => {
        const next = sorted[i + 1];
        const end = next ? Math.min(cue.time + cue.duration, next.time) : cue.time + cue.duration;
        return { ...cue, duration: rounded(end - cue.time) };
      });
      out[`role:${role}`] = cut.filter((cue) => cue.duration > 0);
    }
    return out;
  }
}

const LEVELS = new Set(["level", "to_level", "floor", "pixel_level"]);

function dimmed(cue: Cue, share: number): Cue {
  const params = Object.entries(cue.params).map(([name, value]) => [
    name,
    LEVELS.has(name) && typeof value === "number" ? Math.round(value * share * 1000) / 1000 : value,
  ]);
  return { ...cue, params: Object.fromEntries(params) };
}

function rounded(seconds: number): number {
  return Math.round(seconds * 10_000) / 10_000;
}
