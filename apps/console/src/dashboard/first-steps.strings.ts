export const firstStepsStrings = {
  title: "First steps",
  progress: (done: number, all: number) => `${done} of ${all} done`,
  all: "Show all",
  fewer: "Show less",
  hide: "Hide first steps",
  hidden: "First steps are hidden on every dashboard.",
  done: "Done",
  toDo: "To do",
  steps: {
    owner: {
      title: "Owner",
      text: "You may do everything here. A second Admin can let you back in.",
      action: "Users",
    },
    lamps: {
      title: "Lamps",
      text: "Say which lamps hang, and on which address. Eight pars take one press.",
      action: "Add lamps",
    },
    output: {
      title: "Output",
      text: "Say where light is sent: an Art-Net or sACN node, or a USB adapter.",
      action: "Add output",
    },
    song: {
      title: "Song",
      text: "Add a link or a file. It is heard and gets its light show by itself.",
      action: "Add song",
      other: "Upload files",
    },
    light: {
      title: "Light",
      text: "Walk through the lamps in Preflight and say which flash, or play a song in Tonight.",
      action: "Preflight",
    },
    event: {
      title: "Event",
      text: "Plan the first night: when, where, and who speaks.",
      action: "New event",
    },
    people: {
      title: "People",
      text: "Add your members by hand or from a file, or let them sign up.",
      action: "Add people",
    },
  },
  demo: {
    title: "Demo night",
    offer:
      "Only looking? See a whole night: people with gold, an event with talks and a chat, lamps in three universes and three songs with their light shows. Everything in it is labelled Demo, and one press removes it.",
    make: "Show me a night",
    making: (what: string) => (what === "" ? "Making the demo night…" : `Making the demo night: ${what}…`),
    made: "The demo night is here. Its event, people, lamps and songs are labelled Demo.",
    tonight: "Open Tonight",
    songs: "See its songs",
    remove: "Remove the demo night",
    removing: "Removing the demo night…",
    broken: (why: string) => `The demo night is not whole. ${why}`,
    removeRest: "Remove what is there",
  },
} as const;
