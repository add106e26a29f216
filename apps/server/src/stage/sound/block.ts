import { MAX_BLOCK_SAMPLES, SOUND_HEADER_BYTES } from "@followspot/contract";

/** A stretch of sound as a connection sends it. */
export interface Block {
  /** Number of its first sample since the connection began, modulo 2^32. */
  readonly first: number;
  readonly samples: Int16Array;
}

/** Undefined for what is no block. */
export function readBlock(bytes: Buffer): Block | undefined {
  const size = bytes.length - SOUND_HEADER_BYTES;
  if (size < 2 || size % 2 !== 0 || size > 2 * MAX_BLOCK_SAMPLES) return undefined;
  const samples = new Int16Array(size / 2);
  for (let i = 0; i < samples.length; i++) samples[i] = bytes.readInt16LE(SOUND_HEADER_BYTES + 2 * i);
  return { first: bytes.readUInt32LE(0), samples };
}

/** Sound that is left out is silence up to this long; what leaves out more begins anew. */
const MAX_GAP_SECONDS = 2;
/** So many seconds of sound may come in at once: a connection that stood still sends then all that it kept. */
const BURST_SECONDS = 2;

/** Messages of one connection: a second on the mean, and at once. */
const MESSAGES = { perSecond: 400, atOnce: 1200 } as const;

/** Counts the messages of a connection, so that a broken client does not drown the others. */
export class MessageBudget {
  #left: number = MESSAGES.atOnce;
  #countedMs: number;

  constructor(nowMs: number) {
    this.#countedMs = nowMs;
  }

  /** False once there have been too many. */
  spend(nowMs: number): boolean {
    const earned = ((nowMs - this.#countedMs) * MESSAGES.perSecond) / 1000;
    this.#left = Math.min(MESSAGES.atOnce, this.#left + earned) - 1;
    this.#countedMs = nowMs;
    return this.#left >= 0;
  }
}

/** Puts the blocks of one connection in order, and takes no more of them than fit into the time that has passed. */
export class BlockOrder {
  readonly #sampleRate: number;
  readonly #startedMs: number;
  #next: number | undefined;
  #taken = 0;

  constructor(sampleRate: number, nowMs: number) {
    this.#sampleRate = sampleRate;
    this.#startedMs = nowMs;
  }

  /** Samples to be heard, what was left out before them as silence; none for a block that is late or too much. */
  take({ first, samples }: Block, nowMs: number): Int16Array | undefined {
    const gap = this.#next === undefined ? 0 : (first - this.#next) >>> 0;
    const isGap = gap <= MAX_GAP_SECONDS * this.#sampleRate;
    // Where the numbers run backwards or leap, the client began anew.
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
