import type { Page } from "playwright-core";

/** Peak of a block of a page's sound, and when it was played, ms since the epoch. */
export interface HeardBlock {
  readonly at: number;
  readonly peak: number;
}

/**
 * To run before a page's scripts: also measures all sound that is connected to a context's destination, in the audio thread.
 * The page's content security policy must be off, because the measuring script is not one of its files.
 */
export function tapSound(): void {
  const SCRIPT = `registerProcessor("tap", class extends AudioWorkletProcessor {
    blocks = [];
    process([input]) {
      let peak = 0;
      for (const channel of input) for (const sample of channel) peak = Math.max(peak, Math.abs(sample));
      this.blocks.push(currentTime, peak);
      if (this.blocks.length >= 64) this.port.postMessage(this.blocks.splice(0));
      return true;
    }
  });`;
  const heard: HeardBlock[] = [];
  Object.assign(window, { heardBlocks: heard });
  const connect = AudioNode.prototype.connect as (...args: unknown[]) => AudioNode;
  const tapped = new WeakSet<BaseAudioContext>();
  AudioNode.prototype.connect = function (this: AudioNode, ...args: unknown[]) {
    const [to] = args;
    if (to instanceof AudioDestinationNode && !tapped.has(this.context)) {
      tapped.add(this.context);
      const context = this.context as AudioContext;
      const url = URL.createObjectURL(new Blob([SCRIPT], { type: "text/javascript" }));
      void context.audioWorklet.addModule(url).then(() => {
        const tap = new AudioWorkletNode(context, "tap", { numberOfOutputs: 0 });
        connect.call(this, tap);
        tap.port.addEventListener("message", ({ data }: MessageEvent<number[]>) => {
          const { contextTime = 0, performanceTime = 0 } = context.getOutputTimestamp();
          for (let i = 0; i < data.length; i += 2)
            heard.push({
              at: performance.timeOrigin + performanceTime + (data[i]! - contextTime) * 1000,
              peak: data[i + 1]!,
            });
        });
        tap.port.start();
      });
    }
    return connect.apply(this, args);
  } as typeof AudioNode.prototype.connect;
}

/** Returns the blocks since the last call. */
export const takeHeard = (page: Page): Promise<HeardBlock[]> =>
  page.evaluate(() => (window as unknown as { heardBlocks: HeardBlock[] }).heardBlocks.splice(0));

/**
 * Discards the blocks so far. Reading minutes of blocks would keep this process busy, and packets that wait meanwhile would
 * count as late.
 */
export const forgetHeard = (page: Page): Promise<void> =>
  page.evaluate(() => void (window as unknown as { heardBlocks: HeardBlock[] }).heardBlocks.splice(0));

/**
 * Returns when second 0 of a song would have been played, ms since the epoch: the best fit of its loudness to the blocks.
 * @param wav 16-bit stereo, as from `synthesiseSong` @param around center of the search, ms since the epoch
 */
export function zeroOf(
  heard: readonly HeardBlock[],
  wav: Buffer,
  around: number,
  mostMs = 1500,
): { zero: number; fit: number } {
  const rate = wav.readUInt32LE(24);
  const samples = new Int16Array(wav.buffer.slice(wav.byteOffset + 44, wav.byteOffset + wav.length));
  const BLOCK = 128;
  const peaks = Array.from({ length: Math.floor(samples.length / 2 / BLOCK) }, (_, block) => {
    let peak = 0;
    for (let i = 0; i < BLOCK; i++) peak = Math.max(peak, Math.abs(samples[2 * (block * BLOCK + i)]!));
    return peak;
  });
  const known = (ms: number) => peaks[Math.round((ms / 1000) * (rate / BLOCK))] ?? 0;
  let best = { zero: around, fit: -1 };
  for (let zero = around - mostMs; zero <= around + mostMs; zero += 1) {
    const fit = correlation(heard.map(({ at, peak }) => [peak, known(at - zero)]));
    if (fit > best.fit) best = { zero, fit };
  }
  return best;
}

function correlation(pairs: readonly (readonly [number, number])[]): number {
  const mean = (side: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[side], 0) / pairs.length;
  const [a, b] = [mean(0), mean(1)];
  let [ab, aa, bb] = [0, 0, 0];
  for (const [x, y] of pairs) {
    ab += (x - a) * (y - b);
    aa += (x - a) ** 2;
    bb += (y - b) ** 2;
  }
  return aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : 0;
}
