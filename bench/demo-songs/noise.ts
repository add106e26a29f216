/** White noise, -1..1, the same every time: a linear congruential generator (Knuth, TAOCP volume 2, section 3.3.4). */
export class Noise {
  #state: number;
  constructor(seed: number) {
    this.#state = seed;
  }
  next(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) | 0;
    return this.#state / 2 ** 31;
  }
}
