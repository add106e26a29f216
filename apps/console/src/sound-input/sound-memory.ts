/** More than is looked through for one click. */
const KEPT_MS = 4000;

interface Block {
  readonly startMs: number;
  readonly sound: Float32Array;
}

/** The last seconds of a sound, by the time at which they were heard. */
export class SoundMemory {
  #blocks: readonly Block[] = [];

  /** @param startMs when its first sample was heard */
  add(sound: Float32Array, startMs: number): void {
    this.#blocks = [...this.#blocks.filter((block) => startMs - block.startMs < KEPT_MS), { startMs, sound }];
  }

  /** A stretch of it; undefined where a part is missing. */
  cut(fromMs: number, lengthMs: number, sampleRate: number): Float32Array | undefined {
    // The block it begins in tells where; from there on samples follow each other, whatever their times say.
    const first = this.#blocks.findLastIndex(({ startMs }) => startMs <= fromMs);
    if (first < 0) return undefined;
    const wanted = Math.round((lengthMs / 1000) * sampleRate);
    let skipped = Math.round(((fromMs - this.#blocks[first]!.startMs) / 1000) * sampleRate);
    const cut = new Float32Array(wanted);
    let filled = 0;
    for (const { sound } of this.#blocks.slice(first)) {
      const part = sound.subarray(skipped, skipped + wanted - filled);
      cut.set(part, filled);
      filled += part.length;
      skipped = Math.max(0, skipped - sound.length);
      if (filled === wanted) return cut;
    }
    return undefined;
  }
}
