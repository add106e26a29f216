export type AudioFormat = "mp3" | "aac" | "ogg" | "opus" | "flac" | "m4a" | "wav" | "webm" | "aiff";

/** Bytes at the start of a file that `sniffAudio` needs. */
export const SNIFF_BYTES = 4096;

/**
 * Detects a file's format from its first bytes; its name is ignored.
 * @returns undefined if it is not audio in a supported format
 */
export function sniffAudio(head: Uint8Array): AudioFormat | undefined {
  const text = (from: number, to: number) => String.fromCharCode(...head.subarray(from, to));
  if (text(0, 4) === "RIFF" && text(8, 12) === "WAVE") return "wav";
  if (text(0, 4) === "fLaC") return "flac";
  if (text(0, 4) === "OggS") return text(28, 36) === "OpusHead" ? "opus" : "ogg";
  if (text(4, 8) === "ftyp") return "m4a";
  if (text(0, 4) === "FORM" && text(8, 11) === "AIF") return "aiff";
  if (text(0, 4) === "\x1aE\xdf\xa3") return "webm";
  if (text(0, 3) === "ID3") return "mp3";
  return mpegFormat(head);
}

/** Detects a frame header with a second one where the first frame ends. */
function mpegFormat(head: Uint8Array): AudioFormat | undefined {
  for (let at = 0; at + 6 < Math.min(head.length, 2048); at++) {
    if (head[at] !== 0xff || (head[at + 1]! & 0xe0) !== 0xe0) continue;
    const b1 = head[at + 1]!;
    const isAdts = (b1 & 0xf6) === 0xf0;
    const length = isAdts ? adtsLength(head, at) : mp3Length(head, at);
    if (length < 8 || at + length + 1 >= head.length) continue;
    if (head[at + length] === 0xff && (head[at + length + 1]! & 0xfe) === (b1 & 0xfe)) return isAdts ? "aac" : "mp3";
  }
  return undefined;
}

function adtsLength(head: Uint8Array, at: number): number {
  return ((head[at + 3]! & 3) << 11) | (head[at + 4]! << 3) | (head[at + 5]! >> 5);
}

const KBITS_MPEG1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const KBITS_MPEG2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const RATES = [44_100, 48_000, 32_000];

/** Returns the length of the layer III frame at `at`, bytes; 0 if the header is invalid. */
export function mp3Length(head: Uint8Array, at: number): number {
  const version = (head[at + 1]! >> 3) & 3; // 3 MPEG-1, 2 MPEG-2, 0 MPEG-2.5
  const layer = (head[at + 1]! >> 1) & 3;
  const kbits = (version === 3 ? KBITS_MPEG1 : KBITS_MPEG2)[head[at + 2]! >> 4] ?? 0;
  const rate = RATES[(head[at + 2]! >> 2) & 3];
  if (version === 1 || layer !== 1 || kbits === 0 || rate === undefined) return 0;
  const divided = version === 3 ? rate : version === 2 ? rate / 2 : rate / 4;
  return Math.floor(((version === 3 ? 144_000 : 72_000) * kbits) / divided) + ((head[at + 2]! >> 1) & 1);
}

/** Returns the duration of the layer III frame at `at`, seconds; the header must be valid. */
export function mp3FrameSeconds(head: Uint8Array, at: number): number {
  const version = (head[at + 1]! >> 3) & 3;
  const rate = RATES[(head[at + 2]! >> 2) & 3]!;
  return version === 3 ? 1152 / rate : 576 / (version === 2 ? rate / 2 : rate / 4);
}
