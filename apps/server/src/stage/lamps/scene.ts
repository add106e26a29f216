import type { LightingPlan } from "@followspot/contract";
import type { LiveLight } from "@followspot/lighting";

/** Light of a plan at one moment. */
export interface ShowScene {
  readonly kind: "show";
  /** Position in the plan, seconds. */
  readonly position: number;
  /** Strobe fixtures stay dark while the show stands still. */
  readonly allowsStrobe: boolean;
  /** 0 = the show, 1 = the default look. */
  readonly houseMix: number;
  /** Whether the default look follows a failure, not a pause between songs. */
  readonly isSafe?: boolean;
  readonly master: number;
  /** Light of live sound, instead of the position alone, while live sound owns the fixtures. */
  readonly live?: LiveLight;
}

/** Recorded slots, sent unchanged. */
export interface RecordedScene {
  readonly kind: "recorded";
  /** Returns the slots for an output with this offset, ms; undefined leaves the universe dark. */
  readonly slotsOf: (universe: number, offsetMs: number) => Uint8Array | undefined;
}

export interface SilentScene {
  readonly kind: "silent";
}

/** What the stage renders for a source. Drawings are compared by identity: each is bound once. */
export interface Drawing {
  readonly plan: LightingPlan;
  /** Whether the plan is read at the tempo of the live sound; its scenes then have a `live` light. */
  readonly isLive: boolean;
  /** ID of the only output whose fixtures are lit; empty means all. */
  readonly output: string;
}

/** Creates the drawing of a plan, by default at all outputs. */
export function drawingOf(plan: LightingPlan, more: Partial<Omit<Drawing, "plan">> = {}): Drawing {
  return { plan, isLive: false, output: "", ...more };
}
