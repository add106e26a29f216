import { parseArgs, type ParseArgsConfig } from "node:util";
import { AudioError } from "../songs/audio/audio-error.ts";
import { FilmError } from "../songs/film/film-error.ts";

/** Exit codes of the song commands. */
const DONE = 0;
const USAGE = 1;
const BAD_INPUT = 2;

/** Invalid arguments. The message is the reason; without one the help is shown. */
export class WrongUse extends Error {}

/** An input that cannot be used. The message is the reason. */
export class BadInput extends Error {}

type Options = NonNullable<ParseArgsConfig["options"]>;
type Parsed<Known extends Options> = ReturnType<typeof parseArgs<{ options: Known; allowPositionals: true }>>;

/** Parsed arguments of a `song` command. */
export interface Given<Known extends Options> {
  readonly values: Parsed<Known>["values"];
  readonly paths: readonly string[];
}

/**
 * Creates a `song` command: parses its arguments, prints help, and reports errors in one sentence.
 *
 * @param run the work; throws WrongUse, BadInput and errors of files, audio and films
 * @returns a function from arguments to exit code: 0 done, 1 wrong use, 2 bad input
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
      // TypeScript cannot infer that the options without help are the given ones.
      await run({ values: values as Parsed<Known>["values"], paths });
      return DONE;
    } catch (error) {
      return refusal(error, help);
    }
  };
}

/** @returns a function that prints progress to stderr, every 5 % */
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

/** System errors on reading and writing files count as well. */
const isBadInput = (error: unknown): error is Error =>
  error instanceof BadInput ||
  error instanceof FilmError ||
  error instanceof AudioError ||
  (error instanceof Error && "syscall" in error);
