import type { LeaderMove } from "./midi-time-code.ts";
import {
  FRAME_SECONDS,
  frameNumberOf,
  isTimeCode,
  type FrameRate,
  type SettableRate,
  type TimeCode,
} from "./time-code.ts";

/*
 * Linear time code (SMPTE ST 12-1): 80 bits per frame as audio. Every bit starts with a transition; a 1 has another in
 * its middle (biphase mark). Bits 64 to 79 are the sync word 0011 1111 1111 1101. The time of the frame precedes it:
 * units and tens in BCD, least significant bit first, with the drop frame flag as bit 10. In reverse, the bits arrive in
 * the opposite order.
 */
const FRAME_BITS = 80;
const SYNC_WORD = "0011111111111101";
const SYNC_BITS = [...SYNC_WORD].map(Number);
const DROP_FLAG = 10;

/** Half of full scale at −50 dB. Lower signals count as silence. */
const QUIETEST = 0.003;
/** How far beyond the middle a transition must go, as a share of the height, so that noise is ignored. */
const HYSTERESIS = 0.2;
/** Time in which the tracked height decays by two thirds, seconds. */
const HEIGHT_SECONDS = 0.03;
/** Weight of one bit in the estimated bit length. */
const PACE = 0.15;
/** Limits of half and whole bits, as shares of a bit; anything outside is neither. */
const SHORTEST = 0.3;
const HALF = 0.75;
const LONGEST = 1.5;

/** Decodes a leader from audio, at any level, at a quarter to four times its speed, forward and in reverse. */
export class LinearTimeCode {
  readonly #sampleRate: number;
  readonly #fade: number;
  #high = 0;
  #low = 0;
  #last = 0;
  #isHigh = false;
  /** Samples read, and positions of the last transitions. */
  #samples = 0;
  #middleAt = 0;
  #changedAt = 0;
  /** Length of a bit, samples. */
  #bit: number;
  #isInBit = false;
  readonly #bits = new Uint8Array(FRAME_BITS);
  #bitCount = 0;
  readonly #setRate: SettableRate | undefined;
  #rate: FrameRate | undefined;
  /** Rate that the last complete second showed; undefined before one has ended. */
  #shownRate: FrameRate | undefined;
  /** The previous frame. It shows the highest frame number when a second ends. */
  #before: TimeCode | undefined;

  /**
   * @param sampleRate Hz, at least 8000
   * @param setRate frame rate of a signal without drop frame; undefined to detect 24, 25 or 30
   */
  constructor(sampleRate: number, setRate?: SettableRate) {
    this.#setRate = setRate;
    this.#sampleRate = sampleRate;
    this.#fade = Math.exp(-1 / (HEIGHT_SECONDS * sampleRate));
    this.#bit = sampleRate / (FRAME_BITS * 25);
  }

  /** Half of the height of the input, 0..1: a level meter for the user. */
  get level(): number {
    return (this.#high - this.#low) / 2;
  }

  /**
   * Decodes a block of audio and returns the frames that end in it.
   *
   * @param startMs time of its first sample, on the clock of the sightings, ms
   */
  hear(sound: Float32Array, startMs: number): LeaderMove[] {
    const moves: LeaderMove[] = [];
    const first = this.#samples;
    for (const y of sound) {
      this.#follow(y);
      const middle = (this.#high + this.#low) / 2;
      const height = this.#high - this.#low;
      const last = this.#last;
      if (last < middle !== y < middle) this.#middleAt = this.#samples - 1 + (middle - last) / (y - last);
      this.#last = y;
      this.#samples++;
      if (height < QUIETEST * 2) continue;
      const isHigh = this.#isHigh ? y > middle - height * HYSTERESIS : y > middle + height * HYSTERESIS;
      if (isHigh === this.#isHigh) continue;
      this.#isHigh = isHigh;
      const frame = this.#change(this.#middleAt);
      if (!frame) continue;
      const atMs = startMs + ((this.#middleAt - first) / this.#sampleRate) * 1000;
      moves.push({ kind: "runs", atMs, ...frame });
    }
    return moves;
  }

  /** Tracks the height of the signal, which follows its level. */
  #follow(y: number): void {
    const middle = (this.#high + this.#low) / 2;
    this.#high = Math.max(y, middle + (this.#high - middle) * this.#fade);
    this.#low = Math.min(y, middle + (this.#low - middle) * this.#fade);
  }

  #change(at: number): { readonly seconds: number; readonly code: TimeCode } | undefined {
    const length = at - this.#changedAt;
    this.#changedAt = at;
    const share = length / this.#bit;
    if (share < SHORTEST || share > LONGEST) {
      // The speed has changed, or there was a gap. This may be half a bit or a whole one; the next lengths decide.
      this.#bit = share < SHORTEST ? length * 2 : length;
      this.#isInBit = false;
      this.#bitCount = 0;
      return undefined;
    }
    const isHalf = share < HALF;
    this.#bit += (length * (isHalf ? 2 : 1) - this.#bit) * (isHalf ? PACE / 2 : PACE);
    if (isHalf && !this.#isInBit) {
      this.#isInBit = true;
      return undefined;
    }
    if (!isHalf && this.#isInBit) this.#bitCount = 0; // the bits so far started in the middle of a bit
    this.#isInBit = false;
    return this.#addBit(isHalf ? 1 : 0);
  }

  #addBit(bit: number) {
    this.#bits[this.#bitCount % FRAME_BITS] = bit;
    this.#bitCount++;
    if (this.#bitCount < FRAME_BITS) return undefined;
    // In reception order. The sync word ends a frame, or starts it in reverse.
    const at = (i: number) => this.#bits[(this.#bitCount + i) % FRAME_BITS]!;
    if (SYNC_BITS.every((sync, i) => at(64 + i) === sync)) return this.#read(at, 1);
    if (SYNC_BITS.every((sync, i) => at(15 - i) === sync)) return this.#read((i) => at(79 - i), -1);
    return undefined;
  }

  /**
   * @param at bit of the frame, 0..79 @param direction forward, a frame ends with its last bit; in reverse its start is
   * reached there
   */
  #read(at: (i: number) => number, direction: 1 | -1) {
    const number = (from: number, bits: number) => {
      let value = 0;
      for (let i = 0; i < bits; i++) value |= at(from + i) << i;
      return value;
    };
    const parts = [number(0, 4), number(16, 4), number(32, 4), number(48, 4)];
    if (parts.some((units) => units > 9)) return undefined;
    const time = {
      frames: parts[0]! + 10 * number(8, 2),
      seconds: parts[1]! + 10 * number(24, 3),
      minutes: parts[2]! + 10 * number(40, 3),
      hours: parts[3]! + 10 * number(56, 2),
    };
    this.#learnRate(time, at(DROP_FLAG) === 1, direction);
    const code = { ...time, rate: this.#rate! };
    this.#before = code;
    if (!isTimeCode(code)) return undefined;
    const frames = frameNumberOf(code) + (direction > 0 ? 1 : 0);
    return { seconds: frames * FRAME_SECONDS[code.rate], code };
  }

  /**
   * Determines the frame rate, which the signal does not contain: from the last frame number of a second, and before
   * that from the bit rate. A known rate changes only if two seconds in succession show another one: noise may destroy the
   * last frame of a second.
   */
  #learnRate(time: Omit<TimeCode, "rate">, isDrop: boolean, direction: 1 | -1): void {
    if (isDrop) this.#rate = "29.97df";
    else if (this.#setRate !== undefined) this.#rate = this.#setRate;
    else if (this.#rate === "29.97df") this.#rate = undefined;
    if (this.#rate === undefined) {
      const hz = this.#sampleRate / (this.#bit * FRAME_BITS);
      this.#rate = hz < 24.5 ? "24" : hz < 27.5 ? "25" : "30";
    }
    const before = this.#before;
    if (isDrop || this.#setRate !== undefined || !before || before.seconds === time.seconds) return;
    const [last, first] = direction > 0 ? [before.frames, time.frames] : [time.frames, before.frames];
    if (first !== 0 || last < 23) return;
    const shown = last === 23 ? "24" : last === 24 ? "25" : "30";
    if (this.#shownRate === undefined || this.#shownRate === shown) this.#rate = shown;
    this.#shownRate = shown;
  }
}
