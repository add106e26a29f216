import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { isTimeZone } from "@followspot/contract";
import { invalid } from "../platform/errors.ts";
import { dateOf } from "../platform/database/timestamps.ts";
import { doorTimes } from "./doors.ts";

export function requireTitle(title: string): string {
  if (title.trim() === "") throw invalid("Title is required");
  return title;
}

export function requireTime(timestamp: Timestamp | undefined, field: string, missing: string): Date {
  if (!timestamp) throw invalid(missing);
  return dateOf(timestamp, field);
}

export function requireOrder(event: Parameters<typeof doorTimes>[0]): void {
  if (event.ends_at <= event.starts_at) throw invalid("End date must be after start date");
  const { opensAt, closesAt } = doorTimes(event);
  if (closesAt <= opensAt) throw invalid("The doors must close after they open");
}

/** Checks the name of a time zone; empty means that the event has none. @throws invalid_argument */
export function requireZone(zone: string): string {
  if (zone !== "" && !isTimeZone(zone)) throw invalid("timeZone: must be a name such as Europe/Berlin");
  return zone;
}
