import type { MicrophoneProblem } from "./microphone.ts";

/** Texts of live sound. */
export const soundStrings = {
  title: "Live sound",
  hint: "Light for live music, from a microphone.",
  useMicrophone: "Follow the microphone",
  opening: "Opening the microphone...",
  useDevice: "Follow the stage's sound input",
  back: "Back to songs",
  input: "Microphone or line",
  preferred: "The browser's choice",
  unnamed: (n: number) => `Input ${n}`,
  leads: (name: string) => `${name} leads`,
  youLead: "Your microphone leads",
  deviceLeads: "The stage's sound input leads",
  level: "Level",
  tempo: (bpm: number) => `${Math.round(bpm)} BPM`,
  noBeat: "No beat yet",
  sure: ["guessing the beat", "finding the beat", "on the beat"],
  nothingHeard: "Nothing is heard. Turn the microphone up, or choose another input.",
  noSound: "No sound comes in. The show goes on for a few seconds and then waits in the look between songs.",
  lost: "Not connected: the sound goes on as soon as the stage answers again.",
  problems: {
    insecure:
      "A browser gives its microphone only to pages under https:// or on this machine. Open the console that way.",
    denied: "The browser was not allowed to use the microphone. Allow it for this page and try again.",
    none: "No microphone was found. Plug one in and try again.",
    busy: "Another program has the microphone. Close it and try again.",
    rate: "The microphone's sample rate is not one the stage takes. Choose 44,100 or 48,000 Hz in the system's settings.",
    unplugged: "The microphone is disconnected. Plug it in and start it again; songs have the lamps meanwhile.",
    broken: "The microphone could not be opened. Try again, or choose another input.",
  } satisfies Record<MicrophoneProblem, string>,
  refused: (why: string) => `Not taken: ${why}`,
} as const;
