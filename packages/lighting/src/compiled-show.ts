import type { LightingPlan } from "@followspot/contract";
import type { Aims } from "./aims.ts";
import type { BeatClock } from "./beat-clock.ts";
import type { Part, Write } from "./bytes.ts";
import type { CompiledCue, CueMoment, Places } from "./intents.ts";
import type { RowPlace } from "./movement/row.ts";

/** A lane as the frame loop reads it. */
export interface Lane {
  readonly cues: readonly CompiledCue[];
  readonly starts: Float64Array;
  readonly now: CueMoment;
  readonly before: CueMoment;
  /** Crossfade position, 0..1: the share of `now`; the rest is `before`. */
  blend: number;
  zoomBlend: number;
  isLit: boolean;
  /** Index of the cue that is lit or was lit last; the first cue if none was lit yet. */
  at: number;
  /** Cycles that the movement has completed, for heads without a phase delay. */
  phase: number;
  /** Beat at which the last cue ends. */
  readonly endBeat: number;
}

/** Heads grouped by how their states are computed. */
export interface HeadOrder {
  /** Heads that follow one lane and mix their colors. */
  readonly plain: readonly { readonly lane: Lane; readonly heads: Int32Array }[];
  /** Heads with several lanes, a color wheel, or no lane. */
  readonly others: Int32Array;
  /** Heads with pan, tilt or zoom; and those of them with pan or tilt. */
  readonly movers: Int32Array;
  readonly turners: Int32Array;
  /** Heads with a gobo, prism or frost. */
  readonly optics: Int32Array;
}

/** What one DMX channel of the rig is written from. */
export interface ChannelWrite {
  readonly universe: number;
  readonly slot: number;
  readonly write: Write;
  /** Index into the heads, or -1 for a constant. */
  readonly head: number;
  /** Constant value, or the value of an open shutter. */
  readonly value: number;
  /** Heads behind a shared dimmer or shutter. */
  readonly sharedBy: readonly number[];
  /** Value while the head is dark. */
  readonly closed: number;
  /** Whether a dimmer channel carries the level, so that colors are written undimmed. */
  readonly hasDimmer: boolean;
  readonly drawsWhite: boolean;
  readonly part: Part;
  /** Values for no light and full light. */
  readonly from: number;
  readonly to: number;
  readonly isSquare: boolean;
  /** For wheels: the value of each slot or gobo, and whether `closed` darkens the beam. */
  readonly slotValues: Uint8Array;
  readonly closes: boolean;
  /** For haze: what in a show the channel follows, a value of `USE` in `haze.ts`. */
  readonly hazeUse: number;
}

/** Channels of one universe whose bytes are computed alike. */
export interface ChannelRun {
  /** One channel of the run, for the properties that all of them share. */
  readonly like: ChannelWrite;
  readonly writes: readonly ChannelWrite[];
  readonly slots: Uint16Array;
  /** Head of each channel; -1 for a constant. */
  readonly heads: Int32Array;
}

/** The colors of a color wheel, r, g, b of each slot: linear, strongest channel 1. */
export interface Wheel {
  readonly colors: Float32Array;
  /** The same colors in OKLab: l, a, b of each slot. */
  readonly labs: Float32Array;
}

/** Gains found by the flash limiter, per grid tick; empty for a show that needs no limiting. */
export interface FlashLimits {
  /** 1 around a limited tick, at least as far as its window of one second reaches. */
  zone: Uint8Array | undefined;
  rig: Float32Array | undefined;
  readonly heads: (Float32Array | undefined)[];
}

/**
 * Precomputed movement of every head with pan or tilt, cue by cue, so that a frame depends on song time alone. Pan and
 * tilt are shares of the travel, as the pad of the fixture shows them.
 */
export interface HeadPaths {
  /**
   * First row of each head, followed by one row per cue of its lane; -1 for heads that do not move or follow no cue.
   */
  readonly first: Int32Array;
  /** Times at which a head leaves for the cue of a row and at which it arrives, seconds. */
  readonly times: Float64Array;
  /** Values of each row, as laid out in `movement/head-paths.ts`. */
  readonly rows: Float32Array;
}

/** A plan bound to a rig: everything that rendering a frame needs, in buffers that the show owns. */
export interface CompiledShow extends Places {
  readonly plan: LightingPlan;
  readonly universes: readonly number[];
  readonly headCount: number;
  readonly lightIds: Int32Array;
  readonly headNumbers: Int32Array;
  readonly writes: readonly ChannelWrite[];
  /** The same channels by universe, in the order in which a frame is written. */
  readonly runs: readonly ChannelRun[];
  /** Fixtures that are left out, and why. */
  readonly problems: readonly string[];
  /** Share of grid ticks on which the flash limiter changed something. */
  readonly limitedShare: number;
  /** Most flashes of a fixture or of the rig in any one second, after the limiter. */
  readonly mostFlashes: number;

  // Scratch of the frame loop, valid after `setStates`.
  readonly level: Float32Array;
  readonly red: Float32Array;
  readonly green: Float32Array;
  readonly blue: Float32Array;
  /** 1 for heads that show white as brightly as all of their emitters can: blinder, and white from the desk. */
  readonly fullWhite: Uint8Array;
  /** Haze output requested from machines, see `HAZE_AT`. */
  readonly haze: Float32Array;
  /** Pan and tilt, 0..1, as the pad of the fixture shows them: before guard, swap and invert. */
  readonly pan: Float32Array;
  readonly tilt: Float32Array;
  /** Beam width, 0..1, narrowest to widest. */
  readonly zoom: Float32Array;
  /** Slot of the color wheel, for heads that have one. */
  readonly slot: Uint8Array;
  /**
   * What is in the beam, a value of `BEAM`; the gobo number, taken modulo the fixture's own count; 1 if the gobo
   * rotates.
   */
  readonly beam: Uint8Array;
  readonly gobo: Uint8Array;
  readonly goboTurns: Uint8Array;

  /** Color wheels of the rig, without duplicates. */
  readonly wheels: readonly Wheel[];
  /** Index into `wheels`, or -1 for a head that mixes its colors. */
  readonly wheelOf: Int16Array;
  /** Index that a head takes its color by when fixtures alternate colors. Neighbors share one in a long row. */
  readonly colorTurns: Int32Array;
  readonly lanes: readonly Lane[];
  readonly headLanes: readonly (readonly Lane[])[];
  /** All heads, grouped by how their states are computed. */
  readonly order: HeadOrder;
  /** First lane that each head follows; "" if it follows none. */
  readonly headTargets: readonly string[];
  /** 1 for heads with pan, tilt or zoom. */
  readonly moves: Uint8Array;
  /** 1 for heads that can only be on or off, see `switchedHeads`. */
  readonly isSwitched: Uint8Array;
  /** 1 for heads with a gobo, prism or frost. */
  readonly hasOptics: Uint8Array;
  readonly aims: Aims;
  /** Place of each head with pan or tilt in its row of similar heads. */
  readonly rows: readonly (RowPlace | undefined)[];
  readonly paths: HeadPaths;
  readonly isWash: Uint8Array;
  readonly isStrobe: Uint8Array;
  readonly clock: BeatClock;
  readonly curves: readonly Float32Array[];
  readonly curveHop: number;
  readonly limits: FlashLimits;
}
