import type { LightingPlan } from "@followspot/contract";
import type { LiveLight } from "@followspot/lighting";

/** Light of a plan at one moment. */
export interface ShowScene {
  readonly kind: "show";
  /** Seconds of the plan. */
  readonly position: number;
  /** Strobe lamps stay dark while nothing moves on. */
  readonly allowsStrobe: boolean;
  /** 0 = the show, 1 = the house look. */
  readonly houseMix: number;
  /** The house look comes of an accident, not of a pause between songs. */
  readonly isSafe?: boolean;
  readonly master: number;
  /** Live sound has the lamps: what it shines with, in place of the position alone. */
  readonly live?: LiveLight;
}

/** Slots that were recorded, sent as they were. */
export interface RecordedScene {
  readonly kind: "recorded";
  /** At an output with this offset in ms; undefined leaves the universe dark. */
  readonly slotsOf: (universe: number, offsetMs: number) => Uint8Array | undefined;
}

export interface SilentScene {
  readonly kind: "silent";
}

/** What the stage has to draw for a source. The same object means the same drawing: it is bound once. */
export interface Drawing {
  readonly plan: LightingPlan;
  /** The plan is read at the tempo of what is heard: scenes have a `live` light of it. */
  readonly isLive: boolean;
  /** Id of the one output whose lamps are lit; empty means all. */
  readonly output: string;
}

/** A whole song, or a plan of one, at all outputs. */
export function drawingOf(plan: LightingPlan, more: Partial<Omit<Drawing, "plan">> = {}): Drawing {
  return { plan, isLive: false, output: "", ...more };
}
