import { FILE_IS_MISSING } from "@followspot/contract";
import { unsupportedKind } from "./sniff-audio.ts";

export type AudioErrorCode =
  | "missing"
  | "unreadable"
  | "undecodable"
  | "cut_short"
  | "too_short"
  | "too_long"
  | "timed_out"
  | "cancelled"
  | "encoder_failed"
  | "decoder_failed";

/** Parts in {braces} are filled in by the thrower. */
const MESSAGES: Record<AudioErrorCode, string> = {
  missing: `${FILE_IS_MISSING} Retry its download; if it was uploaded, upload the file again.`,
  unreadable: "This file holds no audio we can read. Upload an MP3, OGG, FLAC, M4A or WAV.",
  undecodable:
    "This is {detail}, which this server cannot read. Export it as an ordinary WAV, FLAC or MP3 and upload that file.",
  cut_short:
    "This file was cut short and too little of it can be played. Download or export it again and upload the whole file.",
  too_short: "This song is shorter than one second. Upload the whole song.",
  too_long: "This file is longer than three hours. Cut it and upload the part you want to show.",
  timed_out: "Reading this file took too long. Try again, or upload it in another format.",
  cancelled: "Reading this file was cancelled.",
  encoder_failed: "The audio could not be written. Check that the disk has space, then try again.",
  decoder_failed:
    "This file could not be read because {detail}. The file may be fine: have that program repaired or removed on the server, then retry.",
};

/** The reason why a file cannot be used. The message is for users and contains no paths; details are in the cause. */
export class AudioError extends Error {
  readonly code: AudioErrorCode;

  constructor(code: AudioErrorCode, cause?: unknown, detail = "") {
    super(
      MESSAGES[code].replace("{detail}", () => detail),
      { cause },
    );
    this.name = "AudioError";
    this.code = code;
  }
}

/** Returns the error for a file of no supported format; it names known kinds of files. */
export function unreadable(head: Uint8Array): AudioError {
  const kind = unsupportedKind(head);
  return kind === undefined ? new AudioError("unreadable") : new AudioError("undecodable", undefined, kind);
}
