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

/** One lamp at one moment, for a preview. */
export interface FixtureState {
  readonly lightId: number;
  readonly head: number;
  /** Linear light 0..1. */
  readonly level: number;
  /** Linear colour at full, 0..1 each; multiply by level for what is emitted. */
  readonly rgb: readonly [number, number, number];
  /** 0..1 of the full travel; 0.5 is home. */
  readonly pan: number;
  readonly tilt: number;
  /** 0..1: the narrowest beam to the widest. */
  readonly zoom: number;
}

/** Zeroed buffers for every universe of a show. */
export function newFrame(show: CompiledShow): Frame {
  return new Map(show.universes.map((universe) => [universe, new Uint8Array(UNIVERSE_SLOTS)]));
}

/**
 * The DMX frame of a show at a song time: pure and seekable, the same bytes for the same inputs. The one way from light to
 * bytes: the stage, `song -- frames` and the tests draw through it; a preview takes the same light by {@link fixtureStates}.
 * Only patched slots are written. Allocation free when `out` is given.
 *
 * @param show   a plan bound to a rig by `compileShow`, once for all frames
 * @param t      seconds; before the song, and for no number, it is 0
 * @param out    must hold the show's universes
 * @param master grand master 0..1 over linear light; 0 is blackout, with heads staying where they point
 */
export function renderFrame(show: CompiledShow, t: number, out: Frame = newFrame(show), master = 1): Frame {
  setStates(show, t);
  dimStates(show, master);
  writeStates(show, out);
  return out;
}

/** The safe look a stage falls back to: washes (all lamps if there is none) in dim warm white. */
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

/** What each lamp does at t: the same numbers {@link renderFrame} makes bytes of. */
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

/** Grand master 0..1 over the states as they stand; at 0 no show makes haze either. Allocation free. */
export function dimStates(show: CompiledShow, master: number): void {
  if (master >= 1) return;
  if (!(master > 0)) restHaze(show);
  for (let h = 0; h < show.headCount; h++) show.level[h] = show.level[h]! * master;
}

/** The bytes of the states as they stand, from whatever source. Allocation free. */
export function writeStates(show: CompiledShow, out: Frame): void {
  const { runs } = show;
  for (let i = 0; i < runs.length; i++) {
    const slots = out.get(runs[i]!.like.universe);
    if (slots) writeRun(show, runs[i]!, slots);
  }
}
