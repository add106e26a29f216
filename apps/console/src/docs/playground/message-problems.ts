import { playgroundStrings as text } from "./playground.strings.ts";

/** What is wrong with a message, and where. */
export interface MessageProblem {
  /** Line of the text, from 1. */
  readonly line: number;
  /** A sentence. */
  readonly why: string;
  /** The text is no JSON at all; everything else can be sent to see what the server says. */
  readonly isFatal: boolean;
}

/** A schema of the contract, as far as it is needed here. */
export interface MessageSchema {
  readonly safeParse: (said: unknown) =>
    | { readonly success: true }
    | {
        readonly success: false;
        readonly error: {
          readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
        };
      };
}

/** Holds a text against JSON, then against the schema by which the server reads it. Empty when nothing is wrong. */
export function problemsOf(json: string, schema: MessageSchema): readonly MessageProblem[] {
  let said: unknown;
  try {
    said = JSON.parse(json);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [{ line: faultLine(json, why), why: text.noJson(why), isFatal: true }];
  }
  const result = schema.safeParse(said);
  if (result.success) return [];
  const lines = linesOf(json);
  return result.error.issues.map(({ path, message }) => ({
    line: nearestLine(lines, path.map(String)),
    why: path.length > 0 ? `${path.join(".")}: ${message}` : message,
    isFatal: false,
  }));
}

/** Engines say where JSON breaks in words of their own: by line, by place, or not at all when the text ends too early. */
function faultLine(json: string, why: string): number {
  const [, line] = /line (\d+)/.exec(why) ?? [];
  if (line) return Number(line);
  const [, place] = /position (\d+)/.exec(why) ?? [];
  return json.slice(0, place ? Number(place) : json.length).split("\n").length;
}

/** A field that is missing has no line: what it is missing in has. */
function nearestLine(lines: ReadonlyMap<string, number>, path: readonly string[]): number {
  const found = lines.get(JSON.stringify(path));
  return found ?? (path.length > 0 ? nearestLine(lines, path.slice(0, -1)) : 1);
}

const TOKEN = /"(?:\\.|[^"\\])*"|[{}[\],:\n]|[^\s{}[\],:"]+/g;

/** The line on which each value of a JSON text begins, by its path as JSON. */
function linesOf(json: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  /** Key or number of the value that comes next, in each object and list around it. */
  const path: (string | number)[] = [];
  let line = 1;
  let key: string | undefined;
  const note = () => lines.set(JSON.stringify(path.map(String)), line);
  for (const [token] of json.matchAll(TOKEN)) {
    const last = path.at(-1);
    if (token === "\n") line += 1;
    else if (token === "{" || token === "[") {
      note();
      path.push(token === "[" ? 0 : "");
    } else if (token === "}" || token === "]") path.pop();
    else if (token === ":") path[path.length - 1] = key ?? "";
    else if (token === ",") path[path.length - 1] = typeof last === "number" ? last + 1 : "";
    else if (last === "") key = JSON.parse(token) as string;
    else note();
  }
  return lines;
}
