import { countOf } from "../lib/formatting.ts";

export const boxLineStrings = {
  unknown: "The office of this box has not answered yet.",
  of: (office: string, venue: string) => `Box of ${office} at ${venue}:`,
  whole: "connected, everything is here.",
  fetching: "connected, tonight is not here yet.",
  cut: (time: string) => `cut off since ${time}. The night goes on from here.`,
  waits: (count: number) => `${countOf(count, "thing waits", "things wait")} to be told to the office.`,
} as const;
