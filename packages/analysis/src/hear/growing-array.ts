/** A Float32Array whose end is not known yet. */
export class GrowingArray {
  #values = new Float32Array(1024);
  #length = 0;

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float32Array(this.#values.length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  /** The first `length` values, zeros where fewer were pushed. */
  take(length: number): Float32Array {
    const out = new Float32Array(length);
    out.set(this.#values.subarray(0, Math.min(length, this.#length)));
    return out;
  }
}
