import { countOf } from "../lib/formatting.ts";

export const queueActionsStrings = {
  pause: "Pause",
  pauseOf: (queue: string) => `Pause ${queue}`,
  pauseWhat: {
    SONGS: "No worker begins another song until then. What is at work goes on, and songs that are added wait.",
    STEMS: "No worker begins to write stems until then. Songs go on.",
  } as Readonly<Record<string, string>>,
  howLong: "For how long",
  lengths: { 15: "15 minutes", 60: "1 hour", 240: "4 hours" } as Readonly<Record<number, string>>,
  untilTime: "Until a time",
  until: "Until",
  untilHint: "Within a day from now",
  untilMissing: "Choose a time within a day from now",
  pauseLabel: "Pause Queue",
  pausing: "Pausing...",
  paused: (until: string) => `Paused until ${until}`,
  resume: "Resume",
  resumeOf: (queue: string) => `Resume ${queue}`,
  resumeFailed: (why: string) => `It could not be resumed. ${why}`,
  purge: "Purge",
  purgeOf: (queue: string) => `Purge ${queue}`,
  purgeTitle: (queue: string) => `Purge ${queue}`,
  purgeMessage: (count: number, more: string) =>
    count === 0
      ? `Nothing lies in it now; what comes until you press the button goes. ${more}`
      : `${count === 1 ? "1 message goes" : `${count.toLocaleString("en")} messages go`}, and this cannot be undone. ${more}`,
  purgeWhat: {
    SONGS: "Songs that wait stay in the pipeline: their messages come again within seconds.",
    STEMS: "Stems that wait to be written stay in the pipeline: their messages come again within seconds.",
    FAILURES: "Songs stay in error, but why they failed before is only said in their own rows.",
  } as Readonly<Record<string, string>>,
  purgeLabel: "Purge Messages",
  purged: (count: number, queue: string) => `${countOf(count, "message", "messages")} of ${queue} purged`,
} as const;
