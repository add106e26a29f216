import { countOf } from "../lib/formatting.ts";

export const preflightStrings = {
  title: "Preflight",
  subtitle: "Everything a night needs, looked at again every few seconds",
  loadError: "Error checking",
  allWell: "All is well. Doors can open.",
  summary: (faults: number, warnings: number) =>
    [faults > 0 && countOf(faults, "fault", "faults"), warnings > 0 && countOf(warnings, "warning", "warnings")]
      .filter(Boolean)
      .join(" and "),
  list: "What was looked at",
  state: { ok: "Well", warning: "Warning", fault: "Fault" },
  checked: (time: string) => `Checked ${time}`,
  notChecked: (time: string) => `Not checked since ${time}`,
  old: (why: string) => `${why} What stands below was so before, and is checked again by itself.`,
  again: "Check again",
  all: "All of preflight",
  rehearse: "Rehearsal",
  retry: (n: number) => (n === 1 ? "Try it again" : `Try all ${n} again`),
  retried: (n: number) => `${countOf(n, "song is", "songs are")} on the way again`,
  walk: {
    title: "Walk through the lamps",
    hint: "One lamp after the other flashes. Stand where you see the stage, and say what you saw.",
    show: "Walk through",
    begin: "Begin",
    goOn: "Go on",
    anew: "Begin anew",
    flashing: "Flashing now",
    step: (n: number, of: number) => `Lamp ${n} of ${of}`,
    question: "Did it flash?",
    seen: "Yes",
    notSeen: "No",
    back: "Back",
    flash: "Flash again",
    stop: "Stop",
    done: "That was the last lamp.",
    none: "No lamp is on. Patch lamps first.",
    lamp: { seen: "seen", dark: "not seen", unseen: "not looked at" },
    noLabel: "No label",
  },
} as const;
