import { clockTime, countOf } from "../lib/formatting.ts";

export const recordingStrings = {
  title: "Recordings",
  block: "Recording",
  hint: "Records the light as it goes out, the desk's part too.",
  record: "Record",
  stop: "Stop recording",
  starting: "Starting…",
  stopping: "Stopping…",
  running: (seconds: number) => `Recording · ${clockTime(seconds)}`,
  open: (count: number) => (count === 0 ? "Recordings" : `Recordings (${count})`),
  nameOf: (name: string, when: string) => (name === "" ? when : name),
  empty: "Nothing is recorded yet. Press Record on the desk during a show.",
  loadError: "The recordings could not be loaded",
  replay: "Replay",
  stopReplay: "Stop replay",
  replaying: (seconds: number) => `Replaying · ${clockTime(seconds)}`,
  replayHint: "Plays the recorded light again. Blackout works; the desk's other controls and the flash limit do not.",
  download: "Download",
  downloadHint: "For another machine: npm run -s song -- replay FILE",
  states: { recording: "Recording", whole: "", cut_off: "Cut off" } as Readonly<Record<string, string>>,
  facts: (when: string, who: string, length: string, universes: number, size: string) =>
    [when, who, length, countOf(universes, "universe", "universes"), size].filter((part) => part !== "").join(" · "),
  patchChanged: "The patch has changed since: other lamps may light.",
  deleteTitle: "Delete recording",
  deleteQuestion: (name: string) => `Delete "${name}"? Its file is removed for good.`,
  deleted: (name: string) => `"${name}" is deleted`,
};
