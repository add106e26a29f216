export interface Command {
  readonly id: string;
  /** Screen, action or what else it is, for a person. */
  readonly kind: string;
  readonly text: string;
  readonly perform: () => void;
}

const SHOWN = 30;

/** Commands that hold every typed word; those that start with the text come first. */
export function findCommands<Found extends Pick<Command, "text" | "kind">>(
  commands: readonly Found[],
  query: string,
): readonly Found[] {
  const text = query.trim().toLowerCase();
  const words = text.split(/\s+/);
  return commands
    .filter((command) => words.every((word) => `${command.text} ${command.kind}`.toLowerCase().includes(word)))
    .toSorted((a, b) => startsLater(a.text, text) - startsLater(b.text, text))
    .slice(0, SHOWN);
}

const startsLater = (candidate: string, text: string) => (candidate.toLowerCase().startsWith(text) ? 0 : 1);
