import type { NavigateOptions } from "@tanstack/react-router";

/** One line of the palette. */
export interface Command {
  readonly id: string;
  /** What it is, for a person: "Screen", "Person". */
  readonly kind: string;
  readonly text: string;
  /** Tells it from others of that name. */
  readonly detail?: string;
  /** Where it is, for what is a place. */
  readonly goal?: NavigateOptions;
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

/** Fewer letters are in nearly everything. */
const LEAST_LETTERS = 3;

/** Commands that hold the letters in their order, the first at the beginning of a word: "ntk" finds "New Talk". */
export function findByLetters<Found extends Pick<Command, "text">>(
  commands: readonly Found[],
  query: string,
): readonly Found[] {
  const letters = query.replaceAll(/\s+/g, "").toLowerCase();
  if (letters.length < LEAST_LETTERS) return [];
  return commands.filter(({ text }) => holdsLetters(text.toLowerCase(), letters)).slice(0, SHOWN);
}

function holdsLetters(candidate: string, letters: string): boolean {
  const begins = [...candidate.matchAll(/\b\w/g)].flatMap((begin) => (begin[0] === letters[0] ? [begin.index] : []));
  return begins.some((begin) => {
    let at = begin;
    for (const letter of letters) {
      at = candidate.indexOf(letter, at) + 1;
      if (at === 0) return false;
    }
    return true;
  });
}
