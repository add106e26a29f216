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
  /** 0..1: how much of `now` shows; the rest is `before`. */
  blend: number;
  zoomBlend: number;
  isLit: boolean;
  /** Index of the cue that is lit or was last; of the first one before it. */
  at: number;
  /** Cycles its figure has completed, for heads that are not behind. */
  phase: number;
  /** Beat at which the last cue ends. */
  readonly endBeat: number;
}

/** Heads by how their states come about. */
export interface HeadOrder {
  /** Those that follow one lane and mix their colours. */
  readonly plain: readonly { readonly lane: Lane; readonly heads: Int32Array }[];
  /** Those with several lanes, a colour wheel, or no lane at all. */
  readonly others: Int32Array;
  /** Those with pan, tilt or zoom, and those of them that turn. */
  readonly movers: Int32Array;
  readonly turners: Int32Array;
  /** Those that can put something into their beam. */
  readonly optics: Int32Array;
}

/** What one channel of the rig gets. */
export interface ChannelWrite {
  readonly universe: number;
  readonly slot: number;
  readonly write: Write;
  /** Index into the heads, or -1 for a constant. */
  readonly head: number;
  /** Constant value, or what a shutter shows when open. */
  readonly value: number;
  /** Heads behind a shared dimmer or shutter. */
  readonly sharedBy: readonly number[];
  /** What it shows while its head is dark. */
  readonly closed: number;
  /** Level is written to a dimmer channel, so colours are written undimmed. */
  readonly hasDimmer: boolean;
  readonly drawsWhite: boolean;
  readonly part: Part;
  /** Values for no light and for all of it. */
  readonly from: number;
  readonly to: number;
  readonly isSquare: boolean;
  /** Wheels only: the value of each slot or gobo, and whether `closed` is what makes it dark. */
  readonly slotValues: Uint8Array;
  readonly closes: boolean;
  /** Haze only: what of a show it follows, see `USE` of haze. */
  readonly hazeUse: number;
}

/** Channels of one universe whose bytes come about alike. */
export interface ChannelRun {
  /** One of them, for what they have in common. */
  readonly like: ChannelWrite;
  readonly writes: readonly ChannelWrite[];
  readonly slots: Uint16Array;
  /** Head of each; -1 for a constant. */
  readonly heads: Int32Array;
}

/** The colours of a colour wheel, r, g, b of each slot: linear, strongest channel 1. */
export interface Wheel {
  readonly colors: Float32Array;
  /** The same in OKLab: l, a, b of each slot. */
  readonly labs: Float32Array;
}

/** What the flash limiter found, per grid tick; nothing for a show that needs no limiting. */
export interface FlashLimits {
  /** 1 around a limited tick, at least as far as its window of one second reaches. */
  zone: Uint8Array | undefined;
  rig: Float32Array | undefined;
  readonly heads: (Float32Array | undefined)[];
}

/**
 * Where every turning head of a show is, cue by cue: worked out once, so that a moment is a function of song time alone.
 * Pan and tilt are shares of the travel, as the pad of a lamp shows them.
 */
export interface HeadPaths {
  /** The first row of each head, a row for every cue of its lane; -1 for heads that do not turn, or follow no cue. */
  readonly first: Int32Array;
  /** When a head leaves for the cue of a row, and when it arrives there, seconds. */
  readonly times: Float64Array;
  /** What `movement/head-paths.ts` keeps of a row. */
  readonly rows: Float32Array;
}

/** A plan bound to a rig: everything a frame needs, in buffers the show owns. */
export interface CompiledShow extends Places {
  readonly plan: LightingPlan;
  readonly universes: readonly number[];
  readonly headCount: number;
  readonly lightIds: Int32Array;
  readonly headNumbers: Int32Array;
  readonly writes: readonly ChannelWrite[];
  /** The same, universe by universe, as a frame is written. */
  readonly runs: readonly ChannelRun[];
  /** Lights that are left out, and why. */
  readonly problems: readonly string[];
  /** Share of grid ticks on which the flash limiter changed something. */
  readonly limitedShare: number;
  /** Most flashes of a lamp or of the rig in any one second, after the limiter. */
  readonly mostFlashes: number;

  // Scratch of the frame loop, valid after `setStates`.
  readonly level: Float32Array;
  readonly red: Float32Array;
  readonly green: Float32Array;
  readonly blue: Float32Array;
  /** 1 for heads whose white is to be as bright as they can make it, by all of their emitters: blinder, white of the desk. */
  readonly fullWhite: Uint8Array;
  /** What machines are to make, see `HAZE_AT`. */
  readonly haze: Float32Array;
  /** 0..1, as the pad of a lamp shows them: before its guard, swap and invert. */
  readonly pan: Float32Array;
  readonly tilt: Float32Array;
  /** 0..1: the narrowest beam to the widest. */
  readonly zoom: Float32Array;
  /** Slot of the wheel, for heads that have one. */
  readonly slot: Uint8Array;
  /** What stands in the beam, a value of `BEAM`; its gobo, a number that lamps take modulo their own; 1 where that turns. */
  readonly beam: Uint8Array;
  readonly gobo: Uint8Array;
  readonly goboTurns: Uint8Array;

  /** Colour wheels of the rig, each once. */
  readonly wheels: readonly Wheel[];
  /** Index into `wheels`, or -1 for a head that mixes its colours. */
  readonly wheelOf: Int16Array;
  /** Whose turn a head is where lamps show colours in turn: its neighbours' in a long row. */
  readonly colorTurns: Int32Array;
  readonly lanes: readonly Lane[];
  readonly headLanes: readonly (readonly Lane[])[];
  /** All heads. */
  readonly order: HeadOrder;
  /** Lane each head follows first; "" when it follows none. */
  readonly headTargets: readonly string[];
  /** 1 for heads with pan, tilt or zoom. */
  readonly moves: Uint8Array;
  /** 1 for heads whose light is on or off: see `switchedHeads`. */
  readonly isSwitched: Uint8Array;
  /** 1 for heads that can put something into their beam. */
  readonly hasOptics: Uint8Array;
  readonly aims: Aims;
  /** Where each head that turns is in the row of its like. */
  readonly rows: readonly (RowPlace | undefined)[];
  readonly paths: HeadPaths;
  readonly isWash: Uint8Array;
  readonly isStrobe: Uint8Array;
  readonly clock: BeatClock;
  readonly curves: readonly Float32Array[];
  readonly curveHop: number;
  readonly limits: FlashLimits;
}
