/** A program in the table of command line options. */
interface Program {
  readonly usage: string;
  readonly does: string;
  readonly options: readonly { readonly name: string; readonly value?: string; readonly does: string }[];
  readonly positional?: string;
  readonly more?: string;
}

export const PROGRAMS: Readonly<Record<string, Program>>;

/** Reads the command line of a program; prints help or what is wrong, and exits. */
export function readOptions(
  program: string,
  args?: readonly string[],
): { readonly values: Readonly<Record<string, string | boolean | undefined>>; readonly positional: string | undefined };

/** Ends a program whose command line lacks something, with its help. */
export function exitWrongUse(program: string, message: string): never;
