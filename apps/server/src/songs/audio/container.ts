/** Facts about the whole file from its container. */
export interface Container {
  /** Undefined if the format does not contain it (plain AAC, Ogg, MP3 without a Xing header). */
  readonly seconds?: number | undefined;
  /** Whether the file ends before its container does. */
  readonly isCut?: boolean;
  /** Kind of file for an error message, if only ffmpeg may decode it: "a WAV file with GSM sound". */
  readonly undecodable?: string | undefined;
  /** Whether nothing can be decoded because the index at the end of an M4A is missing. */
  readonly isHopeless?: boolean;
}
