import { Inflate } from "fflate";
import { FIXTURE_LIMITS, refuse } from "./limits.ts";

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
/** Longest comment after the end record, bytes. */
const MOST_COMMENT = 65_535;
/** Compressed bytes per step: each may expand to a thousand. */
const STEP_BYTES = 4096;

export const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b;

/**
 * Returns one file of a zip archive by its exact name. No other file is decompressed, and this one only up to a limit,
 * whatever size the archive claims.
 *
 * @throws FixtureFileError for a damaged archive, or one without such a file
 */
export function readZipEntry(bytes: Uint8Array, name: string): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  if (count > FIXTURE_LIMITS.entries) refuse(`The file packs more than ${FIXTURE_LIMITS.entries} files.`);
  let at = view.getUint32(end + 16, true);
  for (let i = 0; i < count; i++) {
    if (at + 46 > end || view.getUint32(at, true) !== ENTRY) refuse("The packed file is damaged: its list is cut off.");
    const nameLength = view.getUint16(at + 28, true);
    const rest = view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    const entryName = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength));
    if (entryName === name) return unpack(bytes, view, at);
    at += 46 + nameLength + rest;
  }
  return refuse(`The file packs no ${name}.`);
}

function findEnd(view: DataView): number {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 22 - MOST_COMMENT); at--) {
    if (view.getUint32(at, true) === END) return at;
  }
  return refuse("The packed file is damaged: it has no end.");
}

function unpack(bytes: Uint8Array, view: DataView, entry: number): Uint8Array {
  const isEncrypted = (view.getUint16(entry + 8, true) & 1) === 1;
  if (isEncrypted) refuse("The packed file is encrypted.");
  const method = view.getUint16(entry + 10, true);
  const packed = view.getUint32(entry + 20, true);
  const local = view.getUint32(entry + 42, true);
  if (local + 30 > bytes.length || view.getUint32(local, true) !== LOCAL) {
    refuse("The packed file is damaged: an entry is not where its list says.");
  }
  const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  if (from + packed > bytes.length) refuse("The packed file is cut off.");
  const data = bytes.subarray(from, from + packed);
  if (method === 0) return data;
  if (method !== 8) refuse("The file is packed in a way that is not read; pack it with deflate.");
  return inflate(data);
}

function inflate(data: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let length = 0;
  let isWhole = false;
  const inflater = new Inflate((part, isLast) => {
    length += part.length;
    if (length > FIXTURE_LIMITS.descriptionBytes) refuse("The file unpacks to more than 8 MB of description.");
    parts.push(part);
    isWhole ||= isLast;
  });
  try {
    for (let at = 0; at < data.length; at += STEP_BYTES) {
      inflater.push(data.subarray(at, at + STEP_BYTES), at + STEP_BYTES >= data.length);
    }
  } catch (error) {
    if (error instanceof Error && error.name === "FixtureFileError") throw error;
    refuse("The packed file is damaged: it does not unpack.");
  }
  if (!isWhole) refuse("The packed file is damaged: it does not unpack to its end.");
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
