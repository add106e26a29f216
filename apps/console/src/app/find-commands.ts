import type { NavigateOptions } from "@tanstack/react-router";

/** One line of the palette. */
export interface Command {
  readonly id: string;
  /** What it is, for a person: "Screen", "Person". */
  readonly kind: string;
  readonly text: string;
  /** Tells it from others of that name. */
  readonly detail?: string;
  /** Other words that people type for it. */
  readonly also?: string;
  /** The keys that do the same without the palette, as a person reads them. */
  readonly keys?: string;
  /** Where it is, for what is a place. */
  readonly goal?: NavigateOptions;
  readonly perform: () => void;
}

const SHOWN = 30;

type Words = Pick<Command, "text" | "kind" | "also">;

/** Commands that hold every typed word, in any order; what starts with the text first, what only other words say last. */
export function findCommands<Found extends Words>(commands: readonly Found[], query: string): readonly Found[] {
  const text = query.trim().toLowerCase();
  const words = text.split(/\s+/);
  const rank = (command: Found) =>
    command.text.toLowerCase().startsWith(text) ? 0 : holds(ownWords(command), words) ? 1 : 2;
  return commands
    .filter((command) => holds(allWords(command), words))
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, SHOWN);
}

const ownWords = ({ text, kind }: Words) => `${text} ${kind}`.toLowerCase();
const allWords = (command: Words) => `${ownWords(command)} ${(command.also ?? "").toLowerCase()}`;
const holds = (said: string, words: readonly string[]) => words.every((word) => said.includes(word));

/** A shorter word with another letter is another word. */
const LEAST_OF_A_TYPO = 4;

/** Commands in which every typed word is the beginning of a word, up to one slip: a wrong, missing, extra or swapped letter. */
export function findByTypos<Found extends Words>(commands: readonly Found[], query: string): readonly Found[] {
  const words = query.trim().toLowerCase().split(/\s+/);
  return commands
    .filter((command) => {
      const said = allWords(command).split(/[^\p{L}\p{N}]+/u);
      return words.every((word) => said.some((each) => each.startsWith(word) || beginsLike(each, word)));
    })
    .slice(0, SHOWN);
}

function beginsLike(said: string, typed: string): boolean {
  if (typed.length < LEAST_OF_A_TYPO) return false;
  return [0, -1, 1].some((more) => isOneSlip(said.slice(0, typed.length + more), typed));
}

/** Whether two words become one by one changed, missing, extra or swapped letter. */
function isOneSlip(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  const at = [...long].findIndex((letter, i) => letter !== short[i]);
  if (at < 0) return true;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  const isSwapped =
    short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2);
  return isSwapped || short.slice(at + 1) === long.slice(at + 1);
}

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
