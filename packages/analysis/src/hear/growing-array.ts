/** A Float32Array of unknown final length. */
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

  /** Returns the first `length` values, with zeros if fewer were pushed. */
  take(length: number): Float32Array {
    const out = new Float32Array(length);
    out.set(this.#values.subarray(0, Math.min(length, this.#length)));
    return out;
  }
}
