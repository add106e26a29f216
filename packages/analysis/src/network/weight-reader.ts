import type { Layer } from "./forward.ts";

/** Returns the weights of a network in the order in which training exported them. */
export class WeightReader {
  readonly #halves: Float16Array;
  #at = 0;

  /** @param base64 little-endian half floats */
  constructor(base64: string) {
    this.#halves = new Float16Array(decodeBase64(base64).buffer);
  }

  take(count: number): Float64Array {
    return Float64Array.from(this.#halves.subarray(this.#at, (this.#at += count)));
  }

  layer(outputs: number, inputs: number, biases = outputs): Layer {
    return { weights: this.take(outputs * inputs), bias: this.take(biases) };
  }

  /** @throws RangeError unless the network has taken exactly all weights */
  finish(): void {
    if (this.#at !== this.#halves.length)
      throw new RangeError(`${this.#halves.length} weights where the network has ${this.#at}`);
  }
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Decodes padded base64 text. The platforms' own decoders differ between Node and browsers. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const digits = text.replace(/=+$/, "");
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4));
  for (let i = 0, at = 0, bits = 0; i < digits.length; i++) {
    bits = (bits << 6) | BASE64.indexOf(digits[i]!);
    if (i % 4 > 0) bytes[at++] = bits >> (6 - 2 * (i % 4));
  }
  return bytes;
}
