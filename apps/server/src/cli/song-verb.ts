import { parseArgs, type ParseArgsConfig } from "node:util";
import { AudioError } from "../audio/audio-error.ts";
import { FilmError } from "../film/film-error.ts";

/** Exit codes of the song verbs. */
const DONE = 0;
const USAGE = 1;
const BAD_INPUT = 2;

/** Arguments that cannot be: the sentence says why. Without one the help is shown. */
export class WrongUse extends Error {}

/** What was named cannot be used: the sentence says why. */
export class BadInput extends Error {}

type Options = NonNullable<ParseArgsConfig["options"]>;
type Parsed<Known extends Options> = ReturnType<typeof parseArgs<{ options: Known; allowPositionals: true }>>;

/** What one of the verbs of `song` was given. */
export interface Given<Known extends Options> {
  readonly values: Parsed<Known>["values"];
  readonly paths: readonly string[];
}

/**
 * One verb of `song`: reads its arguments, explains itself, and says in one sentence what it refuses.
 * @param run what it does @throws WrongUse, BadInput and what files, sound and films are refused with
 * @returns the verb: from arguments to exit code, 0 done, 1 wrong use, 2 bad input
 */
export function songVerb<const Known extends Options>(
  help: string,
  options: Known,
  run: (given: Given<Known>) => Promise<void>,
): (args: string[]) => Promise<number> {
  return async (args) => {
    try {
      const all = { ...options, help: { type: "boolean", short: "h" } } as const;
      const { values, positionals: paths } = parseArgs({ args, allowPositionals: true, options: all });
      if ("help" in values) {
        console.log(help);
        return DONE;
      }
      // TypeScript does not see through the spread that without help these are the options it was given.
      await run({ values: values as Parsed<Known>["values"], paths });
      return DONE;
    } catch (error) {
      return refusal(error, help);
    }
  };
}

/** @returns what says on stderr how far the work is, every 5 % */
export function progressInSteps(): (share: number, what: string) => void {
  let shown = -1;
  return (share, what) => {
    const percent = Math.floor(share * 20) * 5;
    if (percent > shown) console.error(`${String((shown = percent)).padStart(3)} % ${what}`);
  };
}

function refusal(error: unknown, help: string): number {
  if (error instanceof WrongUse) {
    console.error(error.message || help);
    return USAGE;
  }
  if (isOfArguments(error)) {
    console.error(`${error.message}\n\n${help}`);
    return USAGE;
  }
  if (!isBadInput(error)) throw error;
  console.error(error.message);
  return BAD_INPUT;
}

const isOfArguments = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");

/** Also what the system does not let be read or written. */
const isBadInput = (error: unknown): error is Error =>
  error instanceof BadInput ||
  error instanceof FilmError ||
  error instanceof AudioError ||
  (error instanceof Error && "syscall" in error);
