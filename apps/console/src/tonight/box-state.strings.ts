import { countOf } from "../lib/formatting.ts";

export const boxStateStrings = {
  lamps: {
    follows: {
      says: () => "Standby: plays along silently, ready to drive the lamps.",
      press: "Take the Lamps",
    },
    leads: {
      says: (time: string) => `This standby drives the lamps since ${time}.`,
      press: "Hand Back the Lamps",
    },
    yields: {
      says: (time: string) => `The standby drives the lamps since ${time}. This machine plays along silently.`,
      press: "Take the Lamps Back",
    },
  },
  firstSilent: "The first machine does not answer.",
  unknown: "The office of this box has not answered yet.",
  of: (office: string, venue: string) => `Box of ${office} at ${venue}:`,
  whole: "connected, everything is here.",
  fetching: "connected, tonight is not here yet.",
  cut: (time: string) => `cut off since ${time}. The night goes on from here.`,
  waits: (count: number) => `${countOf(count, "thing waits", "things wait")} to be told to the office.`,
} as const;
