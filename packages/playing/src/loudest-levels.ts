/** Level reported for silence, dBFS. */
const SILENCE_DB = -100;

/** Tracks the loudest level of both channels since the last call. */
export class LoudestLevels {
  #sides: readonly [number, number] = [SILENCE_DB, SILENCE_DB];

  /** @param levels levels of left and right, dBFS */
  hear([left = SILENCE_DB, right = left]: readonly number[]): void {
    this.#sides = [Math.max(this.#sides[0], left), Math.max(this.#sides[1], right)];
  }

  /** Returns the levels of left and right in tenths of a dB, -100..0, and resets them. */
  take(): readonly [number, number] {
    const [left, right] = this.#sides;
    this.#sides = [SILENCE_DB, SILENCE_DB];
    return [tenths(left), tenths(right)];
  }
}

const tenths = (level: number) => Math.round(10 * Math.min(0, Math.max(SILENCE_DB, level))) / 10;

/** Returns the root mean square of both channels of a block, dBFS. @param block interleaved samples, -1..1 */
export function levelsOfBlock(block: Float32Array): readonly [number, number] {
  const powers: [number, number] = [0, 0];
  for (let i = 0; i + 1 < block.length; i += 2) {
    powers[0] += block[i]! ** 2;
    powers[1] += block[i + 1]! ** 2;
  }
  const frames = Math.max(1, block.length / 2);
  return [decibelsOf(powers[0] / frames), decibelsOf(powers[1] / frames)];
}

const decibelsOf = (power: number) => 10 * Math.log10(power + 1e-10);
