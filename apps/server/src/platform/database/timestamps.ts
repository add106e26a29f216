import { timestampDate, timestampFromDate, type Timestamp } from "@bufbuild/protobuf/wkt";
import { invalid } from "../errors.ts";

export const EARLIEST_MS = Date.UTC(1900, 0, 1);
export const LATEST_MS = Date.UTC(10000, 0, 1);

/** @throws invalid_argument for a time outside the years 1900 to 9999 or with invalid nanoseconds */
export function dateOf(timestamp: Timestamp, field: string): Date {
  if (timestamp.nanos < 0 || timestamp.nanos > 999_999_999) throw invalid(`${field}: nanos must be 0 to 999999999`);
  const ms = Number(timestamp.seconds) * 1000 + Math.floor(timestamp.nanos / 1e6);
  if (!(ms >= EARLIEST_MS && ms < LATEST_MS)) throw invalid(`${field}: must lie in the years 1900 to 9999`);
  return timestampDate(timestamp);
}

export function timestampOf(date: Date): Timestamp;
export function timestampOf(date: Date | null): Timestamp | undefined;
export function timestampOf(date: Date | null): Timestamp | undefined {
  return date === null ? undefined : timestampFromDate(date);
}
