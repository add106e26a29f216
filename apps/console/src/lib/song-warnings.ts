/** Display sentence per warning code of the analysis about a song's audio. */
const SENTENCES: Readonly<Record<string, string>> = {
  truncated: "The file ends early: the show covers only what is there.",
  short: "Under 5 seconds: beats and key are guesses.",
  silent: "There is no sound in this file.",
  broken_samples: "Parts of the file were damaged and are silent.",
  clipped: "Recorded too loud: the sound is distorted.",
  mono: "One channel only.",
  corrections_set_aside:
    "The song was analysed again and its beats moved: corrections of tempo and bars are kept but not in use.",
};

/** Returns the sentence for a warning code; the code itself if it is unknown. */
export function songWarning(code: string): string {
  return SENTENCES[code] ?? code;
}
