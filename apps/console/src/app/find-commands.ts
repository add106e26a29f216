import type { NavigateOptions } from "@tanstack/react-router";

/** One entry of the command palette. */
export interface Command {
  readonly id: string;
  /** Kind of the entry, for display: "Screen", "Person". */
  readonly kind: string;
  readonly text: string;
  /** Detail that distinguishes entries with the same name. */
  readonly detail?: string;
  /** Synonyms that users may type. */
  readonly also?: string;
  /** Shortcut without the palette, formatted for display. */
  readonly keys?: string;
  /** Destination of an entry that navigates. */
  readonly goal?: NavigateOptions;
  readonly perform: () => void;
}

const SHOWN = 30;

type Words = Pick<Command, "text" | "kind" | "also">;

/**
 * Returns the commands that contain every typed word, in any order. Names that start with the query come first, matches
 * by synonym last.
 */
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

/** Minimum length of a word that may contain a typo. In a shorter word, a changed letter makes another word. */
const LEAST_OF_A_TYPO = 4;

/**
 * Returns the commands in which every typed word is the prefix of a word, with at most one typo: a wrong, missing,
 * extra or swapped letter.
 */
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

/** Whether two words differ by exactly one changed, missing, extra or swapped letter. */
function isOneSlip(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  const at = [...long].findIndex((letter, i) => letter !== short[i]);
  if (at < 0) return true;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  const isSwapped =
    short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2);
  return isSwapped || short.slice(at + 1) === long.slice(at + 1);
}

/** Minimum number of letters; fewer match nearly everything. */
const LEAST_LETTERS = 3;

/** Returns the commands that contain the letters in order, the first at the start of a word: "ntk" finds "New Talk". */
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
