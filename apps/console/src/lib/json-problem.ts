/** First syntax error of a JSON text, with the expected token. Lines and columns count from 1. */
export interface JsonProblem {
  /** Number of characters before it. */
  readonly at: number;
  readonly line: number;
  readonly column: number;
  readonly expected: string;
}

/**
 * Finds the syntax error in a text that should be JSON; undefined if it is valid. The messages of browsers differ and
 * may lack the position.
 */
export function jsonProblem(text: string): JsonProblem | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    const { at, expected } = firstProblem(text);
    const before = text.slice(0, at).split("\n");
    return { at, line: before.length, column: (before.at(-1)?.length ?? 0) + 1, expected };
  }
}

/** Patterns of JSON tokens, matched at an index. */
const SPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/**
 * Returns the index of the first unexpected token. Open brackets are stored in a list, not on the call stack, so any
 * depth can be parsed.
 */
function firstProblem(text: string): { readonly at: number; readonly expected: string } {
  const open: ("{" | "[")[] = [];
  let at = 0;
  const read = (piece: RegExp): boolean => {
    piece.lastIndex = at;
    const found = piece.test(text);
    if (found) at = piece.lastIndex;
    return found;
  };
  const take = (sign: string): boolean => {
    read(SPACE);
    if (text[at] !== sign) return false;
    at++;
    return true;
  };
  const name = (): string | undefined => {
    read(SPACE);
    if (!read(STRING)) return "a name in double quotes";
    return take(":") ? undefined : "a colon";
  };
  for (;;) {
    // Start of a value.
    if (take("{")) {
      if (!take("}")) {
        open.push("{");
        const expected = name();
        if (expected) return { at, expected };
        continue;
      }
    } else if (take("[")) {
      if (!take("]")) {
        open.push("[");
        continue;
      }
    } else if (!read(STRING) && !read(SCALAR)) return { at, expected: "a value" };
    // The value has ended, and with it each bracket that closes here.
    while (open.length > 0 && take(open.at(-1) === "{" ? "}" : "]")) open.pop();
    const last = open.at(-1);
    if (last === undefined) {
      read(SPACE);
      return { at, expected: "nothing more" };
    }
    if (!take(",")) return { at, expected: last === "{" ? "a comma or }" : "a comma or ]" };
    const expected = last === "{" ? name() : undefined;
    if (expected) return { at, expected };
  }
}
