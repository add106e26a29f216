import { UNIVERSE_SLOTS } from "@followspot/contract";
import { panAt, tiltAt } from "./aims.ts";
import { writeRun } from "./channel-runs.ts";
import type { CompiledShow } from "./compiled-show.ts";
import { restHaze } from "./haze.ts";
import { setStates } from "./head-states.ts";
import { mixIdleLook } from "./idle-look.ts";
import { BEAM } from "./optics.ts";

/** Universe number → its 512 slots. */
export type Frame = ReadonlyMap<number, Uint8Array>;

/** State of one head at one moment, for a preview. */
export interface FixtureState {
  readonly lightId: number;
  readonly head: number;
  /** Linear light, 0..1. */
  readonly level: number;
  /** Linear color at full, 0..1 each; multiplied by the level it is what the head emits. */
  readonly rgb: readonly [number, number, number];
  /** Position in the full travel, 0..1; 0.5 is home. */
  readonly pan: number;
  readonly tilt: number;
  /** Beam width, 0..1, narrowest to widest. */
  readonly zoom: number;
}

/** Creates zeroed buffers for every universe of a show. */
export function newFrame(show: CompiledShow): Frame {
  return new Map(show.universes.map((universe) => [universe, new Uint8Array(UNIVERSE_SLOTS)]));
}

/**
 * Renders the DMX frame of a show at a song time. Pure and seekable: the same inputs give the same bytes. This is the
 * only path from light to bytes, for the stage, `song -- frames` and the tests. A preview reads the same light through
 * {@link fixtureStates}. Only patched slots are written. Allocation free if `out` is given.
 *
 * @param show   a plan bound to a rig by `compileShow`, once for all frames
 * @param t      seconds; negative values and NaN count as 0
 * @param out    buffers for all universes of the show
 * @param master grand master on linear light, 0..1; 0 is blackout, while heads keep their position
 */
export function renderFrame(show: CompiledShow, t: number, out: Frame = newFrame(show), master = 1): Frame {
  setStates(show, t);
  dimStates(show, master);
  writeStates(show, out);
  return out;
}

/**
 * Renders the safe look that a stage falls back to: washes in dim warm white, or all fixtures if there are no washes.
 */
export function houseLook(show: CompiledShow, out: Frame = newFrame(show), master = 1): Frame {
  show.level.fill(0);
  show.slot.fill(0);
  show.beam.fill(BEAM.open);
  show.fullWhite.fill(0);
  show.haze.fill(0);
  mixIdleLook(show, "house", 1, 0);
  sendHome(show);
  dimStates(show, master);
  writeStates(show, out);
  return out;
}

/** Returns the state of each head at t, from the numbers that {@link renderFrame} converts to bytes. */
export function fixtureStates(show: CompiledShow, t: number): FixtureState[] {
  setStates(show, t);
  return Array.from({ length: show.headCount }, (_, h): FixtureState => {
    const level = show.level[h]!;
    const isLit = level > 0;
    return {
      lightId: show.lightIds[h]!,
      head: show.headNumbers[h]!,
      level,
      rgb: isLit ? [show.red[h]!, show.green[h]!, show.blue[h]!] : [0, 0, 0],
      pan: show.pan[h]! - panAt(show.aims, h, 0) + 0.5,
      tilt: show.tilt[h]! - tiltAt(show.aims, h, 0) + 0.5,
      zoom: show.zoom[h]!,
    };
  });
}

function sendHome({ aims, pan, tilt, headCount }: CompiledShow): void {
  for (let h = 0; h < headCount; h++) {
    pan[h] = panAt(aims, h, 0);
    tilt[h] = tiltAt(aims, h, 0);
  }
}

/** Applies the grand master, 0..1, to the current states. At 0, shows make no haze either. Allocation free. */
export function dimStates(show: CompiledShow, master: number): void {
  if (master >= 1) return;
  if (!(master > 0)) restHaze(show);
  for (let h = 0; h < show.headCount; h++) show.level[h] = show.level[h]! * master;
}

/** Writes the current states as bytes, whatever their source. Allocation free. */
export function writeStates(show: CompiledShow, out: Frame): void {
  const { runs } = show;
  for (let i = 0; i < runs.length; i++) {
    const slots = out.get(runs[i]!.like.universe);
    if (slots) writeRun(show, runs[i]!, slots);
  }
}
