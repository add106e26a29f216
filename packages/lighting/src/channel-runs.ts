import { UNIVERSE_SLOTS } from "@followspot/contract";
import { channelOf } from "./aims.ts";
import { amountOf, byteOf, coarseByteOf, fineByteOf, PART, scaledByte, whiteOf, WRITE } from "./bytes.ts";
import { hazeOf } from "./haze.ts";
import type { ChannelRun, ChannelWrite, CompiledShow } from "./compiled-show.ts";
import { BEAM } from "./optics.ts";

/**
 * Groups the channels of each universe by how their bytes are computed. A frame is then a few short loops instead of
 * one switch per channel.
 */
export function runsOf(writes: readonly ChannelWrite[]): ChannelRun[] {
  const universes = Map.groupBy(writes, ({ universe }) => universe);
  return [...universes.values()].flatMap((channels) =>
    alikeOf(channels).map((own) => ({
      like: own[0]!,
      writes: own,
      slots: Uint16Array.from(own, ({ slot }) => slot),
      heads: Int32Array.from(own, ({ head }) => head),
    })),
  );
}

function alikeOf(channels: readonly ChannelWrite[]): ChannelWrite[][] {
  const runs: ChannelWrite[][] = [];
  for (const channel of channels) {
    const run = runs.find(([like]) => isAlike(like!, channel));
    if (run) run.push(channel);
    else runs.push([channel]);
  }
  return runs;
}

/**
 * Whether everything that decides a byte is equal, except for what a run looks up per channel: the head, slot values
 * and shared heads.
 */
function isAlike(a: ChannelWrite, b: ChannelWrite): boolean {
  return (
    a.write === b.write &&
    a.value === b.value &&
    a.closed === b.closed &&
    a.hasDimmer === b.hasDimmer &&
    a.drawsWhite === b.drawsWhite &&
    a.part === b.part &&
    a.from === b.from &&
    a.to === b.to &&
    a.isSquare === b.isSquare &&
    a.closes === b.closes &&
    a.hazeUse === b.hazeUse
  );
}

/** Writes the bytes of a run from the current states. Allocation free. @param out the slots of its universe */
export function writeRun(show: CompiledShow, run: ChannelRun, out: Uint8Array): void {
  const { like, slots, heads } = run;
  switch (like.write) {
    case WRITE.constant:
      for (let i = 0; i < slots.length; i++) out[slots[i]!] = like.value;
      return;
    case WRITE.haze:
      return writeHaze(show, run, out);
    case WRITE.pan:
    case WRITE.tilt:
      return writeAim(show, run, out);
    case WRITE.zoom:
      for (let i = 0; i < slots.length; i++) out[slots[i]!] = scaledByte(show.zoom[heads[i]!]!, like);
      return;
    case WRITE.panFine:
    case WRITE.tiltFine:
      for (let i = 0; i < slots.length; i++) out[slots[i]!] = fineByteOf(aimOf(show, heads[i]!, like));
      return;
    case WRITE.shutter:
      // Strobing switches the level, under the flash limiter. The shutter's own strobe is never used.
      for (let i = 0; i < slots.length; i++) out[slots[i]!] = show.level[heads[i]!]! > 0 ? like.value : like.closed;
      return;
    case WRITE.shared:
      for (let i = 0; i < slots.length; i++) {
        out[slots[i]!] = isAnyLit(show, run.writes[i]!.sharedBy) ? like.value : like.closed;
      }
      return;
    case WRITE.wheel:
      return writeWheel(show, run, out);
    case WRITE.gobo:
      return writeGobo(show, run, out);
    case WRITE.goboRotation:
      for (let i = 0; i < slots.length; i++) out[slots[i]!] = turnsGobo(show, heads[i]!) ? like.to : like.value;
      return;
    case WRITE.prism:
    case WRITE.frost: {
      const beam = like.write === WRITE.prism ? BEAM.prism : BEAM.frost;
      for (let i = 0; i < slots.length; i++) out[slots[i]!] = show.beam[heads[i]!] === beam ? like.to : like.value;
      return;
    }
    default:
      return writeAmounts(show, run, out);
  }
}

/** Writes haze, from rest to maximum. */
function writeHaze({ haze }: CompiledShow, { like, slots }: ChannelRun, out: Uint8Array): void {
  const byte = Math.round(like.closed + hazeOf(haze, like.hazeUse) * (like.value - like.closed));
  for (let i = 0; i < slots.length; i++) out[slots[i]!] = byte;
}

function writeAim(show: CompiledShow, { like, slots, heads }: ChannelRun, out: Uint8Array): void {
  for (let i = 0; i < slots.length; i++) {
    const at = aimOf(show, heads[i]!, like);
    out[slots[i]!] = like.part === PART.coarse ? coarseByteOf(at) : scaledByte(at, like);
  }
}

/** Returns the value of a pan or tilt channel, 0..1. */
function aimOf({ aims, pan, tilt }: CompiledShow, h: number, { write }: ChannelWrite): number {
  return channelOf(aims, h, pan[h]!, tilt[h]!, write === WRITE.tilt || write === WRITE.tiltFine);
}

function writeWheel(show: CompiledShow, { like, writes, slots, heads }: ChannelRun, out: Uint8Array): void {
  for (let i = 0; i < slots.length; i++) {
    const h = heads[i]!;
    out[slots[i]!] = like.closes && show.level[h] === 0 ? like.closed : writes[i]!.slotValues[show.slot[h]!]!;
  }
}

/** Writes gobo slots. The number wraps around on fixtures with fewer gobos. */
function writeGobo({ beam, gobo }: CompiledShow, { like, writes, slots, heads }: ChannelRun, out: Uint8Array): void {
  for (let i = 0; i < slots.length; i++) {
    const h = heads[i]!;
    const { slotValues } = writes[i]!;
    out[slots[i]!] = beam[h] === BEAM.gobo ? slotValues[gobo[h]! % slotValues.length]! : like.value;
  }
}

const turnsGobo = ({ beam, goboTurns }: CompiledShow, h: number): boolean =>
  beam[h] === BEAM.gobo && goboTurns[h] === 1;

/** Scratch: the amount of each channel of a run, 0..1; as long as a universe. */
const AMOUNTS = new Float64Array(UNIVERSE_SLOTS);

function writeAmounts(show: CompiledShow, run: ChannelRun, out: Uint8Array): void {
  const { like, slots } = run;
  if (like.write === WRITE.intensity) for (let i = 0; i < slots.length; i++) AMOUNTS[i] = show.level[run.heads[i]!]!;
  else if (like.write <= WRITE.blue) setPrimaries(show, run);
  else setAmounts(show, run);
  const isPlain = like.part === PART.whole && !like.isSquare && like.from === 0 && like.to === 255 && like.closed === 0;
  if (isPlain) for (let i = 0; i < slots.length; i++) out[slots[i]!] = byteOf(AMOUNTS[i]!);
  else for (let i = 0; i < slots.length; i++) out[slots[i]!] = scaledByte(AMOUNTS[i]!, like);
}

/** Computes {@link amountOf} for red, green or blue, which are most channels of most rigs. */
function setPrimaries({ level: levels, red, green, blue, fullWhite }: CompiledShow, { like, heads }: ChannelRun): void {
  const { drawsWhite, hasDimmer } = like;
  const own = like.write === WRITE.red ? red : like.write === WRITE.green ? green : blue;
  for (let i = 0; i < heads.length; i++) {
    const h = heads[i]!;
    const level = levels[h]!;
    const white = drawsWhite && fullWhite[h] === 0 ? whiteOf(red[h]!, green[h]!, blue[h]!) : 0;
    AMOUNTS[i] = level > 0 ? (own[h]! - white) * (hasDimmer ? 1 : level) : 0;
  }
}

function setAmounts({ level: levels, red, green, blue, fullWhite }: CompiledShow, { like, heads }: ChannelRun): void {
  for (let i = 0; i < heads.length; i++) {
    const h = heads[i]!;
    const level = levels[h]!;
    const dim = like.hasDimmer ? 1 : level;
    const isFull = fullWhite[h] === 1;
    AMOUNTS[i] = amountOf(like.write, level, dim, red[h]!, green[h]!, blue[h]!, like.drawsWhite, isFull);
  }
}

function isAnyLit(show: CompiledShow, heads: readonly number[]): boolean {
  for (let i = 0; i < heads.length; i++) if (show.level[heads[i]!]! > 0) return true;
  return false;
}
