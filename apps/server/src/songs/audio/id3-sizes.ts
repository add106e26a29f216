const HEADER_BYTES = 10;
const UNSYNCHRONIZED = 0x80;
const EXTENDED = 0x40;

/** Returns the length of the ID3v2.4 tag at the start of a file; undefined without one. @param head at least 10 bytes */
export function id3v24Length(head: Uint8Array): number | undefined {
  const isId3 = head[0] === 0x49 && head[1] === 0x44 && head[2] === 0x33 && head[3] === 4;
  return isId3 ? HEADER_BYTES + syncSafe(head, 6) : undefined;
}

/**
 * Rewrites the frame lengths of an ID3v2.4 tag from plain numbers, which old versions of iTunes write, to the numbers of
 * 7 bits per byte that the standard requires.
 *
 * @returns whether they were plain; the bytes are unchanged otherwise
 */
export function mendPlainSizes(tag: Uint8Array): boolean {
  const flags = tag[5]!;
  if ((flags & UNSYNCHRONIZED) !== 0) return false;
  const from = HEADER_BYTES + ((flags & EXTENDED) !== 0 ? syncSafe(tag, HEADER_BYTES) : 0);
  if (framesOf(tag, from, syncSafe)) return false;
  const frames = framesOf(tag, from, plain);
  for (const at of frames ?? []) writeSyncSafe(tag, at + 4, plain(tag, at + 4));
  return frames !== undefined;
}

/** Returns where the frames are; undefined if they do not fill the tag up to its padding. */
function framesOf(
  tag: Uint8Array,
  from: number,
  lengthAt: (bytes: Uint8Array, at: number) => number,
): readonly number[] | undefined {
  const frames: number[] = [];
  let at = from;
  for (; at + HEADER_BYTES <= tag.length && tag[at] !== 0; at += HEADER_BYTES + lengthAt(tag, at + 4)) {
    if (!/^[A-Z0-9]{4}$/.test(String.fromCharCode(...tag.subarray(at, at + 4)))) return undefined;
    frames.push(at);
  }
  return at <= tag.length && tag.subarray(at).every((byte) => byte === 0) ? frames : undefined;
}

const plain = (bytes: Uint8Array, at: number): number =>
  ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;

/** Reads 7 bits per byte; Infinity if a byte has eight. */
function syncSafe(bytes: Uint8Array, at: number): number {
  const digits = bytes.subarray(at, at + 4);
  if (digits.some((digit) => digit > 0x7f)) return Infinity;
  return digits.reduce((sum, digit) => sum * 128 + digit, 0);
}

function writeSyncSafe(bytes: Uint8Array, at: number, value: number): void {
  for (let i = 0; i < 4; i++) bytes[at + i] = (value >> (21 - 7 * i)) & 0x7f;
}
