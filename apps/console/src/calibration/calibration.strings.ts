export const calibrationStrings = {
  title: "Set the offset by eye and ear",
  back: "Lights",
  intro:
    "The lamps flash once a second, and this page clicks with them. Stand where the audience stands, and move the light until both come together.",
  output: "Output",
  all: "All outputs, moved together",
  loadError: "Error loading outputs",
  empty: "There is no output that is on. Add one under Lights, Outputs.",
  denied: "Only Admins set the offsets of outputs.",
  start: "Flash and click",
  stop: "Stop",
  givesBack: "What the lamps showed before comes back when you stop or leave.",
  busy: "Another person's show is on the lamps. Taking over interrupts it; it comes back when you stop.",
  black: "Blackout is on: no lamp flashes until it is released.",
  noSound: "The click cannot be played here.",
  offset: "Offset, ms",
  moved: "Moved by, ms",
  offsetHint: "Positive sends light later, negative earlier. Arrow keys move it by 1, Page Up and Page Down by 10.",
  exact: "Exact value",
  states: { saved: "Set on the output", saving: "Being set…", failed: "Not set" },
  failed: (why: string) => `The offset was not set. ${why}`,
  readAgain: "Read again",
  answers: "Which comes first?",
  light: "Light comes first",
  sound: "Sound comes first",
  together: "Together",
  found: "That is as near as eyes and ears tell.",
  again: "Ask me again",
  step: (ms: number) => `Each answer moves it by ${Math.max(1, Math.round(ms))} ms`,
  reset: "Back to 0",
  keep: "Keep",
  cancel: "Put back",
  keptOne: (ms: string) => `Kept: ${ms} ms`,
  keptAll: (ms: string) => `Kept: all moved by ${ms} ms`,
  putBack: "What was there before is back.",
  leave: {
    title: "Offset not kept",
    message: "The new offset is not kept. Leave and put the old one back?",
    confirm: "Leave",
  },
  mic: {
    title: "Measure by microphone",
    about:
      "A microphone hears how late the click is, eight times. It cannot see light: 34 ms are added for node and lamp, an average. Hold it where the audience stands.",
    measure: "Measure",
    again: "Measure again",
    startFirst: "Let it flash and click first.",
    opening: "Asking for the microphone…",
    listening: (done: number, of: number) =>
      done < of ? `Listening: ${done} of ${of}` : `Listening to more clicks: they do not agree yet (${done})`,
    missing: "No microphone was found. Plug one in and try again, or go by eye and ear.",
    denied:
      "The microphone is not allowed here. Allow it in the browser's settings of this page and try again, or go by eye and ear.",
    unheard: (heard: number, of: number) =>
      `Only ${heard} of ${of} clicks were heard. Turn the sound up or move the microphone nearer, and measure again.`,
    unsure: (spread: number) =>
      `The clicks do not agree: half of them lie ${spread} ms apart. Make it quieter, move the microphone nearer, and measure again.`,
    result: (delay: number, spread: number, heard: number) =>
      `Sound is ${delay} ms late (${heard} clicks, half of them within ${spread} ms).`,
    system: (ms: number) => `This browser reckons with ${ms} ms for its own sound, which are allowed for already.`,
    input: (ms: number) => `${ms} ms of the microphone's own are taken off.`,
    inputUnknown: "What the microphone itself takes is not known here: the result may be 5 to 30 ms too long.",
    propose: (ms: string) => `Use ${ms} ms`,
    outside: "That is more than an output allows. Look for what delays the sound.",
  },
} as const;

export const signed = (ms: number): string => (ms < 0 ? `−${Math.abs(ms)}` : ms > 0 ? `+${ms}` : "0");
