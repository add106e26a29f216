export type AudioFormat = "mp3" | "aac" | "ogg" | "opus" | "flac" | "m4a" | "wav" | "webm" | "aiff" | "caf";

/** Bytes at the start of a file that `sniffAudio` needs. */
export const SNIFF_BYTES = 65_536;
/** Most bytes that other programs skip before the first frame of an MP3. */
const MP3_LEAD_BYTES = 2048;
/** Consecutive frames that prove an MP3 behind more bytes than that. */
const MOST_FRAMES = 5;

/**
 * Detects a file's format from its first bytes; its name is ignored.
 * @returns undefined if it is not audio in a supported format
 */
export function sniffAudio(head: Uint8Array): AudioFormat | undefined {
  const text = (from: number, to: number) => String.fromCharCode(...head.subarray(from, to));
  if (["RIFF", "RF64", "BW64"].includes(text(0, 4)) && text(8, 12) === "WAVE") return "wav";
  if (text(0, 8) === "riff\x2e\x91\xcf\x11") return "wav"; // Sony Wave64
  if (text(0, 4) === "caff") return "caf";
  if (text(0, 4) === "fLaC") return "flac";
  if (text(0, 4) === "OggS") return text(28, 36) === "OpusHead" ? "opus" : "ogg";
  if (text(4, 8) === "ftyp") return "m4a";
  if (text(0, 4) === "FORM" && text(8, 11) === "AIF") return "aiff";
  if (text(0, 4) === "\x1aE\xdf\xa3") return "webm";
  if (text(0, 3) === "ID3") return "mp3";
  return mpegFormat(head);
}

/** Detects a frame header with a second one where the first frame ends, or with more of them behind other bytes. */
function mpegFormat(head: Uint8Array): AudioFormat | undefined {
  for (let at = 0; at + 6 < head.length; at++) {
    if (head[at] !== 0xff || (head[at + 1]! & 0xe0) !== 0xe0) continue;
    const isAdts = (head[at + 1]! & 0xf6) === 0xf0;
    if (framesFrom(head, at) >= (at < MP3_LEAD_BYTES ? 2 : MOST_FRAMES)) return isAdts ? "aac" : "mp3";
  }
  return undefined;
}

/** Returns the number of consecutive frames from `at`; at most `MOST_FRAMES`. */
function framesFrom(head: Uint8Array, at: number): number {
  const kind = head[at + 1]! & 0xfe;
  const isAdts = (kind & 0xf6) === 0xf0;
  let frames = 1;
  for (let next = at; frames < MOST_FRAMES; frames++) {
    const length = isAdts ? adtsLength(head, next) : mp3Length(head, next);
    next += length;
    if (length < 8 || next + 6 >= head.length) return frames;
    if (head[next] !== 0xff || (head[next + 1]! & 0xfe) !== kind) return frames;
  }
  return frames;
}

/** Returns where the frames of an MP3 start if more bytes precede them than decoders and browsers skip; otherwise 0. */
export function mp3LeadBytes(head: Uint8Array): number {
  if (String.fromCharCode(...head.subarray(0, 3)) === "ID3") return 0;
  for (let at = 0; at + 6 < head.length; at++) {
    const isHeader = head[at] === 0xff && (head[at + 1]! & 0xe0) === 0xe0 && mp3Length(head, at) > 0;
    if (isHeader && framesFrom(head, at) >= (at < MP3_LEAD_BYTES ? 2 : MOST_FRAMES))
      return at < MP3_LEAD_BYTES ? 0 : at;
  }
  return 0;
}

/** Audio files that no decoder here reads, by their first bytes. */
const UNSUPPORTED: readonly (readonly [string, string])[] = [
  ["\x30\x26\xb2\x75", "a Windows Media file (WMA)"],
  ["#!AMR", "an AMR voice recording"],
  ["MThd", "a MIDI file, which holds notes and no sound"],
  ["MAC ", "a Monkey's Audio file (APE)"],
  ["wvpk", "a WavPack file"],
  ["DSD ", "a DSD file"],
  ["FRM8", "a DSD file"],
  ["MPCK", "a Musepack file"],
  ["MP+", "a Musepack file"],
  [".snd", "a Sun audio file (AU)"],
  ["\x0bw", "an AC-3 file"],
];

/** Returns the kind of an audio file that is not supported, for users; undefined if it is none of the known ones. */
export function unsupportedKind(head: Uint8Array): string | undefined {
  const start = String.fromCharCode(...head.subarray(0, 8));
  return UNSUPPORTED.find(([magic]) => start.startsWith(magic))?.[1];
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
