import {
  FRAME_SECONDS,
  frameNumberOf,
  isCountedAlike,
  isTimeCode,
  secondsOf,
  timeCodeOf,
  type FrameRate,
  type SettableRate,
  type Sighting,
  type TimeCode,
} from "./time-code.ts";

/*
 * MIDI Time Code (MIDI 1.0, MMA RP-004). A running leader sends a quarter frame message every quarter of a frame,
 * F1 0nnndddd: piece nnn of eight, with four bits of the time. Eight pieces take two frames; they carry the time of
 * piece 0. In reverse they run from 7 to 0. A leader that jumps or stops sends a full message:
 * F0 7F <device> 01 01 hh mm ss ff F7, where hh is 0rrhhhhh, as in the last two pieces.
 */

/** Event from a leader: its position while it runs, a jump to a position, or a stop. */
export type LeaderMove =
  | ({ readonly kind: "runs"; readonly code: TimeCode | undefined } & Sighting)
  | ({ readonly kind: "goes"; readonly code: TimeCode | undefined } & Sighting)
  | { readonly kind: "stands"; readonly atMs: number };

const QUARTER_FRAME = 0xf1;
const RATES: readonly FrameRate[] = ["24", "25", "29.97df", "30"];
const PIECES = 8;

/** Decodes one leader. Ignores everything that is not time code, and invalid times. */
export class MidiTimeCode {
  readonly #nibbles = new Uint8Array(PIECES);
  #lastPiece = -1;
  #direction: 1 | -1 = 1;
  /** Number of consecutive pieces in this direction. */
  #run = 0;
  /** Position of the leader in quarter frames; undefined until eight pieces have arrived. */
  #quarters: number | undefined;
  #rate: FrameRate = "25";
  readonly #setRate: SettableRate | undefined;

  /** @param setRate real frame rate of a leader; used if it counts frames like the rate in the messages */
  constructor(setRate?: SettableRate) {
    this.#setRate = setRate;
  }

  hear(bytes: Uint8Array, atMs: number): LeaderMove | undefined {
    if (bytes[0] === QUARTER_FRAME && bytes.length === 2 && bytes[1]! < 0x80) return this.#piece(bytes[1]!, atMs);
    return isFullMessage(bytes) ? this.#goTo(bytes, atMs) : undefined;
  }

  #goTo(bytes: Uint8Array, atMs: number): LeaderMove | undefined {
    const [hours, minutes, seconds, frames] = bytes.subarray(5, 9);
    const rate = this.#rateOf(hours! >> 5);
    const code = { hours: hours! & 31, minutes: minutes!, seconds: seconds!, frames: frames!, rate };
    if (!isTimeCode(code)) return undefined;
    this.#forget();
    return { kind: "goes", seconds: secondsOf(code), atMs, code };
  }

  #piece(data: number, atMs: number): LeaderMove | undefined {
    const piece = data >> 4;
    this.#nibbles[piece] = data & 15;
    this.#count(piece);
    const isLast = piece === (this.#direction > 0 ? PIECES - 1 : 0);
    if (isLast && this.#run >= PIECES && !this.#read(piece)) this.#forget();
    if (this.#quarters === undefined) return undefined;
    const seconds = (this.#quarters / 4) * FRAME_SECONDS[this.#rate];
    return { kind: "runs", seconds, atMs, code: timeCodeOf(Math.floor(this.#quarters / 4), this.#rate) };
  }

  /** Counts a piece. A leader that reverses keeps its position; after a missing piece the position is unknown. */
  #count(piece: number): void {
    const step = (piece - this.#lastPiece + PIECES) % PIECES;
    const direction = step === 1 ? 1 : step === PIECES - 1 ? -1 : undefined;
    const isNext = this.#lastPiece >= 0 && direction !== undefined;
    this.#lastPiece = piece;
    if (!isNext) {
      this.#quarters = undefined;
      this.#run = 1;
      return;
    }
    if (this.#quarters !== undefined) this.#quarters += direction;
    this.#run = direction === this.#direction ? this.#run + 1 : 2;
    this.#direction = direction;
  }

  /** Reads the time of eight consecutive pieces. */
  #read(piece: number): boolean {
    const at = (low: number, mask: number) => this.#nibbles[low]! | ((this.#nibbles[low + 1]! & mask) << 4);
    const rate = this.#rateOf(this.#nibbles[7]! >> 1);
    const code = { frames: at(0, 1), seconds: at(2, 3), minutes: at(4, 3), hours: at(6, 1), rate };
    if (!isTimeCode(code)) return false;
    this.#rate = rate;
    this.#quarters = frameNumberOf(code) * 4 + piece;
    return true;
  }

  /** @param bits two bits of a message; it has no values for 23.976 and 29.97 without drop frame */
  #rateOf(bits: number): FrameRate {
    const rate = RATES[bits & 3]!;
    return this.#setRate !== undefined && isCountedAlike(rate, this.#setRate) ? this.#setRate : rate;
  }

  #forget(): void {
    this.#lastPiece = -1;
    this.#run = 0;
    this.#quarters = undefined;
  }
}

function isFullMessage(bytes: Uint8Array): boolean {
  const [start, realTime, , timeCode, full] = bytes;
  return (
    bytes.length === 10 &&
    start === 0xf0 &&
    realTime === 0x7f &&
    timeCode === 1 &&
    full === 1 &&
    bytes[9] === 0xf7 &&
    bytes.subarray(5, 9).every((byte) => byte < 0x80)
  );
}
