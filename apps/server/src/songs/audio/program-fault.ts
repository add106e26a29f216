/** Exit of a program: `code` is null if it was killed or could not be started. */
export interface ProgramEnd {
  readonly code: number | null;
  /** The start of its stderr output, or why it could not be started. */
  readonly complaint: string;
}

/** Messages of loaders, shells and systems about a program that does not fit the machine. */
const COMPLAINTS: readonly (readonly [RegExp, (match: RegExpExecArray) => string])[] = [
  [/error while loading shared libraries: ([^\s:]+)/, ([, library]) => `the shared library ${library} is missing`],
  [/Library not loaded: \S*?([^\s/]+)$/m, ([, library]) => `the shared library ${library} is missing`],
  [/env: .?([\w.-]+).?: No such file/, ([, interpreter]) => `the program ${interpreter} that runs it is missing`],
  [/symbol lookup error|version `[^']+' not found/, () => "its shared libraries are of another version"],
  [/ENOEXEC|exec format error|cannot execute binary/i, () => "it was built for another kind of machine"],
  [/ETXTBSY|text file busy/i, () => "its file is just being written"],
  [/EACCES|failed to execute .*: Permission denied/, () => "it may not be executed"],
  [/ENOENT|failed to execute .*: No such file/, () => "there is no such program"],
];

/** Returns why the program itself is broken, as a clause for users; undefined if it ran and exited by itself. */
export function programFault({ code, complaint }: ProgramEnd): string | undefined {
  const didRun = code !== null && code !== 126 && code !== 127;
  if (didRun) return undefined;
  for (const [pattern, sayWhy] of COMPLAINTS) {
    const match = pattern.exec(complaint);
    if (match) return sayWhy(match);
  }
  return code === null ? "it crashed or was killed" : `it could not be run (exit code ${code})`;
}
