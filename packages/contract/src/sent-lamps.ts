import { UNIVERSE_SLOTS } from "./units.ts";

/*
 * What lamps are sent, on `/lights/lamps`: the slots of every universe that goes out, as they leave the stage, after desk,
 * blackout and flash limiter. The stage sends one binary message with all of them on arrival and every few seconds, and
 * between them what has changed, at most some twenty times a second; while nothing changes an empty one each second, so that
 * silence is noticed. A client that was too slow misses messages and then gets everything. A client says nothing, or {@link ASK_WHOLE}.
 *
 *   byte 0        1, the kind of message
 *   byte 1        sum of 1: these are all universes there are; of 2: something is sent to the lamps now; and of 4: no output
 *                 is set up, and this is what would be sent
 *   bytes 2..3    how many stretches of slots there are
 *   bytes 4..11   when they left, in ms of a clock of the stage's machine that only goes forward, as float64
 *   per stretch   universe, first slot 0..511, how many slots, each in two bytes; then their values. A universe of which
 *                 nothing is known yet is there without slots.
 *
 * Numbers are big-endian.
 */

/** Slots side by side that are sent. */
export interface SentStretch {
  readonly universe: number;
  /** 0..511 */
  readonly slot: number;
  readonly values: Uint8Array;
}

export interface SentLamps {
  /** These are all universes there are, in place of what has changed. */
  readonly isWhole: boolean;
  /** Something is sent to the lamps: they are not left alone. */
  readonly isSending: boolean;
  /** No output is set up: nothing leaves, and this is what would be sent. */
  readonly isPreview: boolean;
  readonly ms: number;
  readonly stretches: readonly SentStretch[];
}

/** Text by which a client asks for all universes. */
export const ASK_WHOLE = "whole";

const KIND = 1;
const FLAG = { whole: 1, sending: 2, preview: 4 } as const;
const HEADER_BYTES = 12;
const STRETCH_BYTES = 6;

export function writeSentLamps({ isWhole, isSending, isPreview, ms, stretches }: SentLamps): Uint8Array<ArrayBuffer> {
  const length = stretches.reduce((sum, { values }) => sum + STRETCH_BYTES + values.length, HEADER_BYTES);
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, KIND);
  view.setUint8(1, (isWhole ? FLAG.whole : 0) | (isSending ? FLAG.sending : 0) | (isPreview ? FLAG.preview : 0));
  view.setUint16(2, stretches.length);
  view.setFloat64(4, ms);
  let at = HEADER_BYTES;
  for (const { universe, slot, values } of stretches) {
    view.setUint16(at, universe);
    view.setUint16(at + 2, slot);
    view.setUint16(at + 4, values.length);
    bytes.set(values, at + STRETCH_BYTES);
    at += STRETCH_BYTES + values.length;
  }
  return bytes;
}

/** Puts what was told into what is known of each universe. */
export function applySentLamps(universes: Map<number, Uint8Array>, { isWhole, stretches }: SentLamps): void {
  if (isWhole) {
    const told = new Set(stretches.map(({ universe }) => universe));
    for (const universe of universes.keys()) if (!told.has(universe)) universes.delete(universe);
  }
  for (const { universe, slot, values } of stretches) {
    if (values.length === 0) continue;
    let slots = universes.get(universe);
    if (!slots) universes.set(universe, (slots = new Uint8Array(UNIVERSE_SLOTS)));
    slots.set(values, slot);
  }
}

/** Undefined for bytes that are no such message. */
export function readSentLamps(buffer: ArrayBuffer): SentLamps | undefined {
  const view = new DataView(buffer);
  if (view.byteLength < HEADER_BYTES || view.getUint8(0) !== KIND) return undefined;
  const flags = view.getUint8(1);
  const count = view.getUint16(2);
  const stretches: SentStretch[] = [];
  let at = HEADER_BYTES;
  while (stretches.length < count) {
    if (at + STRETCH_BYTES > view.byteLength) return undefined;
    const [universe, slot, length] = [view.getUint16(at), view.getUint16(at + 2), view.getUint16(at + 4)];
    at += STRETCH_BYTES;
    if (slot + length > UNIVERSE_SLOTS || at + length > view.byteLength) return undefined;
    stretches.push({ universe, slot, values: new Uint8Array(buffer, at, length) });
    at += length;
  }
  const has = (flag: number) => (flags & flag) !== 0;
  return {
    isWhole: has(FLAG.whole),
    isSending: has(FLAG.sending),
    isPreview: has(FLAG.preview),
    ms: view.getFloat64(4),
    stretches,
  };
}
