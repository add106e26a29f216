/*
 * The parts of DER (X.690) that certificates and signing requests need.
 */

/** Encodes an element of at most 65,535 bytes. */
export function element(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head =
    length < 0x80 ? [tag, length] : length < 0x100 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}

export const TRUE = Buffer.from([0x01, 0x01, 0xff]);
export const sequence = (...parts: readonly Buffer[]): Buffer => element(0x30, ...parts);
export const integer = (bytes: Buffer): Buffer => element(0x02, bytes);
export const bitString = (bytes: Buffer, unusedBits = 0): Buffer => element(0x03, Buffer.from([unusedBits]), bytes);

export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const groups = (value: number): number[] => (value < 0x80 ? [value] : [...groups(value >> 7), value & 0x7f]);
  const bytes = [40 * first + second, ...rest].flatMap((value) => {
    const digits = groups(value);
    return digits.map((digit, i) => (i < digits.length - 1 ? digit | 0x80 : digit));
  });
  return element(0x06, Buffer.from(bytes));
}

/** Encodes a time with two digits of the year until 2049 and four from 2050 (RFC 5280, 4.1.2.5). */
export function time(ms: number): Buffer {
  const digits = `${new Date(ms).toISOString().replaceAll(/[-:T]|\..*/g, "")}Z`;
  return digits < "2050" ? element(0x17, Buffer.from(digits.slice(2))) : element(0x18, Buffer.from(digits));
}
