/** What a file's wrapping says about the whole of it. */
export interface Container {
  /** Undefined where the format does not say (plain AAC, Ogg, MP3 without a Xing header). */
  readonly seconds?: number | undefined;
  /** The file ends before its wrapping does. */
  readonly isCut?: boolean;
  /** Nothing can be decoded: the index at the end of an M4A is missing. */
  readonly isHopeless?: boolean;
}
