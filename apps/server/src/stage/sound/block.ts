import { MAX_BLOCK_SAMPLES, SOUND_HEADER_BYTES } from "@followspot/contract";

/** A block of samples sent by a connection. */
export interface Block {
  /** Index of its first sample since the connection began, modulo 2^32. */
  readonly first: number;
  readonly samples: Int16Array;
}

/** Parses a block; undefined if it is invalid. */
export function readBlock(bytes: Buffer): Block | undefined {
  const size = bytes.length - SOUND_HEADER_BYTES;
  if (size < 2 || size % 2 !== 0 || size > 2 * MAX_BLOCK_SAMPLES) return undefined;
  const samples = new Int16Array(size / 2);
  for (let i = 0; i < samples.length; i++) samples[i] = bytes.readInt16LE(SOUND_HEADER_BYTES + 2 * i);
  return { first: bytes.readUInt32LE(0), samples };
}

/** Longest gap that is filled with silence, seconds; a longer one restarts the stream. */
const MAX_GAP_SECONDS = 2;
/** Seconds of sound accepted at once: a stalled connection then sends everything it has buffered. */
const BURST_SECONDS = 2;

/** Message limits of one connection: average per second, and burst. */
const MESSAGES = { perSecond: 400, atOnce: 1200 } as const;

/** Limits the messages of a connection, so that a broken client cannot starve the others. */
export class MessageBudget {
  #left: number = MESSAGES.atOnce;
  #countedMs: number;

  constructor(nowMs: number) {
    this.#countedMs = nowMs;
  }

  /** Counts a message. Returns false if there have been too many. */
  spend(nowMs: number): boolean {
    const earned = ((nowMs - this.#countedMs) * MESSAGES.perSecond) / 1000;
    this.#left = Math.min(MESSAGES.atOnce, this.#left + earned) - 1;
    this.#countedMs = nowMs;
    return this.#left >= 0;
  }
}

/** Orders the blocks of one connection, and accepts no more sound than the elapsed time allows. */
export class BlockOrder {
  readonly #sampleRate: number;
  readonly #startedMs: number;
  #next: number | undefined;
  #taken = 0;

  constructor(sampleRate: number, nowMs: number) {
    this.#sampleRate = sampleRate;
    this.#startedMs = nowMs;
  }

  /**
   * Returns the samples to analyze, with gaps before them as silence; undefined for a block that is late or too much.
   */
  take({ first, samples }: Block, nowMs: number): Int16Array | undefined {
    const gap = this.#next === undefined ? 0 : (first - this.#next) >>> 0;
    const isGap = gap <= MAX_GAP_SECONDS * this.#sampleRate;
    // If the numbers run backward or leap, the client has restarted.
    const lost = isGap ? gap : 0;
    const passed = (nowMs - this.#startedMs) / 1000 + BURST_SECONDS;
    if (this.#taken + lost + samples.length > passed * this.#sampleRate) return undefined;
    this.#next = (first + samples.length) >>> 0;
    this.#taken += lost + samples.length;
    if (lost === 0) return samples;
    const whole = new Int16Array(lost + samples.length);
    whole.set(samples, lost);
    return whole;
  }
}
