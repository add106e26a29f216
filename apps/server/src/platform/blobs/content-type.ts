import { extname } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".flac": "audio/flac",
  ".json": "application/json; charset=utf-8",
  ".m4a": "audio/mp4",
  ".mp3": "audio/mpeg",
  ".ogg": "audio/ogg",
  ".wav": "audio/wav",
  ".webp": "image/webp",
};

/** Returns the content type for browsers, by file name. */
export const contentType = (name: string): string => TYPES[extname(name)] ?? "application/octet-stream";
